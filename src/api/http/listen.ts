// Listens for requests, over HTTP and, with a certificate, over HTTPS; stops without cutting off running requests.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { maxOpenFiles, shareOf } from '../../kit/process/open-files.ts';
import { httpsAddress, type RedirectParts } from './address/https-redirect.ts';
import { hostProblem, pathAndQuery } from './address/request-host.ts';
import { isLong } from './body/long-bodies.ts';
import { Pipelining } from './pipelining.ts';
import { endAfterBody, MAX_LINGERING_MS } from './reply.ts';
import { closeStalledConnections } from './stalled-connections.ts';

/** The handling of plain HTTP when there is a certificate. */
export type PlainHttp = 'redirect' | 'closed' | 'open';

export interface ListenSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string; readonly port: number; readonly plain: PlainHttp } | undefined;
  readonly contextPath: string;
}

export interface ListeningServer {
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
  requireHostHeader: false, // Node's own answer to a missing one has no body
  optimizeEmptyRequests: true, // a request without a body is no stream: most are, and a stream costs more than the answer
};
const MAX_HEADERS = 100;
const STRICT_TRANSPORT_SECONDS = 31_536_000;
const MAX_STOP_MS = 10_000;
const IDLE_SWEEP_MS = 50;

export async function listen(
  handler: Handler,
  { host, port, tls, contextPath }: ListenSettings,
  parts: Pick<RedirectParts, 'baseOf' | 'configuredUrls' | 'isForwarded'>,
  limits: ServerOptions = LIMITS,
): Promise<ListeningServer> {
  const secure = tls && httpsListener(tls, tls.plain === 'open' ? handler : withStrictTransport(handler));
  const redirects = secure && tls.plain === 'redirect' && { ...parts, ...secure, contextPath };
  const plain = tls?.plain === 'closed' ? undefined : httpListener(port, redirects ? redirecting(handler, redirects) : handler, limits);
  const listeners = [plain, secure].filter((listener) => listener !== undefined);
  const stopAll = () => Promise.all(listeners.map(({ server }) => stop(server))).then(() => {});
  try {
    for (const listener of listeners) await bind(listener, host);
  } catch (failure) {
    await stopAll();
    throw failure;
  }
  const named = host.includes(':') ? `[${host}]` : host;
  return { addresses: listeners.map(({ server, scheme }) => `${scheme}://${named}:${portOf(server)}`), stop: stopAll };
}

interface Listener {
  readonly server: Server;
  readonly scheme: string;
  readonly port: number;
  readonly flag: string;
}

function httpListener(port: number, handler: Handler, limits: ServerOptions): Listener {
  return { server: serving(createServer(limits), handler), scheme: 'http', port, flag: '--port' };
}

function httpsListener(
  tls: NonNullable<ListenSettings['tls']>,
  handler: Handler,
): Listener & Pick<RedirectParts, 'certificate' | 'tlsPort'> {
  const credentials = credentialsOf(tls);
  const server = serving(createTlsServer({ ...LIMITS, ...credentials }), handler);
  const certificate = new X509Certificate(credentials.cert);
  return { server, scheme: 'https', port: tls.port, flag: '--tls-port', certificate, tlsPort: () => portOf(server) };
}

function serving(server: Server, handler: Handler): Server {
  const pipelining = new Pipelining();
  const serve: Handler = (request, response) => {
    // It has no socket as long as answers before it are not out.
    if (response.socket === null && !pipelining.queue(request.socket, response)) return;
    const problem = hostProblem(request);
    if (problem !== undefined) return refuse(request, response, 400, problem);
    request.url = pathAndQuery(request.url!);
    handler(request, response);
  };
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = shareOf(maxOpenFiles()).connections;
  closeStalledConnections(server);
  server.on('request', serve);
  // The handler says when the body is wanted: without this Node would say so at once.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, 417, 'This server does not support what the header Expect asks for.'),
  );
  server.on('clientError', refuseUnreadable);
  return server;
}

/** Browsers use HTTPS from then on, even for links with http. */
function withStrictTransport(handler: Handler): Handler {
  return (request, response) => {
    response.setHeader('Strict-Transport-Security', `max-age=${STRICT_TRANSPORT_SECONDS}`);
    handler(request, response);
  };
}

/** 308 keeps method and body. It is not cached: the setting may be changed. */
function redirecting(handler: Handler, parts: RedirectParts): Handler {
  return (request, response) => {
    const location = httpsAddress(request, parts);
    if (location === undefined) return handler(request, response);
    const headers = { Location: location, 'Cache-Control': 'no-store' };
    refuse(request, response, 308, 'This server is reached by HTTPS. The header Location has the address.', headers);
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function credentialsOf({ cert, key }: { readonly cert: string; readonly key: string }) {
  const credentials = { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' as const };
  try {
    createSecureContext(credentials);
  } catch (failure) {
    throw new Error(`${cert} and ${key} are not a certificate and its private key in PEM form: ${(failure as Error).message}`);
  }
  return credentials;
}

function bind({ server, port, flag }: Listener, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const taken =
        failure.code === 'EADDRINUSE' ? `Port ${port} on ${host} is already in use. Choose another with ${flag}.` : failure.message;
      reject(new Error(`Cannot listen: ${taken}`));
    });
    server.listen(port, host, resolve);
  });
}

/** Finishes running requests, for at most ten seconds. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = setTimeout(() => server.closeAllConnections(), MAX_STOP_MS);
    // A connection falls idle when its last answer is out; the client would keep it open.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(stopTimer);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string, more: OutgoingHttpHeaders = {}): void {
  const body = JSON.stringify({ message });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    Connection: 'close',
    ...more,
  });
  endAfterBody(request, response, body);
}

const TOOK_TOO_LONG = 'ERR_HTTP_REQUEST_TIMEOUT';
const UNREADABLE: Readonly<Record<string, [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  [TOOK_TOO_LONG]: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Input that is not HTTP never becomes a request; it still gets an answer in our form. */
function refuseUnreadable(failure: NodeJS.ErrnoException, socket: Socket): void {
  if (failure.code === TOOK_TOO_LONG && isLong(socket)) return;
  if (socket.writableEnded) return; // answered already; further input of the client is as unreadable
  if (!socket.writable || failure.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = UNREADABLE[failure.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), MAX_LINGERING_MS).unref();
}
