// Requests to the API of the server. Paths begin with `/api/…`, without the context path.
import { addressOf, pathIn } from './address.ts';
import { ApiFailure, failureOf } from './failure.ts';

/** Proves that a write comes from our pages, not from another site. Given by the session. */
let csrfToken: string | null = null;
/** Settles when it is known who looks. Until then there is no token, and changes wait for it. */
let sessionKnown: Promise<unknown> = Promise.resolve();
let onSignedOut: () => void = () => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Changes wait for this. */
export function waitForSession(known: Promise<unknown>): void {
  sessionKnown = known;
}

/** What happens when the server no longer knows who is asking. */
export function whenSignedOut(action: () => void): void {
  onSignedOut = action;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The version of the answer: `application/vnd.svc.vN+json`. Without it, any type will do. */
  readonly version?: number;
  readonly body?: unknown;
  /** A body that is not JSON: a file, with its media type. */
  readonly file?: { readonly type: string; readonly text: string };
  /** Several files, instead of a body in JSON. */
  readonly form?: FormData;
  /** The ETag of what is replaced. */
  readonly ifMatch?: string;
  /** Why the configuration is changed, for the change log. */
  readonly reason?: string;
  /** Changes of others that touch other fields are merged instead of refused. */
  readonly isMerged?: boolean;
  readonly signal?: AbortSignal;
  /** Only these bytes: `bytes=100-`. */
  readonly range?: string;
}

export async function request(address: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, file, form, signal } = options;
  if (method !== 'GET') await sessionKnown;
  let response: Response;
  try {
    response = await fetch(addressOf(address), {
      method,
      headers: headersOf(options),
      body: form ?? file?.text ?? (body === undefined ? undefined : JSON.stringify(body)),
      credentials: 'same-origin',
      signal,
    });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new ApiFailure(0, 'The server cannot be reached.');
  }
  if (response.ok) return response;
  if (response.status === 401) onSignedOut();
  throw await failureOf(response);
}

function headersOf({ method = 'GET', version, body, file, form, ifMatch, reason, isMerged, range }: RequestOptions): Headers {
  const headers = new Headers({ 'X-Requested-With': 'XMLHttpRequest' });
  if (version !== undefined) headers.set('Accept', `application/vnd.svc.v${version}+json`);
  if (file !== undefined) headers.set('Content-Type', file.type);
  else if (body !== undefined) headers.set('Content-Type', 'application/json');
  else if (method !== 'GET' && form === undefined) headers.set('X-Svc-Confirm', 'true');
  if (range !== undefined) headers.set('Range', range);
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (reason !== undefined && reason.trim() !== '') headers.set('X-Svc-Reason', headerText(reason.trim()));
  if (isMerged === true) headers.set('Prefer', 'merge');
  if (method !== 'GET' && csrfToken !== null) headers.set('X-CSRF-Token', csrfToken);
  return headers;
}

/** Headers hold bytes: those of the text in UTF-8, in one line. */
function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text.replace(/\s+/g, ' ')));
}

/** The JSON of an answer. */
export async function getJson<T>(address: string, version: number, signal?: AbortSignal): Promise<T> {
  const response = await request(address, { version, signal });
  return (await response.json()) as T;
}

export interface Page<T> {
  readonly items: T;
  /** The address of the page behind this one. */
  readonly next: string | undefined;
}

/** A list whose next page is named in the header `Link`. */
export async function getPage<T>(address: string, signal?: AbortSignal): Promise<Page<T>> {
  const response = await request(address, { signal });
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  return { items: (await response.json()) as T, next: next === undefined ? undefined : pathIn(next) };
}

/** Sends a change and gives the JSON of its answer, if there is one. */
export async function send<T = { readonly message?: string }>(address: string, options: RequestOptions): Promise<T | undefined> {
  const response = await request(address, options);
  const text = await response.text();
  return text === '' ? undefined : (JSON.parse(text) as T);
}
