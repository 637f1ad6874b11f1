// Connections to LDAP servers: only system administrators name them, so they may be on this machine, but at no link-local address.
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { guardedConnection } from '../../../../kit/network/guarded-lookup.ts';
import { TRUSTED } from '../../../../kit/network/reach.ts';
import { trustTheSystem } from '../system-trust.ts';

interface LdapConnection {
  readonly createConnection: typeof connect;
  /** Undefined for `ldap:`, because the client starts TLS whenever it is given any option for it. */
  readonly tlsOptions: ConnectionOptions | undefined;
}

/** Throws for a bare address that is forbidden; what a name leads to is judged with the connection. */
export function ldapConnection({ protocol, hostname }: URL): LdapConnection {
  const name = hostname.replace(/^\[|\]$/g, '');
  const { lookup } = guardedConnection(name, TRUSTED);
  const tlsOptions = () => ({
    secureContext: trustTheSystem(),
    rejectUnauthorized: true,
    servername: isIP(name) ? undefined : name,
    lookup,
  });
  return { createConnection: connectGuarded, tlsOptions: protocol === 'ldaps:' ? tlsOptions() : undefined };
}

/** The client calls it with a port and a host; the other forms are those of the function it stands in for. */
function connectGuarded(options: NetConnectOpts, onConnect?: () => void): Socket;
function connectGuarded(port: number, host?: string, onConnect?: () => void): Socket;
function connectGuarded(path: string, onConnect?: () => void): Socket;
function connectGuarded(port: NetConnectOpts | number | string, host?: string | (() => void)): Socket {
  if (typeof port !== 'number' || typeof host !== 'string') throw new Error('LDAP servers are connected to by host and port.');
  return connect({ port, host, ...guardedConnection(host, TRUSTED) });
}
