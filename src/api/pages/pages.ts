// Answers browsers with the pages: their files, the page itself at its addresses, and at those that do not exist.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { namesEtag } from '../../shape/json/etag.ts';
import { acceptedTypes } from '../http/headers/negotiate.ts';
import { FIRST_PAGE, isPageAddress, SHARED_WITH_API } from './addresses.ts';
import { formFor } from './encoding.ts';
import type { PageFile, PageFiles, ReadPageFiles } from './page-files.ts';

export interface PagesParts {
  /** Undefined: the server runs without. */
  readonly files: ReadPageFiles | undefined;
  readonly contextPath: string;
}

export interface PageRequest {
  readonly incoming: IncomingMessage;
  /** Without the context path. */
  readonly path: string;
  readonly requestId: string;
  /** Whether a route of the API has the address. */
  readonly isOfApi: boolean;
}

/**
 * Nothing runs that is not a file of this server, and nothing is loaded or sent elsewhere. `frame-src` is for artifacts, which have a sandbox
 * of their own; `base-uri` for the one `<base>` that says where links start.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
export const WITHOUT_PAGES =
  'This server runs without its pages: they are built by `npm start`, where the bundler exists for the platform. The API is complete, see /api/docs.\n';

const ASSETS = '/assets/';
const API = '/api';
const FOREVER = 'public, max-age=31536000, immutable';
const NO_SUCH_FILE = '{"message":"There is no such file."}';

// biome-ignore format: a name and its value on each line
const SAFETY: readonly string[] = [
  'Content-Security-Policy', PAGE_POLICY,
  'X-Content-Type-Options', 'nosniff',
  'X-Frame-Options', 'DENY',
  'Referrer-Policy', 'same-origin',
  'Cross-Origin-Opener-Policy', 'same-origin',
  'Cross-Origin-Resource-Policy', 'same-origin',
];

/** Returns the status it has answered with; undefined: the request is not for a page. Pages hold no data, so they need no login. */
export type ServePages = (request: PageRequest, response: ServerResponse) => number | Promise<number> | undefined;

/** Programs that log in by a header never get a page at an address of the API; they ask most often. */
export function mayBePage({ authorization }: IncomingHttpHeaders, isOfApi: boolean): boolean {
  return !isOfApi || authorization === undefined;
}

export function pagesOf({ files, contextPath }: PagesParts): ServePages {
  return (request, response) => {
    const { incoming, path } = request;
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return undefined;
    if (path.startsWith(ASSETS) && !request.isOfApi) return asset(request, response);
    if (!isForBrowser(request)) return undefined;
    if (!files)
      return !request.isOfApi && isPageAddress(path) ? text(request, response, 404, 'text/plain; charset=utf-8', WITHOUT_PAGES) : undefined;
    if (path === '/') return redirect(request, response, contextPath + FIRST_PAGE);
    return withFiles(files, ({ index }) =>
      file(request, response, { file: index, status: isPageAddress(path) ? 200 : 404, cacheControl: 'no-cache' }),
    );
  };

  function asset(request: PageRequest, response: ServerResponse): number | Promise<number> {
    return files ? withFiles(files, ({ assets }) => assetOf(assets, request, response)) : noSuchFile(request, response);
  }
}

function withFiles(files: ReadPageFiles, answer: (files: PageFiles) => number): number | Promise<number> {
  const read = files();
  return read instanceof Promise ? read.then(answer) : answer(read);
}

/** Only names that were there when the files were read, letter by letter: there is no way out of the folder. */
function assetOf(assets: PageFiles['assets'], request: PageRequest, response: ServerResponse): number {
  const found = assets.get(request.path.slice(ASSETS.length));
  return found ? file(request, response, { file: found, status: 200, cacheControl: FOREVER }) : noSuchFile(request, response);
}

function noSuchFile(request: PageRequest, response: ServerResponse): number {
  return text(request, response, 404, 'application/json; charset=utf-8', NO_SUCH_FILE);
}

/** Programs get JSON, also where they accept any media type. Below /api everybody does, also where nothing is: clients read no pages. */
function isForBrowser({ incoming: { headers }, path, isOfApi }: PageRequest): boolean {
  if (!isOfApi && (path === API || path.startsWith(`${API}/`))) return false;
  const { accept = '', authorization } = headers;
  if (!accept.includes('text/html') || !acceptedTypes(accept).accepted.includes('text/html')) return false;
  return !isOfApi || (SHARED_WITH_API.has(path) && authorization === undefined);
}

interface SentFile {
  readonly file: PageFile;
  readonly status: number;
  readonly cacheControl: string;
}

function file({ incoming, requestId }: PageRequest, response: ServerResponse, { file: sent, status, cacheControl }: SentFile): number {
  const { headers } = incoming;
  const { encoding, bytes, etag } = formFor(sent, headers['accept-encoding']);
  const known = headers['if-none-match'];
  const isKnown = status === 200 && known !== undefined && namesEtag(known, etag);
  const answer = [
    ...SAFETY,
    'Cache-Control',
    cacheControl,
    'ETag',
    `"${etag}"`,
    'Vary',
    'Accept, Accept-Encoding',
    'X-Request-Id',
    requestId,
  ];
  if (isKnown) {
    response.writeHead(304, answer);
    response.end();
    return 304;
  }
  if (encoding !== undefined) answer.push('Content-Encoding', encoding);
  answer.push('Content-Type', sent.type, 'Content-Length', String(bytes.length));
  response.writeHead(status, answer);
  response.end(incoming.method === 'HEAD' ? undefined : bytes);
  return status;
}

function redirect({ requestId }: PageRequest, response: ServerResponse, location: string): number {
  response.writeHead(302, [...SAFETY, 'Location', location, 'Cache-Control', 'no-cache', 'Vary', 'Accept', 'X-Request-Id', requestId]);
  response.end();
  return 302;
}

function text({ incoming, requestId }: PageRequest, response: ServerResponse, status: number, type: string, content: string): number {
  const length = String(Buffer.byteLength(content));
  const about = ['Cache-Control', 'no-store', 'Content-Type', type, 'Content-Length', length, 'Vary', 'Accept', 'X-Request-Id', requestId];
  response.writeHead(status, [...SAFETY, ...about]);
  response.end(incoming.method === 'HEAD' ? undefined : content);
  return status;
}
