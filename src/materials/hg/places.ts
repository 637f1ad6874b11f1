// Where on this machine hg reads from when it is given the path of a repository: it may share the store of another one.
import { join, resolve } from 'node:path';
import { MaterialProblem } from '../client.ts';
import { smallText } from '../small-file.ts';

/** Whether something is there or not; links are not followed. */
export function placesOfRepository(path: string): readonly string[] {
  const own = join(path, '.hg');
  const shared = smallText(join(own, 'sharedpath'))?.replace(/\n+$/, '');
  if (shared === undefined) throw new MaterialProblem('The repository shares a store in a way that this server does not follow.');
  return [own, join(own, 'store'), ...(shared ? [resolve(own, shared)] : [])];
}
