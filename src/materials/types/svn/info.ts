// The answer of a Subversion server about an address.
import { childrenOf, rootOf, textOf } from '../../clients/xml-records.ts';
import type { Svn } from './svn.ts';

export interface SvnInfo {
  readonly url: string;
  readonly rootUrl: string;
  /** Where the address points to in its repository: empty for the root, else with a slash at its beginning. */
  readonly path: string;
  /** The identity of the repository, which stays when it moves. */
  readonly uuid: string | undefined;
}

export async function svnInfo(svn: Svn): Promise<SvnInfo> {
  const [entry] = childrenOf(rootOf(await svn.run(['info', '--xml', '--', svn.target], { isQuick: true })), 'entry');
  const [repository] = childrenOf(entry, 'repository');
  const url = textOf(entry, 'url') ?? svn.url;
  const relative = textOf(entry, 'relative-url') ?? '^/';
  return {
    url,
    rootUrl: textOf(repository, 'root') ?? url,
    path: decodeURIComponent(relative.slice(1)).replace(/\/$/, ''),
    uuid: textOf(repository, 'uuid') ?? undefined,
  };
}
