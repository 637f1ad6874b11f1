// Where on this machine hg reads from when it is given the path of a repository: it may share the store of another one.
import { join, resolve } from 'node:path';
import { MaterialProblem } from '../client.ts';
import type { Follow } from '../closed-ground.ts';
import { smallText } from '../small-file.ts';

export function followHg(path: string, follow: Follow): void {
  const own = follow('.hg', path);
  follow('store', own);
  const shared = smallText(join(own, 'sharedpath'))?.replace(/\n+$/, '');
  if (shared === undefined) throw new MaterialProblem('The repository shares a store in a way that this server does not follow.');
  // It takes out `..` before it looks, or does not, as the other repository was shared.
  if (shared !== '') for (const other of [shared, resolve(own, shared)]) follow('store', follow(other, own));
}
