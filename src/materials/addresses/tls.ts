// How the certificate of one server is judged, by the settings of the administrator for all.
import type { MaterialRules } from '../clients/client.ts';

export interface TlsOptions {
  /** All authorities to be trusted, as PEM; undefined: those of the machine. */
  readonly caFile: string | undefined;
  /** false: any certificate will do. */
  readonly isChecked: boolean;
}

/** `https://host:port/…`, `svn+ssh://host/…`, and `ssl:host:port` of Perforce. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:(?:\/\/)?(?:[^/@]*@)?((?:\[[^\]]*\]|[^/?#:[\]]+)(?::\d+)?)/i;

export function tlsFor(address: string, { tls }: Pick<MaterialRules, 'tls'>): TlsOptions {
  const [, authority = ''] = AUTHORITY.exec(address.toLowerCase()) ?? [];
  const names = [authority, authority.replace(/:\d+$/, '')];
  return { caFile: tls?.caFile, isChecked: !tls?.uncheckedHosts?.some((host) => names.includes(host)) };
}
