// The results of the deliveries of an outgoing webhook, as JSON.
import type { Backlog } from '../../../events/webhooks/backlog.ts';
import type { PostOutcome } from '../../../events/webhooks/post.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Queue, StoredDelivery } from '../../../store/webhook-queues.ts';
import { docLink, links } from '../common/links.ts';

export const WEBHOOKS_PATH = '/api/admin/webhooks';
const DOC = docLink('outgoing-webhooks');

export interface ShownQueue {
  readonly id: string;
  readonly queue: Queue;
  readonly backlog: Backlog;
}

export function queueJson({ queue, backlog }: Omit<ShownQueue, 'id'>): JsonOut {
  return {
    position: queue.position,
    behind: backlog.waiting,
    uncounted: backlog.uncounted,
    failures: queue.failures,
    failing_since: queue.failing_since,
    last_error: queue.last_error,
    delivered_at: queue.delivered_at,
  };
}

/** `next` is where the older ones are. */
export function deliveriesJson(shown: ShownQueue, deliveries: readonly StoredDelivery[], base: string, next: string | undefined): JsonOut {
  const webhook = `${WEBHOOKS_PATH}/${encodeURIComponent(shown.id)}`;
  return {
    _links: links(base, { doc: DOC, self: `${webhook}/deliveries`, webhook, ...(next !== undefined && { next }) }),
    queue: queueJson(shown),
    _embedded: { deliveries: deliveries.map(deliveryJson) },
  };
}

export function outcomeJson({ status, error, milliseconds }: PostOutcome): JsonOut {
  return { is_delivered: error === undefined, status: status ?? null, error: error ?? null, milliseconds };
}

function deliveryJson({ id, event, type, attempt, time, milliseconds, status, error }: StoredDelivery): JsonOut {
  return { id, event, type, attempt, time, milliseconds, status, error };
}
