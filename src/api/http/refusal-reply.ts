// The HTTP answer to a request that was refused or failed: its status, headers and body.
import type { OutcomeUnknown } from '../../kit/outcome-unknown.ts';
import type { Refusal, RefusalKind } from '../../kit/refusal.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { type Answer, jsonAnswer } from '../engine/route.ts';

const STATUS: Readonly<Record<RefusalKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  unsupportedAccept: 404,
  malformed: 400,
  unconfirmed: 400,
  unsupportedContent: 415,
  stale: 412,
  conflict: 409,
  gone: 410,
  invalid: 422,
  tooLarge: 413,
  tooMany: 429,
  unavailable: 503,
  insufficientStorage: 507,
};

/** `isOfPage`: a page asks for the password itself, and the browser must not. */
export function refusalAnswer(refusal: Refusal, isOfPage = false): Answer {
  const { kind, details } = refusal;
  const headers = [...(details.headers ?? [])];
  if (kind === 'unauthenticated' && !isOfPage) headers.push('WWW-Authenticate', 'Basic realm="Slipway"');
  if (details.retryAfter !== undefined) headers.push('Retry-After', String(details.retryAfter));
  return jsonAnswer(refusalBody(refusal), { status: STATUS[kind], headers });
}

export function refusalBody({ message, details: { more, data } }: Refusal): JsonObject {
  // All floors refuse, also those that do not know the type of JSON.
  return { message, ...more, ...(data !== undefined && { data }) } as JsonObject;
}

/** Neither a refusal nor an acknowledgement; no proxy and no client should take it for one and send a change again. */
export function unknownOutcomeAnswer({ message }: OutcomeUnknown): Answer {
  return jsonAnswer({ message }, { status: 504 });
}

export const FAULT: Answer = jsonAnswer(
  { message: 'The server failed to handle this request. Its log has the details under the id in the header X-Request-Id.' },
  { status: 500 },
);
