// Listens for requests, over HTTP and, with a certificate, over HTTPS; stops without cutting off what runs.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string; readonly port: number } | undefined;
}

export interface Listening {
  readonly addresses: readonly string[];
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};
const MOST_HEADERS = 100;
const LONGEST_STOP_MS = 10_000;

export async function listen(handler: Handler, { host, port, tls }: ListenSettings): Promise<Listening> {
  const servers: { server: Server; scheme: string; port: number }[] = [{ server: createServer(LIMITS, handler), scheme: 'http', port }];
  if (tls) {
    const credentials = { cert: readFileSync(tls.cert), key: readFileSync(tls.key), minVersion: 'TLSv1.2' as const };
    servers.push({ server: createTlsServer({ ...LIMITS, ...credentials }, handler), scheme: 'https', port: tls.port });
  }
  const addresses: string[] = [];
  for (const { server, scheme, port: wanted } of servers) {
    server.maxHeadersCount = MOST_HEADERS;
    server.on('clientError', refuseUnreadable);
    await bind(server, host, wanted);
    addresses.push(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`);
  }
  return { addresses, stop: () => Promise.all(servers.map(({ server }) => stop(server))).then(() => {}) };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const taken =
        failure.code === 'EADDRINUSE' ? `Port ${port} on ${host} is already in use. Choose another with --port.` : failure.message;
      reject(new Error(`Cannot listen: ${taken}`));
    });
    server.listen(port, host, resolve);
  });
}

/** Finishes what runs, for at most ten seconds. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), LONGEST_STOP_MS);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const UNREADABLE: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** What is not HTTP never becomes a request; it still gets an answer in our form. */
function refuseUnreadable(failure: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || failure.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = UNREADABLE[failure.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
