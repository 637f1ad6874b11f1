// One POST to a receiver: to no forbidden address, without following redirects, and for a bounded time.
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { deadlineAfter, sendGuarded } from '../../kit/network/guarded-request.ts';
import { ForbiddenAddress, type NetworkPolicy } from '../../kit/network/reach.ts';
import { tracedCall } from '../../kit/telemetry/scope.ts';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

export interface PostOutcome {
  /** undefined: there was no answer. */
  readonly status: number | undefined;
  /** Why it does not count as delivered, in words. */
  readonly error: string | undefined;
  readonly milliseconds: number;
}

export interface PosterParts {
  readonly networkPolicy: NetworkPolicy;
  readonly timeoutMs?: number;
}

const MAX_ANSWER_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const IDLE_CONNECTION_MS = 4000;
const MAX_IDLE_CONNECTIONS = 4;

export class Poster {
  readonly #networkPolicy: NetworkPolicy;
  readonly #timeoutMs: number;
  readonly #agents: Readonly<Record<string, HttpAgent>>;

  constructor({ networkPolicy, timeoutMs = MAX_ANSWER_MS }: PosterParts) {
    this.#networkPolicy = networkPolicy;
    this.#timeoutMs = timeoutMs;
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, timeout: IDLE_CONNECTION_MS };
    this.#agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  }

  /** Rejects only when the signal ends it. */
  async post(post: Post): Promise<PostOutcome> {
    const startedAt = performance.now();
    const outcome = (status: number | undefined, error: string | undefined) => ({
      status,
      error,
      milliseconds: Math.round(performance.now() - startedAt),
    });
    try {
      const attributes = { 'http.request.method': 'POST', 'server.address': post.url.hostname };
      const status = await tracedCall(
        'POST',
        attributes,
        (trace) => this.#send({ ...post, headers: { ...post.headers, ...trace } }),
        (answered) => answered,
      );
      return outcome(status, status >= 200 && status < 300 ? undefined : refusalText(status));
    } catch (failure) {
      post.signal.throwIfAborted();
      return outcome(undefined, failureText(failure as NodeJS.ErrnoException, this.#timeoutMs));
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send(post: Post): Promise<number> {
    const signal = deadlineAfter(this.#timeoutMs, post.signal);
    try {
      return await this.#sendOnce(post, signal);
    } catch (failure) {
      // The receiver has closed a connection that we had kept: that says nothing of it.
      if (!(failure instanceof LostConnection)) throw failure;
      return this.#sendOnce(post, signal);
    }
  }

  async #sendOnce({ url, headers, body }: Post, signal: AbortSignal): Promise<number> {
    let request: ClientRequest | undefined;
    try {
      const response = await sendGuarded(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(body.length) },
        body,
        signal,
        networkPolicy: this.#networkPolicy,
        agent: this.#agents[url.protocol],
        onRequest: (sent) => {
          request = sent;
        },
      });
      drain(response);
      return response.statusCode!;
    } catch (failure) {
      throw request?.reusedSocket && (failure as NodeJS.ErrnoException).code === 'ECONNRESET' ? new LostConnection() : failure;
    }
  }
}

class LostConnection extends Error {}

/** The rest of an answer is of no interest; it is read so that the connection can be used again, unless there is much of it. */
function drain(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => {}); // the answer counted already
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
}

function refusalText(status: number): string {
  const redirect = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return `The receiver answered with status ${status}.${redirect}`;
}

function failureText(failure: NodeJS.ErrnoException, timeoutMs: number): string {
  if (failure instanceof ForbiddenAddress) return failure.message;
  if (failure.name === 'TimeoutError' || failure.name === 'AbortError') return `There was no answer within ${timeoutMs / 1000} seconds.`;
  return failure.message || failure.code || 'The connection failed.';
}
