// Delivers events once more, from one of them on, or gives up those that wait.
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { DraftDialog } from '../forms/save/draft-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { type Queue, queueText, WEBHOOKS_VERSION } from './webhook.ts';
import { addressOfWebhook } from './webhook-requests.ts';

interface NewestEvent {
  readonly _embedded: { readonly events: readonly { readonly number: number }[] };
}

export function Replay({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data } = useApi<NewestEvent>('/api/admin/events?page_size=1', 1);
  const newest = data?._embedded.events[0]?.number;
  const address = `${addressOfWebhook(id)}/replay`;
  const replay = async (body: { readonly from: string }): Promise<void> => {
    const answer = await send<{ readonly queue: Queue }>(address, { method: 'POST', version: WEBHOOKS_VERSION, body });
    showMessage(`${id}: ${answer === undefined ? 'begins there' : queueText(answer.queue)}.`);
    reloadAll(addressOfWebhook(id));
  };
  return (
    <DraftDialog
      title={`Deliver again to ${id}`}
      action="Deliver"
      form={address}
      original={{ from: '' }}
      onClose={onClose}
      onSubmit={replay}
      fields={({ from }, set) => (
        <>
          <p>All events that it wants, from this one on, are sent once more, at once.</p>
          <label>
            From event number
            <input required inputMode="numeric" value={from} onInput={({ currentTarget }) => set({ from: currentTarget.value })} />
          </label>
          {newest !== undefined && (
            <p class="quiet">
              The newest event is {newest}. With {newest + 1}, all that waits is given up, and it goes on with the next event.
            </p>
          )}
        </>
      )}
    />
  );
}
