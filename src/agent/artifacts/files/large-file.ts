// A large file that is read piece by piece into a few buffers, with its checksums on the way.
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { withHandledRejection } from '../../../kit/concurrency/handled-rejection.ts';
import { ArtifactFailure, unreadable } from '../context.ts';
import { type Digests, FileDigests, type Md5 } from '../digest/digests.ts';
import { isAt, isSame, OPEN_FLAGS } from './small-file.ts';

const PIECE_BYTES = 512 * 1024;
/** One is sent, one is read, and the thread for checksums has the others. */
const BUFFERS = 4;

/** Another process writes into the file. */
export class FileChanged extends ArtifactFailure {}

/** For one file after the other. */
export class LargeFiles {
  readonly #buffers = Array.from({ length: BUFFERS }, () => Buffer.from(new SharedArrayBuffer(PIECE_BYTES)));
  readonly #md5: Md5;

  constructor(md5: Md5) {
    this.#md5 = md5;
  }

  async open(real: string, name: string): Promise<LargeFile> {
    try {
      const handle = await open(real, OPEN_FLAGS);
      const facts = await handle.stat();
      const file = new LargeFile({ handle, name, facts, buffers: this.#buffers, digests: new FileDigests(this.#md5) });
      if (facts.isFile() && isAt(handle.fd, real)) return file;
      await file.close();
      throw new FileChanged();
    } catch (failure) {
      throw unreadable(name, failure);
    }
  }
}

interface LargeFileParts {
  readonly handle: FileHandle;
  readonly name: string;
  readonly facts: Stats;
  readonly buffers: readonly Buffer[];
  readonly digests: FileDigests;
}

export class LargeFile {
  readonly #parts: LargeFileParts;

  constructor(parts: LargeFileParts) {
    this.#parts = parts;
  }

  get bytes(): number {
    return this.#parts.facts.size;
  }

  /** How much of it was read so far. */
  get seen(): number {
    return this.#parts.digests.length;
  }

  /** A piece is good until the next one is asked for. Ends with the bytes that the file had when it was opened. */
  async *pieces(from: number): AsyncGenerator<Buffer> {
    const { buffers, digests } = this.#parts;
    const seen: Promise<void>[] = [];
    const end = this.bytes;
    const readAt = async (at: number, turn: number) => {
      await seen[turn % BUFFERS];
      return this.#read(buffers[turn % BUFFERS]!, at, Math.min(PIECE_BYTES, end - at));
    };
    let reading = from < end ? withHandledRejection(readAt(from, 0)) : undefined;
    try {
      for (let [at, turn] = [from, 0]; reading; turn++) {
        const piece: Buffer = await reading;
        const next: number = at + piece.length;
        reading = next < end ? withHandledRejection(readAt(next, turn + 1)) : undefined;
        seen[turn % BUFFERS] = withHandledRejection(digests.update(piece, at));
        at = next;
        yield piece;
      }
    } finally {
      // The next reader uses the same buffers.
      await Promise.allSettled([reading, ...seen]);
    }
  }

  /** Of the whole, when all of it was read. */
  async finish(): Promise<Digests> {
    const { handle, facts, digests, name } = this.#parts;
    const now = await handle.stat().catch((failure) => Promise.reject(unreadable(name, failure)));
    if (digests.length !== facts.size || !isSame(facts, now)) throw new FileChanged();
    return digests.end();
  }

  async close(): Promise<void> {
    await this.#parts.digests.forget();
    await this.#parts.handle.close();
  }

  async #read(buffer: Buffer, at: number, length: number): Promise<Buffer> {
    const { handle, name } = this.#parts;
    const { bytesRead } = await handle.read(buffer, 0, length, at).catch((failure) => Promise.reject(unreadable(name, failure)));
    if (bytesRead === 0) throw new FileChanged();
    return buffer.subarray(0, bytesRead);
  }
}
