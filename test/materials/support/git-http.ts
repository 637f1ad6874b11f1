// A real git server over HTTP: `git http-backend` behind node:http, with basic authentication.
import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';

export interface GitHttpOptions {
  /** The folder whose repositories are served. */
  readonly root: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

export type GitHttp = WebServer;

export async function startGitHttp({ root, username, password, tls }: GitHttpOptions): Promise<GitHttp> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  const wanted = username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  return startWebServer((request, response) => {
    if (wanted === undefined || request.headers.authorization === wanted) serve(backend, root, request, response);
    else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('Who are you?');
  }, tls);
}

function serve(backend: string, root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url!, 'http://host');
  const child = spawn(backend, [], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'somebody',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', readHead);
    const headers = new Map(
      head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(/: */, 2) as [string, string]),
    );
    const status = Number.parseInt(headers.get('Status') ?? '200', 10);
    headers.delete('Status');
    response.writeHead(status, Object.fromEntries(headers));
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', readHead);
}
