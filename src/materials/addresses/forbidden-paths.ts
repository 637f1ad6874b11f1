// Keeps addresses out of the server's own directory: what lies there is for nobody who may only name a repository, and some of it was
// brought from repositories of strangers, who could have left settings there that programs obey.
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { MaterialProblem, type Surroundings } from '../clients/client.ts';
import { isLocal } from './address.ts';
import { isInFolders, isWrittenInFolders } from './local-folders.ts';
import { pathsIn } from './local-path.ts';
import { whereItLeads } from './resolve-path.ts';

export type GroundRules = Pick<Surroundings, 'closedTo' | 'localFolders' | 'isLimitedToFolders' | 'directory'>;

const OUTSIDE = 'The address does not lead into a folder of SLIPWAY_LOCAL_REPOSITORIES (--local-repositories).';

/** Where a path leads to, which begins at a place that was given by the same function; throws when that is closed. */
export type Follow = (path: string, from: string) => string;
/** Follows wherever else a program reads when it is given the path of a repository. */
export type FollowRepository = (path: string, follow: Follow) => void;

/**
 * The path of this machine to which an address leads, undefined when it is elsewhere; throws when it is closed. Programs are given this
 * path, so that what was judged is what they use. The address is without credentials; relative ones begin in the directory of the material.
 */
export function openGround(
  url: string,
  { closedTo, localFolders, isLimitedToFolders = false, directory }: GroundRules,
  followRepository: FollowRepository = () => {},
): string | undefined {
  if (!isLocal(url)) return undefined;
  const mustBeOpen = closedTo === undefined ? () => {} : guardOf(closedTo);
  const paths = pathsIn(url);
  const isLimited = isLimitedToFolders || paths.some((one) => isWrittenInFolders(one, localFolders));
  const isOutside = (place: string) => isLimited && !isInFolders(place, localFolders);
  const follow: Follow = (path, from) => {
    const place = whereItLeads(path, from, mustBeOpen);
    // Programs try names that need not be there.
    if (isOutside(place) && existsSync(place)) throw new MaterialProblem(OUTSIDE);
    return place;
  };
  // It is our own, and may not be there yet.
  const own = whereItLeads(resolve(directory), '/', () => {});
  const [path] = paths.map((one) => {
    const place = whereItLeads(one, own, mustBeOpen);
    if (isOutside(place)) throw new MaterialProblem(OUTSIDE);
    followRepository(place, follow);
    return place;
  });
  return path;
}

/** A directory can have more than one name: where case does not count, or where it is mounted twice. */
function guardOf(closedTo: string): (place: string, stats: Stats | undefined) => void {
  const stats = statSync(closedTo, { throwIfNoEntry: false });
  const closed = stats ? realpathSync.native(closedTo) : resolve(closedTo);
  return (place, found) => {
    const isSame = place === closed || (found && stats && found.ino === stats.ino && found.dev === stats.dev);
    if (isSame || place.startsWith(`${closed}${sep}`))
      throw new MaterialProblem('The address leads into the data directory of this server.');
  };
}
