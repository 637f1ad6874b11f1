// A plain HTTP client over kept connections: the tests send tens of thousands of requests, and fetch takes as long for one as the server.
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Like that of fetch: names in any letter case. */
export interface HttpHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
}

export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true });

  async send(url: string, sent: HttpRequest): Promise<HttpReply> {
    const message = await this.#sendOnce(new URL(url), sent);
    return { status: message.statusCode!, headers: headersOf(message), text: await text(message) };
  }

  close(): void {
    this.#agent.destroy();
  }

  #sendOnce(url: URL, sent: HttpRequest): Promise<IncomingMessage> {
    const { hostname, port, pathname, search } = url;
    const { method } = sent;
    // As bytes: together with a text, Node would write the headers in UTF-8, too.
    const body = sent.body === undefined ? undefined : Buffer.from(sent.body);
    // Node says the length of its own accord only for methods that usually have a body.
    const headers = { ...(body && { 'Content-Length': body.length }), ...sent.headers };
    const options = { agent: this.#agent, hostname, port, path: pathname + search, method, headers };
    return new Promise((resolve, reject) => {
      const sending = request(options, resolve);
      // The server may close a kept connection while something is sent over it; then it has not seen the request.
      const isStale = ({ code }: NodeJS.ErrnoException) => sending.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
      sending.on('error', (failure) => (isStale(failure) ? resolve(this.#sendOnce(url, sent)) : reject(failure)));
      sending.end(body);
    });
  }
}

function headersOf({ headersDistinct }: IncomingMessage): HttpHeaders {
  const valuesOf = (name: string) => headersDistinct[name.toLowerCase()];
  return { get: (name) => valuesOf(name)?.join(', ') ?? null, has: (name) => valuesOf(name) !== undefined };
}
