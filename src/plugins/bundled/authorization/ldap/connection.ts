// Connections to LDAP servers: only system administrators name them, so they may be on this machine, but at no link-local address.
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely, createSecureContext, type SecureContext } from 'node:tls';
import { guardedConnection } from '../../../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../../../kit/network/reach.ts';
import { trustTheSystem } from '../../../../kit/network/system-trust.ts';
import { bounded } from './answer-limits.ts';

export interface Security {
  /** Whether a connection to `ldap:` is encrypted before anything is said on it. */
  readonly startsTls: boolean;
  /** The authority that has signed the certificate of the server, as PEM; undefined: one that the system trusts. */
  readonly authority: string | undefined;
}

export interface LdapConnection {
  readonly createConnection?: typeof connect;
  readonly createSecureConnection?: typeof connectSecurely;
  /** Undefined for `ldap:`, because the client starts TLS whenever it is given any option for it. */
  readonly tlsOptions: ConnectionOptions | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'ldap:': 389, 'ldaps:': 636 };

/** Throws for a bare address that is forbidden; the addresses of a name are checked when it connects. */
export function ldapConnection(url: URL, security: Security): LdapConnection {
  const [host, port] = [hostOf(url), portOf(url)];
  const { lookup } = guardedConnection(host, TRUSTED);
  if (url.protocol !== 'ldaps:') return { createConnection: () => bounded(connectGuarded(port, host)), tlsOptions: undefined };
  const tlsOptions = { ...tlsOptionsOf(url, security), lookup };
  return { createSecureConnection: () => bounded(connectSecurely({ ...tlsOptions, host, port })), tlsOptions };
}

export function portOf({ port, protocol }: URL): number {
  return Number(port || DEFAULT_PORTS[protocol]);
}

export function tlsOptionsOf(url: URL, { authority }: Security): ConnectionOptions {
  const name = hostOf(url);
  return { secureContext: trusting(authority), rejectUnauthorized: true, servername: isIP(name) ? undefined : name };
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function trusting(authority: string | undefined): SecureContext {
  return authority === undefined ? trustTheSystem() : createSecureContext({ ca: authority, minVersion: 'TLSv1.2' });
}

export function connectGuarded(port: number, host: string): Socket {
  return connect({ port, host, ...guardedConnection(host, TRUSTED) });
}
