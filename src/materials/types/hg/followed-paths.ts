// Where on this machine hg reads from when it is given the path of a repository: it may share the store of another one.
import { join, resolve } from 'node:path';
import type { Follow } from '../../addresses/forbidden-paths.ts';
import { smallText } from '../../addresses/small-file.ts';
import { MaterialProblem } from '../../clients/client.ts';

const SHARED_PATH = 'sharedpath';
/** Each of them may be a link, and hg repeats the content of some of them when it does not understand it. */
const PARTS = ['requires', 'hgrc', 'hgrc-not-shared', 'bookmarks', 'localtags', 'cache', 'branch', 'dirstate'];
const PARTS_OF_STORE = [
  'requires',
  '00changelog.i',
  '00changelog.d',
  '00manifest.i',
  '00manifest.d',
  'data',
  'dh',
  'meta',
  'fncache',
  'phaseroots',
  'obsstore',
  'bookmarks',
];

export function followHg(path: string, follow: Follow): void {
  for (const folder of followedFolders(path, follow)) followParts(folder, follow);
}

/** Where the files of the history are, each of which may be a link. */
export function foldersOfHg(path: string, follow: Follow): readonly string[] {
  return followedFolders(path, follow);
}

/** Its own folder, and the one of the repository whose store it shares. */
function followedFolders(path: string, follow: Follow): readonly string[] {
  const own = follow('.hg', path);
  follow(SHARED_PATH, own);
  const shared = smallText(join(own, SHARED_PATH))?.replace(/\n+$/, '');
  if (shared === undefined) throw new MaterialProblem('The repository shares a store in a way that this server does not follow.');
  // Whether hg takes `..` out of the path first depends on how the other repository was shared.
  return shared === '' ? [own] : [own, ...[shared, resolve(own, shared)].map((other) => follow(other, own))];
}

function followParts(folder: string, follow: Follow): void {
  for (const part of PARTS) follow(part, folder);
  const store = follow('store', folder);
  for (const part of PARTS_OF_STORE) follow(part, store);
}
