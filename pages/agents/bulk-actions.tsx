// The actions on the chosen agents.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { send } from '../api/client.ts';
import { reloadAll } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { runAction, showMessage } from '../kit/messages.tsx';
import { pluralize } from '../kit/text/text.ts';
import { AGENTS_ADDRESS, AGENTS_VERSION, type Agent } from './agent.ts';

interface BulkActionsProps {
  readonly agents: readonly Agent[];
  readonly onEdit: () => void;
  readonly onDone: () => void;
}

export function BulkActions({ agents, onEdit, onDone }: BulkActionsProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const uuids = agents.map(({ uuid }) => uuid);
  const isNone = agents.length === 0;
  const cancelling = agents.filter(({ build_state }) => build_state === 'Cancelled');
  const change = async (state: 'Enabled' | 'Disabled'): Promise<void> => {
    const body = { uuids, agent_config_state: state };
    if (
      await runAction(
        () => send(AGENTS_ADDRESS, { method: 'PATCH', version: AGENTS_VERSION, body }),
        `${pluralize(agents.length, 'agent is', 'agents are')} ${state.toLowerCase()}.`,
      )
    )
      onDone();
    reloadAll(AGENTS_ADDRESS);
  };
  const kill = async (): Promise<void> => {
    for (const { uuid, hostname } of cancelling)
      await runAction(
        () => send(path`/api/agents/${uuid}/kill_running_tasks`, { method: 'POST', version: AGENTS_VERSION }),
        `Tasks on ${hostname} are killed.`,
      );
  };
  return (
    <>
      {!isNone && (
        <span class="quiet" role="status">
          {agents.length} chosen
        </span>
      )}
      <button type="button" class="button" disabled={isNone} onClick={() => void change('Enabled')}>
        Enable
      </button>
      <button type="button" class="button" disabled={isNone} onClick={() => void change('Disabled')}>
        Disable
      </button>
      <button type="button" class="button" disabled={isNone} onClick={onEdit}>
        Change …
      </button>
      {cancelling.length > 0 && (
        <button type="button" class="button" onClick={() => void kill()}>
          Kill tasks
        </button>
      )}
      <button type="button" class="button" disabled={isNone} onClick={() => setIsDeleting(true)}>
        Delete …
      </button>
      {isDeleting && <DeleteAgents agents={agents} onClose={() => setIsDeleting(false)} onDone={onDone} />}
    </>
  );
}

function DeleteAgents({
  agents,
  onClose,
  onDone,
}: {
  readonly agents: readonly Agent[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const remove = async (): Promise<void> => {
    const body = { uuids: agents.map(({ uuid }) => uuid) };
    const answer = await send(AGENTS_ADDRESS, { method: 'DELETE', version: AGENTS_VERSION, body });
    showMessage(answer?.message ?? 'Deleted.');
    onDone();
    reloadAll(AGENTS_ADDRESS);
  };
  const title = `Delete ${agents.length === 1 ? agents[0]!.hostname : `${agents.length} agents`}`;
  return (
    <FormDialog title={title} action="Delete" isDangerous onClose={onClose} onSubmit={remove}>
      <p>Only agents that are disabled and build nothing can be deleted. An agent that is still running registers anew.</p>
      <p>{agents.map(({ hostname }) => hostname).join(', ')}</p>
    </FormDialog>
  );
}
