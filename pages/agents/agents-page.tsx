// The agents: their states, and which of them may build.
import { useMemo, useState } from 'preact/hooks';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { AddAgent } from './add-agent.tsx';
import { AGENTS_ADDRESS, AGENTS_VERSION, type Agent, type AgentList, shownAgents, stateOf } from './agent.ts';
import { AgentTable } from './agent-table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { EditAgents } from './edit-agents.tsx';

export function AgentsPage() {
  useTitle('Agents');
  const read = useApi<AgentList>(AGENTS_ADDRESS, AGENTS_VERSION, { changedBy: ({ kind }) => kind === 'agent', everyMs: 30_000 });
  return (
    <>
      <h1>Agents</h1>
      <Loaded read={read}>{({ _embedded: { agents } }) => <Agents agents={agents} />}</Loaded>
    </>
  );
}

function Agents({ agents }: { readonly agents: readonly Agent[] }) {
  const isAdmin = currentSession()?.is_admin ?? false;
  const [search, setSearch] = useParameter('q');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<readonly Agent[]>();
  const [isAdding, setIsAdding] = useState(agents.length === 0);
  const shown = useMemo(() => shownAgents(agents, search), [agents, search]);
  // Actions apply only to agents that the filter shows.
  const chosenAgents = shown.filter(({ uuid }) => chosen.has(uuid));
  return (
    <>
      <search class="toolbar">
        <SearchField of="agents" value={search} onChange={setSearch} />
        <Counts agents={agents} />
        <span class="grow" />
        {isAdmin && <BulkActions agents={chosenAgents} onEdit={() => setEdited(chosenAgents)} onDone={() => setChosen(new Set())} />}
        {isAdmin && (
          <button type="button" class="button" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
            Add an agent
          </button>
        )}
      </search>
      {isAdding && <AddAgent isAdmin={isAdmin} isFirst={agents.length === 0} />}
      {agents.length > 0 && (
        <AgentTable agents={shown} isAdmin={isAdmin} chosen={chosen} onChoose={setChosen} onEdit={(agent) => setEdited([agent])} />
      )}
      {agents.length > 0 && shown.length === 0 && <p class="empty">No agent matches.</p>}
      {edited !== undefined && <EditAgents agents={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Counts({ agents }: { readonly agents: readonly Agent[] }) {
  const counts = [...Map.groupBy(agents, stateOf)].map(([state, those]) => `${those.length} ${state.toLowerCase()}`);
  return (
    <span class="quiet" role="status">
      {counts.join(', ')}
    </span>
  );
}
