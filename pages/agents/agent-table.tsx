// The agents as a table, of which some can be chosen.
import { TableHead } from '../kit/table-head.tsx';
import type { Agent } from './agent.ts';
import { AgentRow } from './agent-row.tsx';

interface AgentTableProps {
  readonly agents: readonly Agent[];
  readonly isAdmin: boolean;
  /** The UUIDs of the chosen agents. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  readonly onEdit: (agent: Agent) => void;
}

const COLUMNS = ['Agent', 'State', 'Resources', 'Environments', 'Folder', 'System', 'Free space'];

export function AgentTable({ agents, isAdmin, chosen, onChoose, onEdit }: AgentTableProps) {
  const uuids = agents.map(({ uuid }) => uuid);
  return (
    <div class="table-scroll">
      <table class="agents">
        <TableHead columns={COLUMNS}>
          {isAdmin && (
            <th>
              <input
                type="checkbox"
                aria-label="Choose all"
                checked={uuids.length > 0 && uuids.every((uuid) => chosen.has(uuid))}
                onInput={({ currentTarget }) => onChoose(new Set(currentTarget.checked ? uuids : []))}
              />
            </th>
          )}
        </TableHead>
        <tbody>
          {agents.map((agent) => (
            <AgentRow
              key={agent.uuid}
              agent={agent}
              isAdmin={isAdmin}
              isChosen={chosen.has(agent.uuid)}
              onChoose={() => onChoose(chosen.symmetricDifference(new Set([agent.uuid])))}
              onEdit={() => onEdit(agent)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
