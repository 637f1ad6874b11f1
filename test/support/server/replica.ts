// One of several servers on a database: started, asked, killed, stopped and started again.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TcpProxy } from '../services/tcp-proxy.ts';
import { type ServerProcess, startAsItIs } from './server-process.ts';

interface Parts {
  readonly dataDir: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The proxy on the way to the database, if the server has one of its own. */
  readonly proxy: TcpProxy | undefined;
}

export interface ReplicaAsk {
  readonly body?: unknown;
  readonly etag?: string | undefined;
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReplicaReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
  readonly etag: string | undefined;
  readonly revision: number;
}

export class Replica {
  readonly dataDir: string;
  readonly proxy: TcpProxy | undefined;
  /** The Authorization header of requests, unless told otherwise. */
  as = '';
  readonly #parts: Parts;
  #agent = new Agent({ keepAlive: true });
  readonly #secureAgent = new SecureAgent({ rejectUnauthorized: false });
  #process: ServerProcess | undefined;
  #starting: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.dataDir = parts.dataDir;
    this.proxy = parts.proxy;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    assert.ok(!this.#isClosed);
    const { dataDir, flags, environment } = this.#parts;
    const starting = startAsItIs(dataDir, flags, 'secret', undefined, [], environment);
    this.#starting = starting.catch(() => undefined); // reported to the caller
    this.#process = await starting;
  }

  /** Ends the server for good, in any state. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting;
    await this.kill();
  }

  get isUp(): boolean {
    return this.#process !== undefined;
  }

  /** Whether the process has ended by itself. */
  get hasEnded(): boolean {
    return this.exitCode !== undefined;
  }

  /** The exit code of a process that has ended by itself. */
  get exitCode(): number | undefined {
    return this.#process?.child.exitCode ?? undefined;
  }

  /** The address of the server, by HTTPS if it has a certificate. */
  get url(): string {
    return this.#addresses.at(-1)!;
  }

  /** The address by HTTP, if that is not closed. */
  get plainUrl(): string {
    return this.#addresses[0]!;
  }

  get #addresses(): string[] {
    return /ready at (.*)/.exec(this.output)![1]!.split(' and ');
  }

  /** The output of its process. */
  get output(): string {
    return this.#process?.output() ?? '';
  }

  /** Ends the process as a power cut does. */
  async kill(): Promise<void> {
    const ended = this.#process;
    this.#process = undefined;
    await ended?.end('SIGKILL');
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
  }

  /** Makes the process hang until `resume`. */
  suspend(): void {
    this.#process!.child.kill('SIGSTOP');
  }

  resume(): void {
    this.#process!.child.kill('SIGCONT');
  }

  /** Sent once: a caller that gets no answer does not know whether the request was carried out. */
  async ask(method: string, path: string, { body, etag, as = this.as, headers = {} }: ReplicaAsk = {}): Promise<ReplicaReply> {
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const { promise, resolve, reject } = Promise.withResolvers<ReplicaReply>();
    const isSecure = this.url.startsWith('https:');
    const sending = (isSecure ? secureRequest : request)(
      this.url + path,
      {
        method,
        agent: isSecure ? this.#secureAgent : this.#agent,
        headers: {
          Accept: 'application/vnd.svc+json',
          Authorization: as,
          ...(sent && { 'Content-Type': 'application/json', 'Content-Length': sent.length }),
          ...(etag !== undefined && { 'If-Match': etag }),
          ...headers,
        },
      },
      (message) => text(message).then((answer) => resolve(replyOf(message.statusCode!, message.headers, answer)), reject),
    );
    sending.on('error', reject);
    sending.end(sent);
    return promise;
  }

  get = (path: string, ask?: ReplicaAsk) => this.ask('GET', path, ask);
  post = (path: string, body: unknown, ask?: ReplicaAsk) => this.ask('POST', path, { body, ...ask });
  patch = (path: string, body: unknown, ask?: ReplicaAsk) => this.ask('PATCH', path, { body, ...ask });
  put = (path: string, body: unknown, etag: string | undefined, ask?: ReplicaAsk) => this.ask('PUT', path, { body, etag, ...ask });
}

function replyOf(status: number, headers: ReplicaReply['headers'], answer: string): ReplicaReply {
  const isJson = answer !== '' && String(headers['content-type']).includes('json');
  return {
    status,
    headers,
    text: answer,
    json: isJson ? JSON.parse(answer) : undefined,
    etag: headers.etag as string | undefined,
    revision: Number(headers['x-svc-revision']),
  };
}
