// Webhooks as they were configured. The results of deliveries are only known as of now.
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import { useMoment } from '../kit/moment.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { WEBHOOKS_ADDRESS, WEBHOOKS_VERSION, type WebhookList, wantsText } from './webhook.ts';

export function PastWebhooks() {
  const { addressOf } = useMoment();
  const read = useApi<WebhookList>(addressOf(WEBHOOKS_ADDRESS), WEBHOOKS_VERSION);
  return (
    <Loaded read={read}>
      {({ _embedded: { webhooks } }) =>
        webhooks.length === 0 ? (
          <Empty text="There was no webhook then." />
        ) : (
          <div class="table-scroll">
            <table class="webhooks">
              <TableHead columns={['Webhook', 'Address', 'Wants']} />
              <tbody>
                {webhooks.map((webhook) => (
                  <tr key={webhook.id}>
                    <td>
                      <Link href={addressOf(`/admin/webhooks/${encodeURIComponent(webhook.id)}`)}>{webhook.id}</Link>{' '}
                      {!webhook.enabled && <span class="badge is-warning">disabled</span>}
                    </td>
                    <td>{webhook.url}</td>
                    <td>{wantsText(webhook)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  );
}
