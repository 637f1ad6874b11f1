// The host a request is meant for: it must be named once, so that a proxy in front and this server cannot understand different ones.
import type { IncomingMessage } from 'node:http';

type HostedRequest = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion' | 'url'>;

const HOST = 'host';
/** As most clients write it. */
const USUAL_HOST = 'Host';
/** A request line with the whole address in it, as clients send it to proxies. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** The problem with the host of a request; undefined: none. */
export function hostProblem({ headers, rawHeaders, httpVersion, url = '' }: HostedRequest): string | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
  if (timesNamed(rawHeaders) > 1) return 'The request has more than one Host header.';
  if (url.startsWith('/')) return undefined;
  const authority = ABSOLUTE.exec(url)?.[1];
  if (authority === undefined || authority.toLowerCase() === headers.host.toLowerCase()) return undefined;
  return 'The request line names another host than the Host header.';
}

/** The path and query of a request, also of one that has the whole address in its first line. */
export function pathAndQuery(url: string): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(ABSOLUTE, '');
  return path === url || path.startsWith('/') ? path : `/${path}`;
}

/** Node shows the first of several only; names and values take turns here. */
function timesNamed(rawHeaders: readonly string[]): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === HOST.length && (name === USUAL_HOST || name.toLowerCase() === HOST)) times++;
  }
  return times;
}
