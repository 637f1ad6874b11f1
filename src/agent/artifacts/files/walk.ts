// All files and empty folders that a source matches, one after the other: however many there are, few are in memory.
import { entryIn, leadsBack } from './entry.ts';
import type { Match } from './match.ts';
import { nameBelow, type Search } from './search.ts';

export interface FoundFile {
  readonly kind: 'file';
  readonly real: string;
  /** For people. */
  readonly name: string;
  /** Below the folder of the job on the server. */
  readonly path: string;
}

export interface EmptyFolder {
  readonly kind: 'folder';
  readonly path: string;
}

interface Folder {
  readonly real: string;
  readonly name: string;
  readonly path: string;
  readonly parent: Folder | undefined;
}

/** A folder with nothing but skipped entries counts as empty. */
export async function* filesOf(matches: readonly Match[], destination: string, search: Search): AsyncGenerator<FoundFile | EmptyFolder> {
  for (const { kind, real, name, path } of matches) {
    const targetPath = nameBelow(destination, path);
    if (kind === 'file') yield { kind, real, name, path: targetPath };
    else yield* below({ real, name, path: targetPath, parent: undefined }, search);
  }
}

async function* below(start: Folder, search: Search): AsyncGenerator<FoundFile | EmptyFolder> {
  const waiting = [start];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    let isEmpty = true;
    for await (const dirent of search.entriesOf(folder.real, folder.name)) {
      const [name, path] = [nameBelow(folder.name, dirent.name), nameBelow(folder.path, dirent.name)];
      const entry = await entryIn(search.root, folder.real, dirent, name);
      if (entry.kind === 'skipped') search.skip(name, entry.reason);
      else if (leadsBack(entry, folder)) search.skip(name, 'it is a link to a folder that it is in');
      else {
        isEmpty = false;
        if (entry.kind === 'file') yield { kind: 'file', real: entry.real, name, path };
        else waiting.push({ real: entry.real, name, path, parent: folder });
      }
    }
    if (isEmpty) yield { kind: 'folder', path: folder.path };
  }
}
