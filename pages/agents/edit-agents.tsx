// Changes the name, resources and environments of one agent, or adds and removes some of many.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { pluralize, splitNames } from '../kit/text/text.ts';
import { AGENTS_ADDRESS, AGENTS_VERSION, type Agent } from './agent.ts';

export function EditAgents({ agents, onClose }: { readonly agents: readonly Agent[]; readonly onClose: () => void }) {
  const [agent] = agents;
  return agents.length === 1 && agent !== undefined ? (
    <EditOne agent={agent} onClose={onClose} />
  ) : (
    <EditMany agents={agents} onClose={onClose} />
  );
}

function EditOne({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const own = agent.environments.filter(({ origin }) => origin.type !== 'config_repo').map(({ name }) => name);
  const ofRepos = agent.environments.filter(({ origin }) => origin.type === 'config_repo');
  const [hostname, setHostname] = useState(agent.hostname);
  const [resources, setResources] = useState(agent.resources?.join(', ') ?? '');
  const [environments, setEnvironments] = useState(own.join(', '));
  const save = async (): Promise<void> => {
    const body = {
      hostname,
      environments: splitNames(environments),
      ...(agent.elastic_agent_id === undefined && { resources: splitNames(resources) }),
    };
    await send(path`/api/agents/${agent.uuid}`, { method: 'PATCH', version: AGENTS_VERSION, body });
    showMessage(`${hostname} is changed.`);
    reloadAll(AGENTS_ADDRESS);
  };
  return (
    <FormDialog title={`Change ${agent.hostname}`} action="Save" onClose={onClose} onSubmit={save}>
      <Names label="Name" value={hostname} onChange={setHostname} isOptional={false} />
      {agent.elastic_agent_id === undefined && <Names label="Resources, separated by commas" value={resources} onChange={setResources} />}
      <Names label="Environments, separated by commas" value={environments} onChange={setEnvironments} />
      {ofRepos.length > 0 && (
        <p class="quiet">
          Config repos put it into {ofRepos.map(({ name, origin }) => `${name} (${origin.id ?? 'config repo'})`).join(', ')}. Change that in
          their files.
        </p>
      )}
      <p class="quiet">{agent.uuid}</p>
    </FormDialog>
  );
}

function EditMany({ agents, onClose }: { readonly agents: readonly Agent[]; readonly onClose: () => void }) {
  const [added, setAdded] = useState({ resources: '', environments: '' });
  const [removed, setRemoved] = useState({ resources: '', environments: '' });
  const save = async (): Promise<void> => {
    const operations = {
      resources: { add: splitNames(added.resources), remove: splitNames(removed.resources) },
      environments: { add: splitNames(added.environments), remove: splitNames(removed.environments) },
    };
    const answer = await send(AGENTS_ADDRESS, {
      method: 'PATCH',
      version: AGENTS_VERSION,
      body: { uuids: agents.map(({ uuid }) => uuid), operations },
    });
    showMessage(answer?.message ?? `${pluralize(agents.length, 'agent is', 'agents are')} changed.`);
    reloadAll(AGENTS_ADDRESS);
  };
  return (
    <FormDialog title={`Change ${pluralize(agents.length, 'agent')}`} action="Save" onClose={onClose} onSubmit={save}>
      <p>Names are separated by commas.</p>
      <Names label="Add resources" value={added.resources} onChange={(resources) => setAdded({ ...added, resources })} />
      <Names label="Remove resources" value={removed.resources} onChange={(resources) => setRemoved({ ...removed, resources })} />
      <Names label="Add to environments" value={added.environments} onChange={(environments) => setAdded({ ...added, environments })} />
      <Names
        label="Remove from environments"
        value={removed.environments}
        onChange={(environments) => setRemoved({ ...removed, environments })}
      />
    </FormDialog>
  );
}

interface NamesProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isOptional?: boolean;
}

function Names({ label, value, onChange, isOptional = true }: NamesProps) {
  return (
    <Labelled label={label} isOptional={isOptional}>
      <input value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} spellcheck={false} />
    </Labelled>
  );
}
