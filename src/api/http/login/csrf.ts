// Refuses writes with the cookie of a session that no page of this server has made.
import type { IncomingMessage } from 'node:http';
import { csrfTokenOf } from '../../../access/sessions/session.ts';
import { isEqualTimingSafe } from '../../../kit/bytes/timing-safe-equal.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { confirmations, isJsonType } from '../body/body.ts';
import { CROSS_SITE } from '../cross-site.ts';

export const NO_CSRF_TOKEN =
  'A change with the cookie of a session needs the header X-CSRF-Token with the `csrf_token` of GET /api/session; or the header Origin of this server, with a JSON body or the header X-Svc-Confirm. Programs send a password or an access token instead.';

const READS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** In addition to the checks of every write (`cross-site.ts`): a browser that sends Sec-Fetch-Site must send `same-origin`. */
export function refuseForgery({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>, token: string): void {
  if (READS.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new Refusal('forbidden', CROSS_SITE);
  const sent = headers['x-csrf-token'];
  if (sent === undefined && isFromOwnPage(headers)) return;
  if (typeof sent !== 'string' || !isEqualTimingSafe(sent, csrfTokenOf(token)))
    throw new Refusal('forbidden', NO_CSRF_TOKEN, { more: { reason: 'csrf_token' } });
}

/** No page can write these headers, and no form can send such a body. That the origin is ours was looked at before. */
function isFromOwnPage(headers: IncomingMessage['headers']): boolean {
  const isProven = headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined;
  return isProven && (isJsonType(headers['content-type']) || confirmations((name) => headers[name]).length > 0);
}
