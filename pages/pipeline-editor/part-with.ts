// Which part of the tree a field is in.
import { type Path, valueAt } from '../forms/edit/lens.ts';
import { GENERAL } from './part-key.ts';

const LISTS: ReadonlySet<string | number> = new Set(['materials', 'stages', 'jobs', 'tasks']);
const SECTIONS: ReadonlySet<string | number | undefined> = new Set(['parameters', 'environment_variables']);

/** The innermost part that holds the field. */
export function partWith(body: unknown, path: Path): Path | typeof GENERAL {
  const [first] = path;
  if (SECTIONS.has(first)) return path.slice(0, 1);
  let part: Path | typeof GENERAL = GENERAL;
  for (let length = 2; length <= path.length; length += 2) {
    const list = path[length - 2];
    const here = path.slice(0, length);
    if (list === undefined || !LISTS.has(list) || typeof path[length - 1] !== 'number' || valueAt(body, here) === undefined) break;
    part = here;
  }
  return part;
}
