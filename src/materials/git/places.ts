// Where on this machine git reads from when it is given the path of a repository: a file or a link there can lead it anywhere else.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MaterialProblem } from '../client.ts';
import { smallText } from '../small-file.ts';

/** What git tries, each added to the path. */
export const SUFFIXES = ['/.git', '', '.git/.git', '.git'];
/** Each of them may be a link. */
const PARTS = ['HEAD', 'packed-refs', 'refs', 'objects', 'objects/pack', 'objects/info'];
const MOST_PLACES = 100;
const NOT_FOLLOWED = 'The repository borrows from others in a way that this server does not follow.';

/** Links are not followed. */
export function placesOfRepository(path: string): readonly string[] {
  const found = new Set<string>();
  const visit = (place: string) => {
    if (found.has(place)) return;
    if (found.size >= MOST_PLACES) throw new MaterialProblem(NOT_FOLLOWED);
    found.add(place);
    for (const other of leadsTo(place)) visit(other);
  };
  for (const suffix of SUFFIXES) visit(`${resolve(path)}${suffix}`);
  return [...found].flatMap((place) => [place, ...(existsSync(place) ? PARTS.map((part) => join(place, part)) : [])]);
}

/** Other places that git takes for a part of this one. */
function leadsTo(place: string): readonly string[] {
  // Git takes no longer file for one that names a directory.
  const [, elsewhere] = /^gitdir: (.*)$/s.exec(smallText(place) ?? '') ?? [];
  if (elsewhere !== undefined) return [resolve(dirname(place), withoutEnd(elsewhere))];
  const common = smallText(join(place, 'commondir'));
  const alternates = smallText(join(place, 'objects', 'info', 'alternates'));
  if (common === undefined || alternates === undefined) throw new MaterialProblem(NOT_FOLLOWED);
  return [
    ...(common === '' ? [] : [resolve(place, withoutEnd(common))]),
    ...alternates.split('\n').flatMap((line) => borrowed(place, line)),
  ];
}

/** A folder of objects, and the repository around it, which may borrow as well. */
function borrowed(place: string, line: string): readonly string[] {
  if (line === '' || line.startsWith('#')) return [];
  // With escapes in it, which git would undo.
  if (line.startsWith('"')) throw new MaterialProblem(NOT_FOLLOWED);
  const objects = resolve(place, 'objects', line);
  return [objects, dirname(objects)];
}

function withoutEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '');
}
