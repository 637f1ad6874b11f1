// Requests to the server, over connections that are kept open.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

const REQUEST_TIMEOUT_MS = 60_000;
/** Answers are small; more is not from the server. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Request {
  readonly method: 'POST' | 'PUT';
  /** Behind the address of the server, which may have a path itself. */
  readonly path: string;
  readonly body: Buffer | object;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
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
  send({ method, path, body, timeoutMs = REQUEST_TIMEOUT_MS, signal }: Request): Promise<Answer> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const { protocol, hostname, port, pathname } = this.#base;
    const options: RequestOptions = {
      agent: this.#agent,
      method,
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: `${pathname.replace(/\/+$/, '')}${path}`,
      headers: {
        'Content-Type': bytes === body ? 'application/octet-stream' : 'application/json',
        'Content-Length': bytes.length,
        Accept: 'application/json',
        ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
      },
      timeout: timeoutMs,
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (protocol === 'https:' ? httpsRequest : httpRequest)(options, (response) => {
        answerOf(response).then(resolve, reject);
      });
      request.once('timeout', () => request.destroy(new Error(`The server did not answer within ${timeoutMs / 1000} s.`)));
      request.once('error', reject);
      request.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    if (length > MAX_ANSWER_BYTES) throw new Error('The answer of the server is too long.');
    chunks.push(chunk as Buffer);
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}

/** What the server says about a refusal, for a person. */
export function messageOf({ status, body }: Answer): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not from Slipway: its status says as much as there is to say.
  }
  return `The server answered with status ${status}.`;
}
