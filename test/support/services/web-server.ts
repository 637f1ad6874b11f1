// A web server for a test, on a port of its own, that records its requests.
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type Answering = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface WebServer {
  readonly url: string;
  /** `GET /path`, in the order they came. */
  readonly requests: string[];
  stop(): Promise<void>;
}

export async function startWebServer(answer: Answering, tls?: { readonly key: string; readonly cert: string }): Promise<WebServer> {
  const requests: string[] = [];
  const listener: Answering = async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    try {
      await answer(request, response);
    } catch (failure) {
      response.writeHead(500).end(String(failure));
    }
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Serves the files of a directory, with the times they were changed. */
export function filesOf(directory: string): Answering {
  return async ({ url = '/', method, headers }, response) => {
    const path = join(directory, decodeURIComponent(new URL(url, 'http://x').pathname));
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return void response.writeHead(404).end();
    const time = found.mtime.toUTCString();
    if (headers['if-modified-since'] === time) return void response.writeHead(304).end();
    response.writeHead(200, { 'last-modified': time, 'content-length': found.size });
    response.end(method === 'HEAD' ? undefined : await readFile(path));
  };
}
