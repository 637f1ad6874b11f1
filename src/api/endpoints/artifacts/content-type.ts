// The content type of a file, and the headers that keep it from acting as a page of this server.

const TEXT = 'text/plain; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jar: 'application/java-archive',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  log: TEXT,
  map: 'application/json; charset=utf-8',
  md: TEXT,
  mjs: 'text/javascript; charset=utf-8',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  properties: TEXT,
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  txt: TEXT,
  wasm: 'application/wasm',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
  yaml: TEXT,
  yml: TEXT,
  zip: 'application/zip',
};
const UNKNOWN = 'application/octet-stream';

export function contentTypeOf(path: string): string {
  const [, ending = ''] = /\.([^./]+)$/.exec(path) ?? [];
  const known = ending.toLowerCase();
  return Object.hasOwn(TYPES, known) ? TYPES[known]! : UNKNOWN;
}

/**
 * Builds decide the content of the file, so it is not trusted. As a page it belongs to no origin, and so has none of the rights of the
 * user who opens it: its scripts run, because reports need them, but they can neither send requests to the server nor submit forms.
 */
export const SANDBOX = [
  'sandbox allow-scripts allow-popups',
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
  "connect-src 'none'",
  "form-action 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

const RUN_AS: ReadonlySet<unknown> = new Set(['script', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet']);
export const NO_SCRIPT = 'Files of jobs do not run as scripts of the pages of this server.';

/** The policy of our pages trusts this server's scripts, and files of jobs have the same origin. Pages among the files have none. */
export function isScriptOfPage(purpose: string | undefined, site: string | undefined): boolean {
  return site === 'same-origin' && RUN_AS.has(purpose);
}

/** Shown where it can be shown, and saved by its own name. */
export function dispositionOf(path: string, how: 'inline' | 'attachment'): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${how}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
