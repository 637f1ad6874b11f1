// All files of a revision that are chosen, with those that symbolic links lead to.

import { ChosenFiles } from './chosen-files.ts';
import type { Choose, FileChanges, PathProblem } from './contract.ts';
import { cursorOf } from './cursor.ts';
import type { Entry, FileSource } from './source.ts';
import { throughLinks } from './through-links.ts';

/** In a repository with more than this no links are followed: all its names would have to be in memory. */
const MAX_ENTRIES_FOR_LINKS = 300_000;
const MAX_NOTES = 20;

export async function completeList(source: FileSource, choose: Choose): Promise<FileChanges> {
  const chosenFiles = new ChosenFiles(choose);
  const links: Entry[] = [];
  const refused: PathProblem[] = [];
  let kept: Entry[] | undefined = [];
  for await (const some of source.all()) {
    for (const one of some) {
      if (one.kind === 'refused') refused.push({ path: one.path, message: one.message });
      else if (one.kind === 'link') links.push(one);
      else {
        kept?.push(one);
        const wait = chosenFiles.add({ path: one.path, entry: one });
        if (wait) await wait;
      }
    }
    if (kept && kept.length > MAX_ENTRIES_FOR_LINKS) kept = undefined;
  }
  const outside: PathProblem[] = [];
  for await (const linked of throughLinks(source, links, kept)) {
    if ('message' in linked && linked.isOutside) outside.push({ path: linked.path, message: linked.message });
    const wait = chosenFiles.add(linked);
    if (wait) await wait;
  }
  const { files, problems } = await chosenFiles.all();
  const reported = new Set(problems.map(({ path }) => path));
  return {
    isComplete: true,
    changed: files,
    removed: [],
    problems: [...refused, ...problems],
    notes: outside.filter(({ path }) => !reported.has(path)).slice(0, MAX_NOTES),
    cursor: cursorOf(source.revision, links.length > 0),
  };
}
