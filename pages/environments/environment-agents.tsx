// The agents of an environment. They are put into it one by one, at once.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { pageOf } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import type { Origin } from './environment.ts';

const ADDRESS = '/api/agents';
const VERSION = 7;

interface Agent {
  readonly uuid: string;
  readonly hostname: string;
  readonly elastic_agent_id?: string;
  readonly environments: readonly { readonly name: string; readonly origin: Origin }[];
}

interface AgentsAnswer {
  readonly _embedded: { readonly agents: readonly Agent[] };
}

export function EnvironmentAgents({ environment }: { readonly environment: string }) {
  const read = useApi<AgentsAnswer>(ADDRESS, VERSION, { changedBy: ({ kind }) => kind === 'agent' || kind === 'config' });
  return (
    <section aria-label="Agents">
      <h2>Agents</h2>
      <Loaded read={read}>{({ _embedded: { agents } }) => <Agents agents={agents} environment={environment} />}</Loaded>
    </section>
  );
}

function Agents({ agents, environment }: { readonly agents: readonly Agent[]; readonly environment: string }) {
  const isAdmin = currentSession()?.is_admin ?? false;
  const [chosen, setChosen] = useState('');
  const membership = (agent: Agent) => agent.environments.find(({ name }) => name.toLowerCase() === environment.toLowerCase());
  const inside = agents.filter((agent) => membership(agent) !== undefined);
  const outside = agents.filter((agent) => membership(agent) === undefined && agent.elastic_agent_id === undefined);
  const change = async (agent: Agent, operation: 'add' | 'remove'): Promise<void> => {
    const body = { uuids: [agent.uuid], operations: { environments: { [operation]: [environment] } } };
    await runAction(() => send(ADDRESS, { method: 'PATCH', version: VERSION, body }), `${agent.hostname} is changed.`);
    reloadAll(ADDRESS);
  };
  const added = outside.find(({ uuid }) => uuid === chosen);
  return (
    <>
      {inside.length === 0 && <p class="quiet">None: its pipelines find no agent.</p>}
      <ul class="chosen-names">
        {inside.map((agent) => (
          <li key={agent.uuid} title={agent.uuid}>
            {agent.hostname}
            {membership(agent)?.origin.type === 'config_repo' ? (
              <span class="quiet"> from {membership(agent)?.origin.id}</span>
            ) : (
              isAdmin && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label={`Remove the agent ${agent.hostname}`}
                  onClick={() => void change(agent, 'remove')}
                >
                  ×
                </button>
              )
            )}
          </li>
        ))}
      </ul>
      {isAdmin && outside.length > 0 && (
        <div class="toolbar">
          <select aria-label="An agent to add" value={chosen} onInput={({ currentTarget }) => setChosen(currentTarget.value)}>
            <option value="">choose an agent</option>
            {outside.map(({ uuid, hostname }) => (
              <option key={uuid} value={uuid}>
                {hostname}
              </option>
            ))}
          </select>
          <button type="button" class="button" disabled={added === undefined} onClick={() => added && void change(added, 'add')}>
            Add the agent
          </button>
        </div>
      )}
      <p>
        <Link href={pageOf.agents()}>All agents</Link>
      </p>
    </>
  );
}
