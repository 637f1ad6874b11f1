// A delivery to a receiver: a signed event, or a test delivery like one.
import { TEST_TYPE } from '../../shape/event-types.ts';
import { BEGINNING, nextEvent } from '../chain.ts';
import type { StoredEvent } from '../stored-event.ts';
import type { Poster, PostOutcome } from './post.ts';
import { signatureHeaders } from './signature.ts';
import type { Webhook } from './webhook.ts';

export type Deliverable = Pick<StoredEvent, 'number' | 'content' | 'json'>;

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly now: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

const MS = 1000;
const UNOPENED = 'The secret of the webhook was encrypted with another key than that of this server. Set it again.';

/** Rejects only when the signal ends it. */
export async function deliver(poster: Pick<Poster, 'post'>, webhook: Webhook, event: Deliverable, about: Attempt): Promise<PostOutcome> {
  const { id, url, secret } = webhook;
  if (secret === undefined) return { status: undefined, error: UNOPENED, milliseconds: 0 };
  const body = Buffer.from(event.json);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': about.userAgent,
    'X-Svc-Webhook': id,
    'X-Svc-Event-Id': String(event.number),
    'X-Svc-Event-Type': event.content.type,
    'X-Svc-Attempt': String(about.attempt),
    ...signatureHeaders(secret, body, Math.floor(about.now / MS)),
  };
  return poster.post({ url: new URL(url), headers, body, signal: about.signal });
}

/** Sends a test delivery, and returns its outcome. */
export function sendTestDelivery(
  poster: Pick<Poster, 'post'>,
  webhook: Webhook,
  { actor, ...about }: Pick<Attempt, 'userAgent' | 'signal'> & { readonly actor: string },
): Promise<PostOutcome> {
  const now = Date.now();
  return deliver(poster, webhook, testEvent(webhook, actor, now), { attempt: 1, now, ...about });
}

/** Has the form of an event, and is none: its number is 0. */
function testEvent({ id }: Webhook, actor: string, now: number): Deliverable {
  const about = [{ resource: 'webhooks', id }];
  return nextEvent({ ...BEGINNING, number: -1 }, { type: TEST_TYPE, actor, about, data: {} }, () => new Date(now).toISOString());
}
