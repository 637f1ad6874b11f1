// Where a browser is led that opens a document of ours without a session: to the login, and from there back.
import type { IncomingMessage } from 'node:http';
import type { Answer } from '../engine/route.ts';
import { isNavigation } from '../http/navigation.ts';

/** Documents that people open directly, by a link or a bookmark. All other addresses are requested by programs and by the pages. */
const DOCUMENTS = /^\/(?:files\/.|api\/docs(?:\/|$))/;

/**
 * Undefined: the client gets the refusal as usual. `path` is without the context path, and only it and the query are handed on, never
 * a host: the login leads to no other server.
 */
export function loginAddress({ method, headers, url = '' }: IncomingMessage, path: string, contextPath: string): string | undefined {
  if (method !== 'GET' || headers.authorization !== undefined || headers['x-requested-with'] !== undefined) return undefined;
  if (!DOCUMENTS.test(path) || !isNavigation(headers.accept, headers['sec-fetch-dest'])) return undefined;
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark);
  return `${contextPath}/auth/login?from=${encodeURIComponent(path + query)}`;
}

/** Clients must not cache it: after the login the same address has another answer. */
export function redirectToLogin(location: string): Answer {
  return { status: 302, text: '', bytes: 0, headers: ['Location', location], cacheControl: 'no-store' };
}
