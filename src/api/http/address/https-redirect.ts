// Where a request over plain HTTP is sent, on a server that wants HTTPS.
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export interface RedirectParts {
  /** The address of the server as the client sees it: by `https` when a trusted proxy takes the encryption off. */
  readonly baseOf: (request: IncomingMessage) => string;
  readonly configuredUrls: () => readonly string[];
  /** Whether another server has sent it on; its client has asked that server as it should. */
  readonly isForwarded?: (request: IncomingMessage) => boolean;
  readonly contextPath: string;
  readonly certificate: X509Certificate;
  readonly tlsPort: () => number;
}

/** Load balancers ask these, and many of them neither follow redirects nor know the certificate. They reveal no secret and need no login. */
const SERVED = ['/api/v1/health', '/api/v1/ready'];
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const NAME_IN_CERTIFICATE = /DNS:([a-z0-9.-]+)(?:,|$)/i;
const HTTPS_PORT = 443;

/** Undefined: the request is served as it is. */
export function httpsAddress(request: IncomingMessage, parts: RedirectParts): string | undefined {
  if (parts.isForwarded?.(request) || parts.baseOf(request).startsWith('https:')) return undefined;
  const target = request.url!.startsWith('/') ? request.url! : '/';
  const [path = ''] = target.split('?', 1);
  if (SERVED.some((one) => path === parts.contextPath + one)) return undefined;
  return originFor(request, parts) + target;
}

/** Clients can send any Host header, so it is repeated only where it is known to name this server. */
function originFor({ headers, socket }: IncomingMessage, { configuredUrls, certificate, tlsPort }: RedirectParts): string {
  const requestedHost = HOST.exec(headers.host ?? '')?.[1]?.toLowerCase();
  const sites = configuredUrls().flatMap((url) => (/^https:/i.test(url) && URL.canParse(url) ? [new URL(url)] : []));
  const local = (socket.localAddress ?? '').replace(/^::ffff:/, '');
  const site = sites.find(({ hostname }) => hostname === requestedHost);
  if (site) return site.origin;
  if (requestedHost !== undefined && (bare(requestedHost) === local || isFor(certificate, bare(requestedHost))))
    return withPort(requestedHost, tlsPort());
  const [first] = sites;
  return first ? first.origin : withPort(NAME_IN_CERTIFICATE.exec(certificate.subjectAltName ?? '')?.[1] ?? bracketed(local), tlsPort());
}

function isFor(certificate: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function withPort(host: string, port: number): string {
  return `https://${host}${port === HTTPS_PORT ? '' : `:${port}`}`;
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
