// Moves files, and moves them back when one of them cannot be moved.
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../../kit/bytes/durable-file.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

export class Moves {
  readonly #done: Move[] = [];

  move(from: string, to: string): void {
    // A rename would overwrite an existing file, and `undo` could not bring it back.
    if (lstatSync(to, { throwIfNoEntry: false })) throw new Error(`${to} is there already.`);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
    this.#done.push({ from, to });
  }

  undo(): void {
    for (let last = this.#done.at(-1); last; last = this.#done.at(-1)) {
      renameSync(last.to, last.from);
      this.#done.pop();
    }
  }

  /** On disk afterwards. */
  sync(): void {
    for (const folder of new Set(this.#done.flatMap(({ from, to }) => [dirname(to), dirname(from)]))) syncDirectory(folder);
  }
}
