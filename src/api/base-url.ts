// The address of this server as the client sees it; links start with it.
import type { IncomingMessage } from 'node:http';
import { firstOf } from './forwarded.ts';

export interface BaseUrlSettings {
  readonly contextPath: string;
  readonly trustProxy: boolean;
}

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const PORT = /^\d{1,5}$/;
const DEFAULT_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };
const MOST_REMEMBERED = 50;

export function baseUrls({ contextPath, trustProxy }: BaseUrlSettings): (request: IncomingMessage) => string {
  const known = new Map<string, string>();
  return (request) => {
    const isEncrypted = 'encrypted' in request.socket;
    if (trustProxy) {
      const { headers } = request;
      const scheme = firstOf(headers['x-forwarded-proto']) === 'https' || (isEncrypted && !headers['x-forwarded-proto']) ? 'https' : 'http';
      return compose(scheme, forwardedHost(headers) ?? headers.host, request);
    }
    const host = request.headers.host;
    const key = `${isEncrypted ? 's' : ''}${host ?? ''}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const base = compose(isEncrypted ? 'https' : 'http', host, request);
    if (known.size < MOST_REMEMBERED) known.set(key, base);
    return base;
  };

  function compose(scheme: string, host: string | undefined, { socket }: IncomingMessage): string {
    const named =
      host !== undefined && HOST.test(host)
        ? host
        : `${socket.localAddress?.includes(':') ? `[${socket.localAddress}]` : socket.localAddress}:${socket.localPort}`;
    const port = DEFAULT_PORT[scheme]!;
    return `${scheme}://${named.endsWith(port) ? named.slice(0, -port.length) : named}${contextPath}`;
  }
}

function forwardedHost(headers: IncomingMessage['headers']): string | undefined {
  const host = firstOf(headers['x-forwarded-host']);
  const port = firstOf(headers['x-forwarded-port']);
  if (host === undefined || host.includes(':') || port === undefined || !PORT.test(port)) return host;
  return `${host}:${port}`;
}
