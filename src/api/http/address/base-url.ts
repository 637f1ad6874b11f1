// The address of this server as the client sees it; links start with it.
import type { IncomingMessage } from 'node:http';
import type { IncludesAddress } from '../../../kit/network/address-list.ts';
import { type ForwardedRequest, forwardedIn } from './forwarded.ts';

export interface BaseUrlSettings {
  readonly contextPath: string;
  /** Which addresses are trusted proxies; undefined: there are none. */
  readonly isTrustedProxy: IncludesAddress | undefined;
}

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const PORT = /^\d{1,5}$/;
const OWN_PORT = /:\d+$/;
const DEFAULT_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };
const MAX_REMEMBERED = 50;

export function baseUrls({ contextPath, isTrustedProxy }: BaseUrlSettings): (request: IncomingMessage) => string {
  const known = { http: new Map<string | undefined, string>(), https: new Map<string | undefined, string>() };
  return (request) => {
    const isEncrypted = 'encrypted' in request.socket;
    if (isTrustedProxy) {
      const forwarded = forwardedIn(request, isTrustedProxy);
      const proto = forwarded.proto?.toLowerCase() ?? (isEncrypted ? 'https' : 'http');
      return compose(proto === 'https' ? 'https' : 'http', clientHost(request.headers.host, forwarded), request);
    }
    const host = request.headers.host;
    const scheme = isEncrypted ? 'https' : 'http';
    const remembered = known[scheme].get(host);
    if (remembered !== undefined) return remembered;
    const base = compose(scheme, host, request);
    if (known[scheme].size < MAX_REMEMBERED) known[scheme].set(host, base);
    return base;
  };

  function compose(scheme: string, host: string | undefined, { socket }: IncomingMessage): string {
    const named =
      host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`)
        ? host
        : `${socket.localAddress?.includes(':') ? `[${socket.localAddress}]` : socket.localAddress}:${socket.localPort}`;
    const port = DEFAULT_PORT[scheme]!;
    return `${scheme}://${named.endsWith(port) ? named.slice(0, -port.length) : named}${contextPath}`;
  }
}

/** A port that the proxy reports separately replaces that of the host, unless the forwarded host includes one. */
function clientHost(own: string | undefined, { host, port }: ForwardedRequest): string | undefined {
  const named = host ?? own;
  if (named === undefined || port === undefined || !PORT.test(port) || (host && OWN_PORT.test(host))) return named;
  return `${named.replace(OWN_PORT, '')}:${port}`;
}
