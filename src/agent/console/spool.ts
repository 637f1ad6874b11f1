// The console of a job until the server has it: a file, so that a server that is away costs no memory.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

const MODE = 0o600;
/** The most output kept in memory when the disk takes no more: enough for the lines that say so. */
const MAX_IN_MEMORY = 1024 * 1024;

export class Spool {
  readonly #path: string;
  readonly #file: number | undefined;
  readonly #onBroken: (failure: Error) => void;
  #inFile = 0;
  /** The output that follows that of the file, once the file takes no more. */
  #inMemory: Buffer = Buffer.alloc(0);
  #failure: Error | undefined;

  constructor(path: string, onBroken: (failure: Error) => void) {
    this.#path = path;
    this.#onBroken = onBroken;
    try {
      this.#file = openSync(path, 'w+', MODE);
    } catch (failure) {
      this.#failure = failure as Error;
      // Only after the constructor has returned: the caller could not handle it before.
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
      // Written after the end of a file that was cut, the rest would leave a hole that reads as bytes.
      if (fstatSync(this.#file).size < this.#inFile) throw this.#cut();
      while (done < bytes.length) done += writeSync(this.#file, bytes, done, bytes.length - done, this.#inFile + done);
      this.#inFile += done;
    } catch (failure) {
      this.#failure = failure as Error;
      this.#inFile += done;
      this.#keep(bytes.subarray(done));
      this.#onBroken(failure as Error);
    }
  }

  /** Up to `maxBytes` bytes from there on. Bytes that cannot be read become a blank line: the server counts bytes, and more lines follow. */
  read(from: number, maxBytes: number): Buffer {
    if (this.#file === undefined || from >= this.#inFile)
      return this.#inMemory.subarray(from - this.#inFile, from - this.#inFile + maxBytes);
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, this.#inFile - from));
    try {
      const read = readSync(this.#file, buffer, 0, buffer.length, from);
      if (read > 0) return buffer.subarray(0, read);
      throw this.#cut();
    } catch (failure) {
      const isFirst = this.#failure === undefined;
      this.#failure ??= failure as Error;
      if (isFirst) this.#onBroken(failure as Error);
      buffer.fill(' ').write('\n', buffer.length - 1);
      return buffer;
    }
  }

  /** Throws the failure of the last step that failed; the other steps are taken nevertheless. */
  remove(): void {
    const file = this.#file;
    if (file === undefined) return;
    let failed: Error | undefined;
    // Another process that has the file open, such as a backup, does not keep its space.
    for (const step of [() => ftruncateSync(file, 0), () => closeSync(file), () => rmSync(this.#path, { force: true })])
      try {
        step();
      } catch (failure) {
        failed = failure as Error;
      }
    if (failed) throw failed;
  }

  #cut(): Error {
    return new Error(`${this.#path} has become shorter.`);
  }

  #keep(bytes: Buffer): void {
    if (this.#inMemory.length + bytes.length > MAX_IN_MEMORY) return;
    this.#inMemory = Buffer.concat([this.#inMemory, bytes]);
  }
}
