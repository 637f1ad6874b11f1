// Outgoing webhooks: where events are sent to, and how far each webhook is.
import { useState } from 'preact/hooks';
import { urlOf } from '../api/address.ts';
import { messageOf } from '../api/failure.ts';
import { useApi } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import type { Entity } from '../forms/save/entity.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { showMessage } from '../kit/messages.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { shellQuote } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { EditWebhook } from './edit-webhook.tsx';
import { PastWebhooks } from './past-webhooks.tsx';
import { WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type WebhookBody, type WebhookList } from './webhook.ts';
import { readWebhook } from './webhook-requests.ts';
import { WebhookTable } from './webhook-table.tsx';

export function WebhooksPage() {
  useTitle('Outgoing webhooks');
  return (
    <AdminsOnly title="Outgoing webhooks">
      <WebhooksAtTime />
    </AdminsOnly>
  );
}

function WebhooksAtTime() {
  const { refusal } = useMoment();
  if (refusal === undefined) return <Webhooks />;
  return (
    <>
      <div class="page-header">
        <h1>Outgoing webhooks</h1>
        <MomentSwitch />
      </div>
      <PastWebhooks />
    </>
  );
}

function Webhooks() {
  const read = useApi<WebhookList>(WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  /** `new`: a webhook that does not exist yet. */
  const [edited, setEdited] = useState<Entity<WebhookBody> | 'new'>();
  const edit = (id: string): void => {
    readWebhook(id).then(setEdited, (failure: unknown) => showMessage(messageOf(failure), 'failed'));
  };
  const close = (): void => setEdited(undefined);
  const add = (
    <button type="button" class="button is-primary" onClick={() => setEdited('new')}>
      Add a webhook
    </button>
  );
  return (
    <>
      <div class="page-header">
        <h1>Outgoing webhooks</h1>
        <MomentSwitch />
        {read.data !== undefined && read.data._embedded.webhooks.length > 0 && add}
      </div>
      <Loaded read={read}>
        {({ _embedded: { webhooks } }) =>
          webhooks.length === 0 ? (
            <Empty
              text="There is no webhook yet. A webhook sends events to a program of yours, signed and in order."
              command={commandToAdd()}
            >
              {add}
            </Empty>
          ) : (
            <WebhookTable webhooks={webhooks} onEdit={edit} />
          )
        }
      </Loaded>
      {edited === 'new' && <EditWebhook entity={undefined} onClose={close} onReload={close} />}
      {edited !== undefined && edited !== 'new' && (
        <EditWebhook key={edited.etag} entity={edited} onClose={close} onReload={() => edit(edited.value.id)} />
      )}
    </>
  );
}

function commandToAdd(): string {
  return [
    `curl --user ${shellQuote(currentSession()?.login_name ?? 'NAME')} ${urlOf(WEBHOOKS_ADDRESS)} \\`,
    "  --header 'Accept: application/vnd.svc.v1+json' --header 'Content-Type: application/json' \\",
    `  --data '{"id": "chat", "url": "https://chat.example.org/hook", "secret": "SECRET", "filter": {"types": ["backup.*"]}}'`,
  ].join('\n');
}
