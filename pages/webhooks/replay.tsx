// Delivers events once more, from one of them on, or gives up those that wait.
import { useState } from 'preact/hooks';
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { type Queue, queueText, WEBHOOKS_VERSION } from './webhook.ts';
import { addressOfWebhook } from './webhook-requests.ts';

interface NewestEvent {
  readonly _embedded: { readonly events: readonly { readonly number: number }[] };
}

export function Replay({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [from, setFrom] = useState('');
  const { data } = useApi<NewestEvent>('/api/admin/events?page_size=1', 1);
  const newest = data?._embedded.events[0]?.number;
  const replay = async (): Promise<void> => {
    const answer = await send<{ readonly queue: Queue }>(`${addressOfWebhook(id)}/replay`, {
      method: 'POST',
      version: WEBHOOKS_VERSION,
      body: { from },
    });
    showMessage(`${id}: ${answer === undefined ? 'begins there' : queueText(answer.queue)}.`);
    reloadAll(addressOfWebhook(id));
  };
  return (
    <FormDialog title={`Deliver again to ${id}`} action="Deliver" onClose={onClose} onSubmit={replay}>
      <p>All events that it wants, from this one on, are sent once more, at once.</p>
      <label>
        From event number
        <input required inputMode="numeric" value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
      </label>
      {newest !== undefined && (
        <p class="quiet">
          The newest event is {newest}. With {newest + 1}, all that waits is given up, and it goes on with the next event.
        </p>
      )}
    </FormDialog>
  );
}
