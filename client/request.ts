// What a request to the server looks like: its headers and its body.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly method?: Method;
  /** The version of the answer: `application/vnd.svc.vN+json`. Without it, any type will do. */
  readonly version?: number;
  readonly body?: unknown;
  /** A body that is not JSON: a file, with its media type. */
  readonly file?: { readonly type: string; readonly text: string };
  /** Several files, instead of a body in JSON. */
  readonly form?: FormData;
  /** The ETag of what is replaced. */
  readonly ifMatch?: string;
  /** Only if there is nothing yet. */
  readonly isNewOnly?: boolean;
  /** Why the configuration is changed, for the change log. */
  readonly reason?: string;
  /** Changes of others that touch other fields are merged instead of refused. */
  readonly isMerged?: boolean;
  readonly signal?: AbortSignal;
  /** Only these bytes: `bytes=100-`. */
  readonly range?: string;
  /** Others, of the one request that takes them. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PreparedRequest {
  readonly method: Method;
  readonly headers: Headers;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
}

export function prepareRequest(options: RequestOptions): PreparedRequest {
  const { method = 'GET', body, file, form, signal } = options;
  const sent = form ?? file?.text ?? (body === undefined ? undefined : JSON.stringify(body));
  return { method, headers: headersOf(options), body: sent, signal };
}

function headersOf(options: RequestOptions): Headers {
  const { method = 'GET', version, body, file, form, ifMatch, isNewOnly, reason, isMerged, range } = options;
  const headers = new Headers(options.headers);
  if (version !== undefined) headers.set('Accept', `application/vnd.svc.v${version}+json`);
  if (file !== undefined) headers.set('Content-Type', file.type);
  else if (body !== undefined) headers.set('Content-Type', 'application/json');
  // A write without a body says that it is meant: pages of other sites cannot send this header.
  else if (method !== 'GET' && form === undefined) headers.set('X-Svc-Confirm', 'true');
  if (range !== undefined) headers.set('Range', range);
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (isNewOnly === true) headers.set('If-None-Match', '*');
  if (reason !== undefined && reason.trim() !== '') headers.set('X-Svc-Reason', headerText(reason.trim()));
  if (isMerged === true) headers.set('Prefer', 'merge');
  return headers;
}

/** Headers hold bytes: those of the text in UTF-8, in one line. */
export function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text.replace(/\s+/g, ' ')));
}
