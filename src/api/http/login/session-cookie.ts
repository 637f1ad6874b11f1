// The cookie that holds a browser session.
import type { IncomingHttpHeaders } from 'node:http';

const NAME = 'slipway_session';

/** Where a request came to: the context path, and the address as the client sees it. */
export interface CookieOrigin {
  readonly contextPath: string;
  readonly base: string;
}

/**
 * The session token in the cookie; several that differ: `ambiguous`, because a neighbour of this server may have set one of them. By HTTPS
 * only the cookie that no neighbour can set counts: with another one it could make users work in a session of its own.
 */
export function sessionTokenIn(header: string | undefined, { contextPath, base }: CookieOrigin): string | undefined {
  return cookieIn(header, hostName(contextPath)) ?? (base.startsWith('https:') ? undefined : cookieIn(header, NAME));
}

/** Browsers take such a cookie by HTTPS only, for the whole host; servers that share the host distinguish theirs by the context path. */
function hostName(contextPath: string): string {
  return `__Host-${NAME}${encodeURIComponent(contextPath)}`;
}

export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  let found: string | undefined;
  for (const part of header.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0 || part.slice(0, equals).trim() !== name) continue;
    const value = part.slice(equals + 1).trim();
    if (found !== undefined && found !== value) return AMBIGUOUS;
    found = value;
  }
  return found;
}

/** No token looks like this. */
export const AMBIGUOUS = 'ambiguous';

export interface CookieScope {
  readonly contextPath: string;
  readonly isSecure: boolean;
}

/** The cookie needs HTTPS if the request came by HTTPS, or if administrators have set an HTTPS address as the site URL. */
export function cookieScope(contextPath: string, base: string, siteUrl: string | undefined): CookieScope {
  return { contextPath, isSecure: base.startsWith('https:') || (siteUrl ?? '').startsWith('https:') };
}

/** It goes with the browser; the server decides how long it counts. An empty token takes it away. */
export function sessionCookie(token: string, { contextPath, isSecure }: CookieScope): string {
  const end = token === '' ? '; Max-Age=0' : '';
  if (isSecure) return `${hostName(contextPath)}=${token}; HttpOnly; SameSite=Lax; Path=/; Secure${end}`;
  return `${NAME}=${token}; HttpOnly; SameSite=Lax; Path=${contextPath || '/'}${end}`;
}

/** Modes in which scripts of pages send requests, as browsers say it. */
const MODES_OF_SCRIPTS: ReadonlySet<unknown> = new Set(['cors', 'same-origin']);

/** Whether a page of ours asks: it shows its own way to log in, and the browser must not ask for a password on its own. */
export function isOfPage(headers: IncomingHttpHeaders): boolean {
  return (
    headers.cookie?.includes(NAME) === true || headers['x-requested-with'] !== undefined || MODES_OF_SCRIPTS.has(headers['sec-fetch-mode'])
  );
}
