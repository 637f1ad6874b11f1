// The state that all searches for the files of one source share: the folder they stay in, their limit, and the entries they skip.
import type { Dirent } from 'node:fs';
import { opendir, realpath } from 'node:fs/promises';
import { hasControlCharacter } from '../../../kit/text/control-characters.ts';
import { ArtifactFailure, unreadable } from '../context.ts';

/** Links can make a small tree endless. */
const MAX_ENTRIES = 10_000_000;
const MAX_SKIPPED_LINES = 100;
const ENTRIES_AT_ONCE = 256;
/** A name that is no UTF-8 is read with this character, and cannot be opened by it. */
const UNREADABLE_NAME = '\u{fffd}';

const CONTROL = /\p{Cc}/gu;

export interface SearchParts {
  readonly source: string;
  readonly signal: AbortSignal;
  /** A line for the console. */
  readonly print: (line: string) => void;
  readonly maxEntries?: number;
}

export class Search {
  readonly #parts: SearchParts;
  /** The folder of the pipeline, without links. */
  readonly root: string;
  #entries = 0;
  #skipped = 0;

  private constructor(root: string, parts: SearchParts) {
    this.root = root;
    this.#parts = parts;
  }

  static async in(folder: string, parts: SearchParts): Promise<Search> {
    return new Search(await realpath(folder), parts);
  }

  /** A folder is read piece by piece, however much is in it. `name` is for people. */
  async *entriesOf(folder: string, name: string): AsyncGenerator<Dirent> {
    const { source, signal, maxEntries = MAX_ENTRIES } = this.#parts;
    try {
      for await (const dirent of await opendir(folder, { bufferSize: ENTRIES_AT_ONCE })) {
        signal.throwIfAborted();
        if (++this.#entries > maxEntries)
          throw new ArtifactFailure(`The source "${source}" makes the agent look at more than ${maxEntries} files and folders.`);
        const problem = nameProblem(dirent.name);
        if (problem) this.skip(nameBelow(name, dirent.name).replace(CONTROL, '?'), problem);
        else yield dirent;
      }
    } catch (failure) {
      throw unreadable(name || '.', failure);
    }
  }

  skip(name: string, reason: string): void {
    if (++this.#skipped <= MAX_SKIPPED_LINES) this.#parts.print(`Skipped ${name}: ${reason}.`);
  }

  /** When all was seen. */
  end(): void {
    const more = this.#skipped - MAX_SKIPPED_LINES;
    if (more > 0) this.#parts.print(`Skipped ${more} more.`);
  }
}

/** Why a file of this name cannot be an artifact. */
function nameProblem(name: string): string | undefined {
  if (name.includes(UNREADABLE_NAME)) return 'its name is not UTF-8';
  if (name.includes('\\')) return 'its name has a backslash';
  return hasControlCharacter(name) ? 'its name has a control character' : undefined;
}

export function nameBelow(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
