// Requests to providers of logins: to no forbidden address, without following redirects, bounded in time and size.
import type { IncomingMessage } from 'node:http';
import { LoginFailure } from '../../../../contracts/plugins/web-login.ts';
import { deadlineAfter, noAnswerOf, readBody, sendGuarded } from '../../../../kit/network/guarded-request.ts';
import { TRUSTED } from '../../../../kit/network/reach.ts';

export interface ProviderRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Only system administrators name providers, so they may be on this machine or in a private network, but at no link-local address. */
export async function providerFetch(address: string, { method = 'GET', headers = {}, body, signal }: ProviderRequest): Promise<Response> {
  const url = new URL(address);
  const deadline = deadlineAfter(MAX_ANSWER_MS, signal);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  try {
    const answer = await sendGuarded(url, {
      method,
      headers: { 'user-agent': 'Slipway', ...headers, ...(bytes && { 'content-length': String(bytes.length) }) },
      body: bytes,
      signal: deadline,
      networkPolicy: TRUSTED,
    });
    const tooLarge = () => new LoginFailure('invalid', `${shown(url)} answers with more than ${MAX_ANSWER_BYTES} bytes.`);
    const content = await readBody(answer, { maxBytes: MAX_ANSWER_BYTES, tooLarge });
    const status = answer.statusCode!;
    return new Response(WITHOUT_BODY.has(status) ? null : content, { status, headers: singleHeaders(answer) });
  } catch (failure) {
    throw loginFailureOf(failure, url, deadline);
  }
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

/** Never with a query: it may hold a code. */
export function shown({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Only the code of Node: nothing of the request or the answer is repeated. */
function loginFailureOf(failure: unknown, url: URL, deadline: AbortSignal): LoginFailure {
  if (failure instanceof LoginFailure) return failure;
  const none = noAnswerOf(failure, deadline);
  if (none.reason === 'forbidden') return new LoginFailure('invalid', none.message);
  if (none.reason !== 'connection') return new LoginFailure('away', `${shown(url)} did not answer within ${MAX_ANSWER_MS / 1000} seconds.`);
  return new LoginFailure('away', `${shown(url)} cannot be reached: ${none.code ?? 'the connection failed'}.`);
}
