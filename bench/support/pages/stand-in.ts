// Stands in for a server where a real one would take too long to fill: the built pages, and behind them just the answers they ask for.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** JSON or bytes; undefined: there is nothing. */
export type Answers = (address: string) => object | Buffer | undefined;

const pages = join(import.meta.dirname, '..', '..', '..', 'build', 'pages');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const SESSION = {
  login_name: 'admin',
  display_name: 'admin',
  is_admin: true,
  anonymous: false,
  csrf_token: 'x',
  server: { version: 'bench' },
};
const DEFAULT_ANSWERS: Readonly<Record<string, object>> = {
  '/api/session': SESSION,
  '/api/server_health_messages': [],
  '/api/dashboard/views': { filters: [] },
};

export class StandIn {
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  #events = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answers: Answers): Promise<StandIn> {
    const server = createServer((request, response) => standIn.#answer(answers, request, response));
    const standIn = new StandIn(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sends changes to all pages that listen. */
  send(kind: string, notices: readonly object[]): void {
    const text = notices.map((notice) => `id: 1-${++this.#events}\nevent: ${kind}\ndata: ${JSON.stringify(notice)}\n\n`).join('');
    for (const stream of this.#streams) stream.write(text);
  }

  #answer(answers: Answers, request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const content = DEFAULT_ANSWERS[pathname] ?? answers(request.url ?? '/');
    if (pathname === '/api/live') this.#listen(response);
    else if (pathname.startsWith('/assets/')) send(response, readFileSync(join(pages, pathname)), TYPES[extname(pathname)] ?? 'text/plain');
    else if (content instanceof Buffer) send(response, content, 'text/plain');
    else if (content !== undefined) send(response, Buffer.from(JSON.stringify(content)), 'application/json');
    else if (pathname.startsWith('/api/')) response.writeHead(404).end('{"message":"There is no such thing."}');
    else send(response, Buffer.from(readFileSync(join(pages, 'index.html'), 'utf8').replaceAll('__BASE__', '/')), 'text/html');
  }

  #listen(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('id: 1-0\nevent: ready\ndata: {}\n\n');
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
  }
}

function send(response: ServerResponse, bytes: Buffer, type: string): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': 'no-store' });
  response.end(bytes);
}
