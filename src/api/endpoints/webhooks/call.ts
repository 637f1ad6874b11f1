// Routes for incoming webhooks: they verify the signature or token, then handle the event.

import { pause } from '../../../kit/concurrency/time-slices.ts';
import { firstFormValue } from '../../../kit/form/form.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Provider } from '../../../materials/webhooks/providers.ts';
import { BadPayload } from '../../../materials/webhooks/push.ts';
import { MESSAGE, TEXT } from '../../../shape/json/schemas.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { MAX_BODY_BYTES } from '../../http/body/body.ts';
import { WEBHOOK_DOCS } from './docs.ts';

export interface CallParts {
  /** In clear; undefined: the server has none, and no call is trusted. */
  secret(): string | undefined;
}

export interface Call {
  readonly event: string;
  readonly isDryRun: boolean;
  /** Rejects a payload that is not JSON, or not of the expected form. */
  read<T>(reading: (payload: unknown) => T): T;
}

interface Hook extends Pick<Route, 'path'> {
  readonly events: readonly string[];
  readonly description: Pick<RouteDescription, 'summary' | 'details' | 'query' | 'parameters' | 'example'> &
    Partial<Pick<RouteDescription, 'failures'>>;
  /** The answer to a call that is no ping. */
  receive(call: Call, request: ApiRequest): Promise<string>;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const NO_SECRET = 'This server has no webhook secret.';

export function hookRoute(provider: Provider, { path, events, description, receive }: Hook, parts: CallParts): Route {
  const { name, eventHeader, proof, pingEvent } = provider;
  const { bodies, noProof } = WEBHOOK_DOCS[name]!;
  const allowed = [...events, ...(pingEvent === undefined ? [] : [pingEvent])].toSorted();
  return {
    method: 'POST',
    path,
    version: 1,
    permission: 'anyone',
    rawBody: { maxBytes: MAX_BODY_BYTES },
    description: {
      ...description,
      chapter: 'webhooks',
      callers: 'anyone who knows the webhook secret of this server, without a login',
      headers: {
        [eventHeader]: { ...TEXT, description: `What has happened: ${allowed.join(' or ')}.`, example: events[0]! },
        [proof.header]: { ...TEXT, description: proof.about, example: '…' },
      },
      bodies,
      response: MESSAGE,
      status: 202,
      failures: {
        ...description.failures,
        400: { when: '`dry_run` is neither true nor false; or the event, the content type or the body is not understood.' },
        401: { when: 'The sender does not prove that it knows the secret.', example: { message: noProof } },
      },
    },
    handle: async (request) => {
      const { isDryRun } = request;
      const { event, payload } = await verifiedEvent(provider, request, parts.secret());
      if (!allowed.includes(event)) {
        const problem = `Invalid event type \`${event.slice(0, 100)}\`. Allowed events are [${allowed.join(', ')}].`;
        throw new Refusal('malformed', problem);
      }
      if (event === pingEvent) return acceptedAnswer('pong');
      return acceptedAnswer(await receive({ event, isDryRun, read: (reading) => understood(payload, reading) }, request));
    },
  };
}

const acceptedAnswer = (message: string): Answer => jsonAnswer({ message }, { status: 202 });

async function verifiedEvent(
  provider: Provider,
  request: ApiRequest,
  secret: string | undefined,
): Promise<{ event: string; payload: Buffer }> {
  const mustBeProven = (texts: readonly Buffer[]) => {
    // Where no secret is set, a random one that no sender can guess stands for it.
    const refusal = provider.refusalOf({ header: (name) => request.header(name), texts }, secret ?? crypto.randomUUID());
    if (refusal !== undefined) throw new Refusal('unauthenticated', secret === undefined ? NO_SECRET : refusal);
  };
  // The body is not even read if the sender proves nothing.
  const { header, isWhole } = provider.proof;
  if (isWhole || !request.header(header.toLowerCase())) mustBeProven([]);
  const { texts, payload } = await bodyOf(provider, request);
  mustBeProven(texts);
  return { event: request.header(provider.eventHeader.toLowerCase()) ?? '', payload };
}

async function bodyOf({ takesForms }: Provider, { raw }: ApiRequest): Promise<{ texts: Buffer[]; payload: Buffer }> {
  if (raw.type === JSON_TYPE) {
    const payload = await raw.read();
    return { texts: [payload], payload };
  }
  if (!takesForms || raw.type !== FORM_TYPE) throw new Refusal('malformed', `Could not understand the Content-Type: ${raw.type}!`);
  const whole = await raw.read();
  const payload = await firstFormValue(whole, pause);
  // The service signs the body as it sends it; others sign the payload in it.
  return { texts: [payload, whole], payload };
}

function understood<T>(payload: Buffer, reading: (payload: unknown) => T): T {
  try {
    return reading(JSON.parse(payload.toString('utf8')));
  } catch (failure) {
    if (!(failure instanceof BadPayload || failure instanceof SyntaxError)) throw failure;
    const reason = failure instanceof BadPayload ? failure.message : 'it is not JSON';
    throw new Refusal('malformed', `Failed to deserialize payload. Error: ${reason}`);
  }
}
