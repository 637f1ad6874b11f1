// Requests to providers of logins: to no forbidden address, without following redirects, bounded in time and size.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { LoginFailure } from '../../../../contracts/plugins/web-login.ts';
import { guardedConnection } from '../../../../kit/network/guarded-lookup.ts';
import { ForbiddenAddress, TRUSTED } from '../../../../kit/network/reach.ts';
import { trustTheSystem } from '../../../../kit/network/system-trust.ts';

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
const agents = { http: new HttpAgent(), https: undefined as HttpsAgent | undefined };

/** Only system administrators name providers, so they may be on this machine or in a private network, but at no link-local address. */
export async function providerFetch(address: string, { method = 'GET', headers = {}, body, signal }: ProviderRequest): Promise<Response> {
  const url = new URL(address);
  const deadline = AbortSignal.any([AbortSignal.timeout(MAX_ANSWER_MS), ...(signal ? [signal] : [])]);
  try {
    const answer = await send(url, { method, headers, body, signal: deadline });
    const content = await bounded(answer, url);
    const status = answer.statusCode!;
    return new Response(WITHOUT_BODY.has(status) ? null : content, { status, headers: singleHeaders(answer) });
  } catch (failure) {
    throw loginFailureOf(failure, url, deadline);
  }
}

function send(url: URL, { method, headers, body, signal }: ProviderRequest): Promise<IncomingMessage> {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const options = {
    method: method!,
    headers: { 'user-agent': 'Slipway', ...headers, ...(bytes && { 'content-length': String(bytes.length) }) },
    signal: signal!,
    ...guardedConnection(url.hostname, TRUSTED),
  };
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: tlsAgent() })
        : httpRequest(url, { ...options, agent: agents.http });
    sent.once('error', reject);
    sent.once('response', resolve);
    sent.end(bytes);
  });
}

function tlsAgent(): HttpsAgent {
  agents.https ??= new HttpsAgent({ secureContext: trustTheSystem() });
  return agents.https;
}

async function bounded(answer: IncomingMessage, url: URL): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) {
      answer.destroy();
      throw new LoginFailure('invalid', `${shown(url)} answers with more than ${MAX_ANSWER_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
  if (failure instanceof ForbiddenAddress) return new LoginFailure('invalid', failure.message);
  if (deadline.aborted) return new LoginFailure('away', `${shown(url)} did not answer within ${MAX_ANSWER_MS / 1000} seconds.`);
  const { code = 'the connection failed' } = failure as NodeJS.ErrnoException;
  return new LoginFailure('away', `${shown(url)} cannot be reached: ${code}.`);
}
