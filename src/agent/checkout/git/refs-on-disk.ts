// The refs of a repository of ours, read from its files: a process for each question would take longer than the answer.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { smallText } from './small-files.ts';

const LINE = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/gm;

/** undefined: there is no such ref. */
export function revisionAt(gitFolder: string, ref: string): string | undefined {
  return smallText(join(gitFolder, ref))?.trim() || packedRefs(gitFolder).get(ref);
}

/** All of them below a folder such as `refs/tags`. */
export function refsBelow(gitFolder: string, folder: string): Map<string, string> {
  const found = new Map([...packedRefs(gitFolder)].filter(([ref]) => ref.startsWith(`${folder}/`)));
  for (const ref of looseBelow(gitFolder, folder)) found.set(ref, smallText(join(gitFolder, ref))!.trim());
  return found;
}

export function packedRefs(gitFolder: string): Map<string, string> {
  const text = smallText(join(gitFolder, 'packed-refs')) ?? '';
  return new Map([...text.matchAll(LINE)].map(([, revision, ref]) => [ref!, revision!]));
}

function looseBelow(gitFolder: string, folder: string): string[] {
  return entriesOf(join(gitFolder, folder)).flatMap((entry) => {
    const ref = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return looseBelow(gitFolder, ref);
    return entry.isFile() && !entry.name.endsWith('.lock') ? [ref] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
    return [];
  }
}
