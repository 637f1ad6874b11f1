// A queue of test files that several processes take from: a free process takes the next file, so that all end at about the same time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class TestQueue {
  /** A folder of its own, with a mark for each file that is taken, for all processes. */
  readonly folder: string;
  readonly files: readonly string[];

  constructor(folder: string, files: readonly string[]) {
    this.folder = folder;
    this.files = files;
  }

  /** The next file that no process has taken, until there is none. */
  *takeAs(taker: string): Generator<string> {
    for (const [index, file] of this.files.entries()) if (this.#take(index, taker)) yield file;
  }

  /** Undefined: no process has taken the file. */
  takerOf(file: string): string | undefined {
    const mark = this.#markOf(this.files.indexOf(file));
    return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined;
  }

  #markOf(index: number): string {
    return join(this.folder, String(index));
  }

  #take(index: number, taker: string): boolean {
    try {
      writeFileSync(this.#markOf(index), taker, { flag: 'wx' });
      return true;
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'EEXIST') throw failure;
      return false;
    }
  }
}
