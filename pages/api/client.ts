// Requests to the API of the server. Paths begin with `/api/…`, without the context path.
import { prepareRequest, type RequestOptions } from '../../client/request.ts';
import { addressOf, pathIn } from './address.ts';
import { ApiFailure, failureOf } from './failure.ts';

export { headerText, type RequestOptions } from '../../client/request.ts';

/** Proves that a write comes from our pages, not from another site. Given by the session. */
let csrfToken: string | null = null;
/** Settles when the session is known. Until then there is no token, and changes wait for it. */
let sessionKnown: Promise<unknown> = Promise.resolve();
let onSignedOut: () => void = () => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Changes wait for this. */
export function waitForSession(known: Promise<unknown>): void {
  sessionKnown = known;
}

/** Sets the action for the time when the server no longer accepts the session. */
export function whenSignedOut(action: () => void): void {
  onSignedOut = action;
}

export async function request(address: string, options: RequestOptions = {}): Promise<Response> {
  const ours = prepareRequest(options);
  if (ours.method !== 'GET') {
    await sessionKnown;
    if (csrfToken !== null) ours.headers.set('X-CSRF-Token', csrfToken);
  }
  ours.headers.set('X-Requested-With', 'XMLHttpRequest');
  let response: Response;
  try {
    response = await fetch(addressOf(address), { ...ours, credentials: 'same-origin' });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new ApiFailure(0, 'The server cannot be reached.');
  }
  if (response.ok) return response;
  if (response.status === 401) onSignedOut();
  throw await failureOf(response);
}

/** The JSON of an answer. */
export async function getJson<T>(address: string, version: number, signal?: AbortSignal): Promise<T> {
  const response = await request(address, { version, signal });
  return (await response.json()) as T;
}

export interface Page<T> {
  readonly items: T;
  /** The address of the page after this one. */
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
