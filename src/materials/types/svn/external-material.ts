// The material of an external, as it follows from the material that has it.
import { openAddress } from '../../addresses/address.ts';
import type { ExternalLocation } from '../../clients/client.ts';
import { digestOf } from '../identity-digest.ts';
import { svnIdentity } from './identity.ts';
import type { SvnMaterial } from './material.ts';

/** The author of the property could name any server: the password is only for the server it was entered for. */
export function materialOfExternal(
  { url: own, username, password, ...rest }: SvnMaterial,
  { url, rootUrl }: ExternalLocation,
): SvnMaterial {
  const { login } = openAddress(own, { username, password });
  const known = login !== null && serverOf(url) === serverOf(rootUrl) ? login : { username: null, password: null };
  const fingerprint = digestOf(svnIdentity({ url, username: known.username, checkExternals: true }));
  return { ...rest, url, ...known, checkExternals: true, isExternal: true, fingerprint };
}

function serverOf(url: string): string {
  return (/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(url)?.[0] ?? '').toLowerCase();
}
