// Which hosts a program may connect to for the address of a repository. Programs read odd addresses differently, so they are refused.
import { MaterialProblem } from '../clients/client.ts';

export interface RemoteHost {
  /** Without brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

const NOT_PLAIN = 'The address does not say plainly which host is meant. Write a host name or an IP address, and the port as a number.';
const HELPER = /^[a-z0-9+.-]+::/i;
const WITH_HELPER = 'Addresses of the form `helper::address` are not allowed.';
const OVER_HTTP = /^https?:/i;
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
/** `host:path` */
const SHORT_SSH = /^((?:[^/:@[\]]*@)*(?:\[[^\]]*\]|[^/:[\]]*)):/;
const HOST_AND_PORT = /^(?:\[([\da-f:.]+(?:%[\w.~-]+)?)\]|([\p{L}\p{N}\p{M}._-]+))(?::(\d{0,5}))?$/iu;

/** The hosts of an address of another machine. Over ssh, git undoes escapes before it looks where the host ends, so there may be two. */
export function remoteHosts(url: string): readonly RemoteHost[] {
  if (HELPER.test(url)) throw new MaterialProblem(WITH_HELPER);
  const readings = OVER_HTTP.test(url) ? [url] : [url, unescaped(url)];
  const authorities = new Set(readings.map(authorityOf));
  return [...authorities].map(hostIn);
}

/** `[transport:][host:]port` of Perforce. */
export function perforceHost(port: string): RemoteHost {
  const address = port.trim().replace(/^(?:tcp|ssl)(?:4|6|46|64)?:/i, '');
  if (/^\d*$/.test(address)) return { host: 'localhost', port: Number(address) };
  return hostIn(address);
}

function authorityOf(url: string): string {
  const [, authority] = AUTHORITY.exec(url) ?? SHORT_SSH.exec(url) ?? [];
  // Some take this sign for a slash.
  if (authority === undefined || (OVER_HTTP.test(url) && authority.includes('\\'))) throw new MaterialProblem(NOT_PLAIN);
  // The last one counts: ssh takes the text before it for the name of a user.
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function hostIn(authority: string): RemoteHost {
  // git takes brackets around a host and its port, too.
  const bare = /^\[([^\]:]+:\d+)\]$/.exec(authority)?.[1] ?? authority;
  const [, ipv6, name, port] = HOST_AND_PORT.exec(bare) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined) throw new MaterialProblem(NOT_PLAIN);
  return { host, port: port ? Number(port) : undefined };
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url; // a percent sign that escapes nothing
  }
}
