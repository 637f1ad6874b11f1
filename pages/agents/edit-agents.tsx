// Changes the name, resources and environments of one agent, or adds and removes some of many.
import { path } from '../api/address.ts';
import { reloadAll } from '../api/queries.ts';
import { RecordDialog } from '../forms/save/record-dialog.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
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
  const isElastic = agent.elastic_agent_id !== undefined;
  const address = path`/api/agents/${agent.uuid}`;
  return (
    <RecordDialog
      title={`Change ${agent.hostname}`}
      action="Save"
      form={address}
      original={{ hostname: agent.hostname, resources: agent.resources?.join(', ') ?? '', environments: own.join(', ') }}
      change={({ hostname, resources, environments }) => ({
        method: 'PATCH',
        address,
        version: AGENTS_VERSION,
        body: { hostname, environments: splitNames(environments), ...(!isElastic && { resources: splitNames(resources) }) },
      })}
      isVersioned={false}
      done={({ hostname }) => `${hostname} is changed.`}
      onSaved={() => reloadAll(AGENTS_ADDRESS)}
      onClose={onClose}
      fields={({ hostname, resources, environments }, set) => (
        <>
          <Names label="Name" value={hostname} onChange={(changed) => set({ hostname: changed })} isOptional={false} />
          {!isElastic && (
            <Names label="Resources, separated by commas" value={resources} onChange={(changed) => set({ resources: changed })} />
          )}
          <Names label="Environments, separated by commas" value={environments} onChange={(changed) => set({ environments: changed })} />
          {ofRepos.length > 0 && (
            <p class="quiet">
              Config repos put it into {ofRepos.map(({ name, origin }) => `${name} (${origin.id ?? 'config repo'})`).join(', ')}. Change
              that in their files.
            </p>
          )}
          <p class="quiet">{agent.uuid}</p>
        </>
      )}
    />
  );
}

const NO_NAMES = { addedResources: '', removedResources: '', addedEnvironments: '', removedEnvironments: '' };

function EditMany({ agents, onClose }: { readonly agents: readonly Agent[]; readonly onClose: () => void }) {
  const uuids = agents.map(({ uuid }) => uuid);
  return (
    <RecordDialog
      title={`Change ${pluralize(agents.length, 'agent')}`}
      action="Save"
      form={`${AGENTS_ADDRESS} ${uuids.toSorted().join(' ')}`}
      original={NO_NAMES}
      change={(names) => ({
        method: 'PATCH',
        address: AGENTS_ADDRESS,
        version: AGENTS_VERSION,
        body: { uuids, operations: operationsOf(names) },
      })}
      isVersioned={false}
      done={() => `${pluralize(agents.length, 'agent is', 'agents are')} changed.`}
      onSaved={() => reloadAll(AGENTS_ADDRESS)}
      onClose={onClose}
      fields={(names, set) => (
        <>
          <p>Names are separated by commas.</p>
          <Names label="Add resources" value={names.addedResources} onChange={(addedResources) => set({ addedResources })} />
          <Names label="Remove resources" value={names.removedResources} onChange={(removedResources) => set({ removedResources })} />
          <Names label="Add to environments" value={names.addedEnvironments} onChange={(addedEnvironments) => set({ addedEnvironments })} />
          <Names
            label="Remove from environments"
            value={names.removedEnvironments}
            onChange={(removedEnvironments) => set({ removedEnvironments })}
          />
        </>
      )}
    />
  );
}

function operationsOf(names: typeof NO_NAMES) {
  return {
    resources: { add: splitNames(names.addedResources), remove: splitNames(names.removedResources) },
    environments: { add: splitNames(names.addedEnvironments), remove: splitNames(names.removedEnvironments) },
  };
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
