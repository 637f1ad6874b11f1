// Requests to the server, over connections that are kept open.
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const REQUEST_TIMEOUT_MS = 60_000;
/** Answers are small; more is not from the server. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Where the server redirects to. */
  readonly location?: string | undefined;
}

export interface Target {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Behind the address of the server, which may have a path itself. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Time limit without any data from the server. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Request extends Target {
  readonly body?: Buffer | object;
}

export interface Upload extends Target {
  /** Of which a piece is used no more when the next one is asked for. */
  readonly body: AsyncIterable<Uint8Array>;
}

export class ServerClient {
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  #token: string | undefined;

  /** `certificate`: the one that the server has, as PEM. Without it authorities are trusted: the usual ones, and those of `NODE_EXTRA_CA_CERTS`. */
  constructor(address: string, certificate?: string) {
    this.#base = new URL(address);
    const pinned = certificate && { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
    this.#agent = this.#base.protocol === 'https:' ? new HttpsAgent({ keepAlive: true, ...pinned }) : new HttpAgent({ keepAlive: true });
  }

  /** Said with each request from now on. */
  set token(token: string | undefined) {
    this.#token = token;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Rejects when there is no answer. */
  async send(request: Request): Promise<Answer> {
    return answerOf(await this.open(request));
  }

  /** The answer before its content, which the caller reads to its end or destroys. */
  open({ body, headers, ...target }: Request): Promise<IncomingMessage> {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const type = bytes === body ? 'application/octet-stream' : 'application/json';
    const request = this.#request({
      ...target,
      headers: { ...(bytes && { 'Content-Type': type, 'Content-Length': bytes.length }), ...headers },
    });
    return new Promise((resolve, reject) => {
      request.once('response', resolve).on('error', reject);
      request.end(bytes);
    });
  }

  /** Sends the body piece by piece. The server may answer before it has all: then it wants no more of it. Ends after the body does. */
  async upload({ body, headers, ...target }: Upload): Promise<Answer> {
    const request = this.#request({ ...target, headers: { 'Content-Type': 'application/octet-stream', ...headers } });
    const written = writeAll(request, body);
    const answered = new Promise<Answer>((resolve, reject) => {
      request.once('response', (response) => answerOf(response).then(resolve, reject));
      request.on('error', reject);
      written.catch((failure) => {
        reject(failure);
        request.destroy();
      });
    });
    try {
      return await answered;
    } finally {
      if (!request.writableFinished) request.destroy();
      await written.catch(() => {}); // reported by the answer, or the lack of it
    }
  }

  #request({ method, path, headers, timeoutMs = REQUEST_TIMEOUT_MS, signal }: Target): ClientRequest {
    const { protocol, hostname, port, pathname } = this.#base;
    const options: RequestOptions = {
      agent: this.#agent,
      method,
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: `${pathname.replace(/\/+$/, '')}${path}`,
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
      },
      timeout: timeoutMs,
      signal,
    };
    const request = (protocol === 'https:' ? httpsRequest : httpRequest)(options);
    return request.once('timeout', () => request.destroy(new Error(`The server did not answer within ${timeoutMs / 1000} s.`)));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** No piece is asked for before the one before it has left. */
async function writeAll(request: ClientRequest, body: AsyncIterable<Uint8Array>): Promise<void> {
  // A connection that was never established forgets its pending writes.
  const closed = new Promise<void>((resolve) => request.once('close', resolve));
  for await (const piece of body) {
    if (request.destroyed) return;
    const written = new Promise<void>((resolve, reject) => request.write(piece, (failure) => (failure ? reject(failure) : resolve())));
    await Promise.race([written, closed]);
  }
  if (!request.destroyed) request.end();
}

export async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    if (length > MAX_ANSWER_BYTES) throw new Error('The answer of the server is too long.');
    chunks.push(chunk as Buffer);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), location: response.headers.location };
}

/** The message of a refusal by the server, for a person. */
export function messageOf(answer: Answer): string {
  return ownMessageOf(answer) ?? `The server answered with status ${answer.status}.`;
}

/** Undefined: the answer is not from Slipway, and its status says as much as there is to say. */
export function ownMessageOf({ body }: Pick<Answer, 'body'>): string | undefined {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
