// Refuses writes that a page of another site makes a browser send with the login of its user.
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../kit/refusal.ts';

export const CROSS_ORIGIN =
  'The header Origin names another site than this server, and pages of other sites may change nothing here. If it is this server behind a proxy, set the site URLs or --trust-proxy.';
export const CROSS_SITE = 'The header Sec-Fetch-Site says that a page of another site sends this, and such pages may change nothing here.';

const READS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The values of Sec-Fetch-Site for requests not made by another site: from pages of the same origin, or by the user directly. */
const OWN_SITE: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

interface BrowserRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Only browsers send these headers, and no page can write them. `ownAddress` is the server as the client sees it, `configuredUrls` are the
 * addresses that an administrator has given it. A page of a neighbour (`same-site`) is as foreign as any, unless it is one of those.
 */
export function refuseCrossSite(
  { method, headers }: BrowserRequest,
  ownAddress: () => string,
  configuredUrls: () => readonly string[],
): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if ((origin === undefined && site === undefined) || READS.has(method)) return;
  if (site === 'cross-site' || (origin === undefined && !OWN_SITE.has(site))) throw new Refusal('forbidden', CROSS_SITE);
  if (origin === undefined || isSameOrigin(origin, originOf(ownAddress())) || configuredUrls().some((url) => originOf(url) === origin))
    return;
  throw new Refusal('forbidden', CROSS_ORIGIN);
}

/** A proxy that the server does not know of may have terminated TLS; none can have added it. */
function isSameOrigin(origin: string, own: string): boolean {
  return origin === own || origin === own.replace(/^http:/, 'https:');
}

/** Scheme, host and port of an address, as browsers write them. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
