// Keeps addresses out of the server's own directory: its content is not for users who may only name a repository, and some of it was
// fetched from foreign repositories, whose authors could have left settings there that programs obey.
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { MaterialProblem, type PollContext } from '../clients/client.ts';
import { isLocal } from './address.ts';
import { followLinksBelow } from './links-below.ts';
import { isInFolders, isWrittenInFolders } from './local-folders.ts';
import { pathsIn } from './local-path.ts';
import { resolvePath } from './resolve-path.ts';

export type PathRules = Pick<PollContext, 'closedTo' | 'localFolders' | 'isLimitedToFolders' | 'directory'>;

const OUTSIDE = 'The address does not lead into a folder of SLIPWAY_LOCAL_REPOSITORIES (--local-repositories).';

/** Resolves a path that begins at `from`, which is a result of the same function; throws when the path is closed. */
export type Follow = (path: string, from: string) => string;
/** Follows wherever else a program reads when it is given the path of a repository. */
export type FollowRepository = (path: string, follow: Follow) => void;
/** The folders below which a program reads when it is given a path, which was `written` in the address: links may be anywhere in them. */
export type FoldersOf = (path: string, follow: Follow, written: string) => readonly string[];

interface LocalAccess {
  /** The paths that the address may mean. */
  readonly paths: readonly string[];
  /** Resolves one of them. */
  enter(path: string): string;
  readonly follow: Follow;
}

/**
 * The path of this machine to which an address leads, undefined when it is elsewhere; throws when it is closed. Programs are given this
 * path, so that they use the judged path. The address is without credentials; relative ones begin in the directory of the material.
 */
export function allowedPath(url: string, rules: PathRules, followRepository: FollowRepository = () => {}): string | undefined {
  if (!isLocal(url)) return undefined;
  const { paths, enter, follow } = localAccessOf(url, rules);
  const [path] = paths.map((one) => {
    const resolved = enter(one);
    followRepository(resolved, follow);
    return resolved;
  });
  return path;
}

/** Rejects when a link anywhere in the repository leads to a closed path. It reads in pieces, for there may be very many files. */
export async function checkLinks(url: string, rules: PathRules, foldersOf: FoldersOf): Promise<void> {
  if (!isLocal(url)) return;
  const { paths, enter, follow } = localAccessOf(url, rules);
  for (const one of paths) await followLinksBelow(foldersOf(enter(one), follow, one), follow);
}

function localAccessOf(url: string, { closedTo, localFolders, isLimitedToFolders = false, directory }: PathRules): LocalAccess {
  const mustBeOpen = closedTo === undefined ? () => {} : guardOf(closedTo);
  const paths = pathsIn(url);
  const isLimited = isLimitedToFolders || paths.some((one) => isWrittenInFolders(one, localFolders));
  const isOutside = (resolved: string) => isLimited && !isInFolders(resolved, localFolders);
  // The directory of the material is our own, and may not be there yet.
  const own = resolvePath(resolve(directory), '/', () => {});
  return {
    paths,
    enter: (path) => {
      const resolved = resolvePath(path, own, mustBeOpen);
      if (isOutside(resolved)) throw new MaterialProblem(OUTSIDE);
      return resolved;
    },
    follow: (path, from) => {
      const resolved = resolvePath(path, from, mustBeOpen);
      // Programs try names that need not be there.
      if (isOutside(resolved) && existsSync(resolved)) throw new MaterialProblem(OUTSIDE);
      return resolved;
    },
  };
}

/** A directory can have more than one name: where case does not count, or where it is mounted twice. */
function guardOf(closedTo: string): (resolved: string, stats: Stats | undefined) => void {
  const stats = statSync(closedTo, { throwIfNoEntry: false });
  const closed = stats ? realpathSync.native(closedTo) : resolve(closedTo);
  return (resolved, found) => {
    const isSame = resolved === closed || (found && stats && found.ino === stats.ino && found.dev === stats.dev);
    if (isSame || resolved.startsWith(`${closed}${sep}`))
      throw new MaterialProblem('The address leads into the data directory of this server.');
  };
}
