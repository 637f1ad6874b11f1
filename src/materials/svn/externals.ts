// The externals of a Subversion material, as materials of their own: a change there is a change of what is built.
import { mkdirSync } from 'node:fs';
import { openAddress } from '../address.ts';
import type { Surroundings } from '../client.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { childrenOf, contentOf, rootOf, textOf } from '../xml-records.ts';
import { readExternals } from './externals-text.ts';
import type { SvnMaterial } from './material.ts';
import { Svn } from './svn.ts';

export interface SvnExternal {
  readonly material: SvnMaterial;
  /** Below the folder of the material that brings it in. */
  readonly folder: string;
}

/** None unless the material wants them to be looked at. */
export async function svnExternals(material: SvnMaterial, surroundings: Surroundings): Promise<readonly SvnExternal[]> {
  if (!material.checkExternals) return [];
  mkdirSync(surroundings.directory, { recursive: true });
  const svn = new Svn(material, surroundings);
  const [entry] = childrenOf(rootOf(await svn.run(['info', '--xml', '--', svn.target])), 'entry');
  const [repository] = childrenOf(entry, 'repository');
  const baseUrl = textOf(entry, 'url') ?? svn.url;
  const rootUrl = textOf(repository, 'root') ?? baseUrl;
  const listing = await svn.run(['propget', '--xml', '--recursive', 'svn:externals', '--', svn.target]);
  const found = childrenOf(rootOf(listing), 'target').flatMap((target) => {
    const directoryUrl = target.attributes.get('path') ?? baseUrl;
    const below = decodeURIComponent(directoryUrl.slice(baseUrl.length)).replace(/^\//, '');
    const [property] = childrenOf(target, 'property');
    if (!property) return [];
    return readExternals(contentOf(property), { directoryUrl, rootUrl }).map(({ url, folder }) => ({
      url,
      folder: below === '' ? folder : `${below}/${folder}`,
    }));
  });
  return found.map(({ url, folder }) => ({ material: externalOf(material, url, rootUrl), folder }));
}

/** Who writes the property could name any server: the password is only for the one it was meant for. */
function externalOf({ url: own, username, password, ...rest }: SvnMaterial, url: string, rootUrl: string): SvnMaterial {
  const { login } = openAddress(own, { username, password });
  const known = login !== null && serverOf(url) === serverOf(rootUrl) ? login : { username: null, password: null };
  const fingerprint = fingerprintOf({ type: 'svn', url, username: known.username, checkExternals: true });
  return { ...rest, url, ...known, checkExternals: true, fingerprint };
}

function serverOf(url: string): string {
  return (/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(url)?.[0] ?? '').toLowerCase();
}
