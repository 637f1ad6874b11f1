// HTTP requests to servers that users have named: to no forbidden address, without following redirects, bounded in time and size.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { SecureContext } from 'node:tls';
import { guardedConnection } from './guarded-lookup.ts';
import { ForbiddenAddress, type NetworkPolicy } from './reach.ts';
import { trustTheSystem } from './system-trust.ts';

export interface GuardedRequest {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer | undefined;
  /** Instead of the one in the address. */
  readonly path?: string;
  readonly networkPolicy: NetworkPolicy;
  /** A socket of this machine, which is no address that could be forbidden. */
  readonly socketPath?: string | undefined;
  /** Ends the request, and the answer that is being read. */
  readonly signal: AbortSignal;
  /** How long the connection may be silent before `timeout` is emitted on the request. */
  readonly timeout?: number;
  /** Instead of trust in the authorities of the system; used with `https:` only. */
  readonly secureContext?: () => SecureContext;
  /** That keeps connections; absent: each request has its own, for the other side may have closed a kept one. */
  readonly agent?: HttpAgent | undefined;
  /** Before anything is sent. */
  readonly onRequest?: (request: ClientRequest) => void;
}

/** Why there was no answer. Messages of Node are left out where they could repeat the request or the answer. */
export type NoAnswer =
  | { readonly reason: 'forbidden'; readonly message: string }
  | { readonly reason: 'timeout' | 'aborted' }
  | { readonly reason: 'connection'; readonly code: string | undefined };

export interface ByteLimit {
  readonly maxBytes: number;
  readonly tooLarge: () => Error;
  readonly onChunk?: () => void;
}

const agents = { http: new HttpAgent(), https: undefined as HttpsAgent | undefined };

/** Resolves when the answer begins. */
export function sendGuarded(url: URL, request: GuardedRequest): Promise<IncomingMessage> {
  const { body, networkPolicy, socketPath, secureContext, agent, onRequest, ...options } = request;
  const isSecure = socketPath === undefined && url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const connection = socketPath === undefined ? guardedConnection(url.hostname, networkPolicy) : { socketPath };
    const sent = isSecure
      ? httpsRequest(url, { ...options, ...connection, agent: agent ?? tlsAgent(secureContext) })
      : httpRequest(url, { ...options, ...connection, agent: agent ?? agents.http });
    onRequest?.(sent);
    sent.once('error', reject);
    sent.once('response', resolve);
    sent.end(body);
  });
}

/** Sessions are shared only between connections that trust the same. */
function tlsAgent(secureContext: GuardedRequest['secureContext']): HttpsAgent {
  if (secureContext) return new HttpsAgent({ secureContext: secureContext() });
  agents.https ??= new HttpsAgent({ secureContext: trustTheSystem() });
  return agents.https;
}

export function deadlineAfter(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

export function noAnswerOf(failure: unknown, deadline: AbortSignal): NoAnswer {
  if (failure instanceof ForbiddenAddress) return { reason: 'forbidden', message: failure.message };
  if (!deadline.aborted) return { reason: 'connection', code: (failure as NodeJS.ErrnoException).code };
  return { reason: (deadline.reason as Error | undefined)?.name === 'TimeoutError' ? 'timeout' : 'aborted' };
}

/** Fails when there is more. A stream that it reads is destroyed then. */
export async function* limitBytes<Chunk extends Buffer>(
  chunks: AsyncIterable<Chunk>,
  { maxBytes, tooLarge, onChunk }: ByteLimit,
): AsyncGenerator<Chunk> {
  let bytes = 0;
  for await (const chunk of chunks) {
    onChunk?.();
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    yield chunk;
  }
}

export async function readBody(answer: IncomingMessage, limit: ByteLimit): Promise<Buffer<ArrayBuffer>> {
  return Buffer.concat(await Array.fromAsync(limitBytes<Buffer<ArrayBuffer>>(answer, limit)));
}
