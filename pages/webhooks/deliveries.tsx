// The deliveries of a webhook, and their results.

import { useApi } from '../api/queries.ts';
import { Fact, Facts } from '../kit/facts.tsx';
import { Link } from '../kit/link.tsx';
import { useFirstRows } from '../kit/list/first-rows.tsx';
import { pageOf } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { StatusIcon } from '../kit/status.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { durationText } from '../kit/text/time.ts';
import { type Deliveries, type Delivery, queueText, WEBHOOKS_VERSION } from './webhook.ts';
import { addressOfWebhook } from './webhook-requests.ts';

/** The server keeps this many deliveries. */
const KEPT = 200;
const EVERY_MS = 3_000;

export function DeliveryList({ id }: { readonly id: string }) {
  const read = useApi<Deliveries>(`${addressOfWebhook(id)}/deliveries?page_size=${KEPT}`, WEBHOOKS_VERSION, { everyMs: EVERY_MS });
  return <Loaded read={read}>{(deliveries) => <DeliveryTable id={id} deliveries={deliveries} />}</Loaded>;
}

function DeliveryTable({ id, deliveries: { queue, _embedded } }: { readonly id: string; readonly deliveries: Deliveries }) {
  const { rows, more } = useFirstRows(_embedded.deliveries);
  return (
    <>
      <Facts>
        <Fact name="Events">{queueText(queue)}</Fact>
        <Fact name="Delivered up to">event {queue.position}</Fact>
        <Fact name="Last delivery">{queue.delivered_at === null ? 'none yet' : <RelativeTime at={queue.delivered_at} />}</Fact>
        {queue.failing_since !== null && (
          <Fact name="Failing since">
            <RelativeTime at={queue.failing_since} />: {queue.last_error}
          </Fact>
        )}
      </Facts>
      {rows.length === 0 ? (
        <p class="quiet">Nothing was sent yet. It is notified of the events that come after it was added.</p>
      ) : (
        <table aria-label={`Deliveries of ${id}`}>
          <TableHead columns={['Event', 'Sent', 'Attempt', 'Answer', 'Took']} />
          <tbody>
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </tbody>
        </table>
      )}
      {more}
    </>
  );
}

function DeliveryRow({ delivery: { event, type, attempt, time, milliseconds, status, error } }: { readonly delivery: Delivery }) {
  const icon = error === null ? 'passed' : 'failed';
  return (
    <tr>
      <td>
        <Link href={`${pageOf.events()}?open=${event}`}>
          {event} {type}
        </Link>
      </td>
      <td>
        <RelativeTime at={time} />
      </td>
      <td>{attempt}</td>
      <td>
        <span class={`status is-${icon}`}>
          <StatusIcon status={icon} />
          {status ?? 'none'}
        </span>{' '}
        {error}
      </td>
      <td class="number">{durationText(milliseconds)}</td>
    </tr>
  );
}
