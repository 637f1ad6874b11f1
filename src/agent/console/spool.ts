// The console of a job until the server has it: a file, so that a server that is away costs no memory.
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const MODE = 0o600;
/** What is kept in memory when the disk takes no more: enough for the lines that say so. */
const MAX_IN_MEMORY = 1024 * 1024;

export class Spool {
  readonly #path: string;
  readonly #file: number | undefined;
  readonly #onBroken: (failure: Error) => void;
  #inFile = 0;
  /** What follows the file, once nothing can be written to it. */
  #inMemory: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;

  constructor(path: string, onBroken: (failure: Error) => void) {
    this.#path = path;
    this.#onBroken = onBroken;
    try {
      this.#file = openSync(path, 'w+', MODE);
    } catch (failure) {
      this.#failure = failure as Error;
      // Not before whoever makes it can hear of it.
      queueMicrotask(() => onBroken(failure as Error));
    }
  }

  get length(): number {
    return this.#inFile + this.#inMemory.length;
  }

  append(bytes: Buffer): void {
    if (this.#file === undefined || this.#failure) {
      this.#keep(bytes);
      return;
    }
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#file, bytes, done, bytes.length - done, this.#inFile + done);
      this.#inFile += done;
    } catch (failure) {
      this.#failure = failure as Error;
      this.#inFile += done;
      this.#keep(bytes.subarray(done));
      this.#onBroken(failure as Error);
    }
  }

  /** Up to `most` bytes from there on. */
  read(from: number, most: number): Buffer {
    if (this.#file === undefined || from >= this.#inFile) return this.#inMemory.subarray(from - this.#inFile, from - this.#inFile + most);
    const buffer = Buffer.allocUnsafe(Math.min(most, this.#inFile - from));
    const read = readSync(this.#file, buffer, 0, buffer.length, from);
    return buffer.subarray(0, read);
  }

  remove(): void {
    if (this.#file === undefined) return;
    // Whoever holds the file open on another descriptor, such as a backup, does not keep its space.
    ftruncateSync(this.#file, 0);
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }

  #keep(bytes: Buffer): void {
    if (this.#inMemory.length + bytes.length > MAX_IN_MEMORY) return;
    this.#inMemory = Buffer.concat([this.#inMemory, bytes]);
  }
}
