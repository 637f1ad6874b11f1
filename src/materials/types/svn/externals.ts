// The externals of a Subversion material, as materials of their own: a change there is a change of the sources, too.
import { mkdirSync } from 'node:fs';
import { maskedAddress } from '../../addresses/address.ts';
import { type ExternalLocation, MaterialProblem, type PollContext } from '../../clients/client.ts';
import { childrenOf, contentOf, rootOf } from '../../clients/xml-records.ts';
import { readExternals } from './externals-text.ts';
import { svnInfo } from './info.ts';
import type { SvnMaterial } from './material.ts';
import { Svn } from './svn.ts';

/** Its address is without the credentials of its owner. */
export interface SvnExternal extends ExternalLocation {
  /** Below the folder of that material. */
  readonly folder: string;
}

/** Limits how many processes the author of the property can make this server start. */
const MAX_EXTERNALS = 200;
const REMOTE = /^(?:https?|svn|svn\+ssh):\/\//i;
const LOCAL = /^file:/i;

/** Empty unless the material has `checkExternals`. */
export async function svnExternals(material: SvnMaterial, context: PollContext): Promise<readonly SvnExternal[]> {
  if (!material.checkExternals) return [];
  mkdirSync(context.directory, { recursive: true });
  const svn = new Svn(material, context);
  const { url: baseUrl, rootUrl } = await svnInfo(svn);
  const listing = await svn.run(['propget', '--xml', '--recursive', 'svn:externals', '--', svn.target]);
  const found = childrenOf(rootOf(listing), 'target').flatMap((target) => {
    const directoryUrl = target.attributes.get('path') ?? baseUrl;
    const below = decodeURIComponent(directoryUrl.slice(baseUrl.length)).replace(/^\//, '');
    const [property] = childrenOf(target, 'property');
    if (!property) return [];
    return readExternals(contentOf(property), { directoryUrl, rootUrl }).map(({ url, folder }) => ({
      url,
      folder: below === '' ? folder : `${below}/${folder}`,
      rootUrl,
    }));
  });
  if (found.length > MAX_EXTERNALS)
    throw new MaterialProblem(`There are ${found.length} externals; at most ${MAX_EXTERNALS} of one material are polled.`);
  for (const { url } of found) mustBeAllowed(url, baseUrl);
  return found;
}

/** Untrusted repositories name their externals; files of this machine are only for those that come from it themselves. */
function mustBeAllowed(url: string, ownUrl: string): void {
  if (REMOTE.test(url) || (LOCAL.test(url) && LOCAL.test(ownUrl))) return;
  throw new MaterialProblem(`The external ${maskedAddress(url)} is at an address that externals must not have.`);
}
