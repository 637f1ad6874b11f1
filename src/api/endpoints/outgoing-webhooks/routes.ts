// The operations on outgoing webhooks besides configuring them: see their deliveries, deliver again, try them out.
import type { Backlog } from '../../../events/webhooks/backlog.ts';
import type { PostOutcome } from '../../../events/webhooks/post.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { MAX_DELIVERIES, type Queue, type StoredDelivery } from '../../../store/webhook-queues.ts';
import { type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { ANY_NUMBER, numberIn } from '../common/number-in.ts';
import { badFrom, DEFAULT_PAGE, DELIVERIES, REPLAY, TRY } from './docs.ts';
import { deliveriesJson, outcomeJson, queueJson, WEBHOOKS_PATH } from './json.ts';

export interface OutgoingWebhookParts {
  /** Its key, or the refusal of one that is unknown. */
  mustFind(id: string): { readonly key: string; readonly id: string };
  newestEvent(): number;
  queueOf(key: string): Promise<Queue>;
  /** The events that wait after a position. */
  backlog(key: string, position: number): Promise<Backlog>;
  deliveries(queue: number, limit: number, before: number | undefined): Promise<readonly StoredDelivery[]>;
  replay(key: string, from: number): Promise<void>;
  sendTestDelivery(key: string, actor: string): Promise<PostOutcome>;
}

/** The receiver cannot take part in a dry run. */
const NOT_SENT: PostOutcome = { status: undefined, error: 'Nothing was sent: this is a dry run.', milliseconds: 0 };

export function outgoingWebhookRoutes(parts: OutgoingWebhookParts): Route[] {
  return [
    route('GET', 'deliveries', DELIVERIES, async ({ params, query, base }) => {
      const { key, id } = parts.mustFind(params.id ?? '');
      const size = numberIn(query, 'page_size', { min: 1, max: MAX_DELIVERIES }) ?? DEFAULT_PAGE;
      const queue = await parts.queueOf(key);
      const found = await parts.deliveries(queue.id, size + 1, numberIn(query, 'cursor', ANY_NUMBER));
      const shown = found.slice(0, size);
      const next =
        found.length > size
          ? `${WEBHOOKS_PATH}/${encodeURIComponent(id)}/deliveries?page_size=${size}&cursor=${shown.at(-1)!.id}`
          : undefined;
      const backlog = await parts.backlog(key, queue.position);
      return jsonAnswer(deliveriesJson({ id, queue, backlog }, shown, base, next));
    }),
    route('POST', 'replay', REPLAY, async ({ params, body, isDryRun }) => {
      const { key } = parts.mustFind(params.id ?? '');
      const from = numberFrom(body.from, parts.newestEvent());
      const backlog = await parts.backlog(key, from - 1);
      if (!isDryRun) await parts.replay(key, from);
      const queue = await parts.queueOf(key);
      return jsonAnswer({ queue: queueJson({ queue: { ...queue, position: from - 1 }, backlog }) });
    }),
    route('POST', 'test', TRY, async ({ params, identity, isDryRun }) => {
      const { key } = parts.mustFind(params.id ?? '');
      return jsonAnswer(outcomeJson(isDryRun ? NOT_SENT : await parts.sendTestDelivery(key, identity.loginName)));
    }),
  ];
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path: `${WEBHOOKS_PATH}/:id/${path}`,
    version: 1,
    permission: 'admin',
    description: { chapter: 'outgoing-webhooks', ...description },
    handle,
  };
}

function numberFrom(value: ApiRequest['body'][string] | undefined, newest: number): number {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= newest + 1) return number;
  throw new Refusal('invalid', badFrom(newest));
}
