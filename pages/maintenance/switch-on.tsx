// Switches maintenance mode on. Asks why, and for how long: other administrators see that.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { reloadAll } from '../api/queries.ts';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { bodyOf, MAINTENANCE_ADDRESS, MAINTENANCE_VERSION, type MaintenanceRequest } from './maintenance.ts';

export function SwitchOn() {
  const [request, setRequest] = useState<MaintenanceRequest>({ reason: '', minutes: '', survivesRestart: false });
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const switchOn = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setIsSending(true);
    setFailure(undefined);
    try {
      await send(`${MAINTENANCE_ADDRESS}/enable`, { method: 'POST', version: MAINTENANCE_VERSION, body: bodyOf(request) });
      showMessage('Maintenance mode is on.');
      reloadAll(MAINTENANCE_ADDRESS);
    } catch (problem) {
      setFailure(messageOf(problem));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <form class="page-form" onSubmit={(event) => void switchOn(event)}>
      <Labelled label="Why?" isOptional>
        <input
          value={request.reason}
          onInput={({ currentTarget }) => setRequest({ ...request, reason: currentTarget.value })}
          maxLength={1000}
          placeholder="new disk"
        />
      </Labelled>
      <Labelled label="Ends by itself after how many minutes?" isOptional>
        <input
          inputMode="numeric"
          value={request.minutes}
          onInput={({ currentTarget }) => setRequest({ ...request, minutes: currentTarget.value })}
          placeholder="stays on until it is switched off"
        />
      </Labelled>
      <label class="is-inline">
        <input
          type="checkbox"
          checked={request.survivesRestart}
          onInput={({ currentTarget }) => setRequest({ ...request, survivesRestart: currentTarget.checked })}
        />
        Still on after a restart of the server
      </label>
      {failure !== undefined && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      <button type="submit" class="button is-primary" disabled={isSending}>
        Switch on
      </button>
    </form>
  );
}
