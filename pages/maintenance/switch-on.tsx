// Switches maintenance mode on. Asks why, and for how long: other administrators see that.
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { reloadAll } from '../api/queries.ts';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { Labelled } from '../kit/fields/labelled.tsx';
import { showMessage } from '../kit/messages.tsx';
import { bodyOf, MAINTENANCE_ADDRESS, MAINTENANCE_VERSION, type MaintenanceRequest } from './maintenance.ts';

const NOTHING: MaintenanceRequest = { reason: '', minutes: '', survivesRestart: false };

export function SwitchOn() {
  const request = useMemo(() => signal(NOTHING), []);
  const draft = useBodyDraft({ form: MAINTENANCE_ADDRESS, etag: undefined, body: request, original: NOTHING });
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const isOffered = draft.offered !== undefined;
  const switchOn = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setIsSending(true);
    setFailure(undefined);
    try {
      await send(`${MAINTENANCE_ADDRESS}/enable`, { method: 'POST', version: MAINTENANCE_VERSION, body: bodyOf(request.peek()) });
      draft.discard();
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
      <BodyDraftOffer draft={draft} />
      <fieldset class="editing" disabled={isOffered}>
        <Fields request={request.value} set={(changed) => (request.value = { ...request.peek(), ...changed })} />
      </fieldset>
      {failure !== undefined && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      <button type="submit" class="button is-primary" disabled={isSending || isOffered}>
        Switch on
      </button>
    </form>
  );
}

interface FieldsProps {
  readonly request: MaintenanceRequest;
  readonly set: (changed: Partial<MaintenanceRequest>) => void;
}

function Fields({ request: { reason, minutes, survivesRestart }, set }: FieldsProps) {
  return (
    <>
      <Labelled label="Why?" isOptional>
        <input
          value={reason}
          onInput={({ currentTarget }) => set({ reason: currentTarget.value })}
          maxLength={1000}
          placeholder="new disk"
        />
      </Labelled>
      <Labelled label="Ends by itself after how many minutes?" isOptional>
        <input
          inputMode="numeric"
          value={minutes}
          onInput={({ currentTarget }) => set({ minutes: currentTarget.value })}
          placeholder="stays on until it is switched off"
        />
      </Labelled>
      <label class="is-inline">
        <input type="checkbox" checked={survivesRestart} onInput={({ currentTarget }) => set({ survivesRestart: currentTarget.checked })} />
        Still on after a restart of the server
      </label>
    </>
  );
}
