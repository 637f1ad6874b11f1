// Connections to LDAP servers: only system administrators name them, so they may be on this machine, but at no link-local address.
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { type ConnectionOptions, type connect as connectSecurely, createSecureContext, type SecureContext } from 'node:tls';
import { guardedConnection } from '../../../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../../../kit/network/reach.ts';
import { trustTheSystem } from '../system-trust.ts';

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

/** Throws for a bare address that is forbidden; what a name leads to is judged with the connection. */
export function ldapConnection(url: URL, security: Security): LdapConnection {
  const { lookup } = guardedConnection(hostOf(url), TRUSTED);
  return {
    createConnection: connectGuarded,
    tlsOptions: url.protocol === 'ldaps:' ? { ...tlsOptionsOf(url, security), lookup } : undefined,
  };
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

/** The client calls it with a port and a host; the other forms are those of the function it stands in for. */
export function connectGuarded(options: NetConnectOpts, onConnect?: () => void): Socket;
export function connectGuarded(port: number, host?: string, onConnect?: () => void): Socket;
export function connectGuarded(path: string, onConnect?: () => void): Socket;
export function connectGuarded(port: NetConnectOpts | number | string, host?: string | (() => void)): Socket {
  if (typeof port !== 'number' || typeof host !== 'string') throw new Error('LDAP servers are connected to by host and port.');
  return connect({ port, host, ...guardedConnection(host, TRUSTED) });
}
