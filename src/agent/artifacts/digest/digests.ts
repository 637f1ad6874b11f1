// The checksums of a large file while it is read: SHA-256 on the way, MD5 in a thread beside it.
import { createHash } from 'node:crypto';
import { startThread } from '../../../kit/concurrency/threads/thread.ts';
import { ThreadClient } from '../../../kit/concurrency/threads/thread-client.ts';
import { ownProgram } from '../../../kit/process/own-program.ts';
import { ArtifactFailure } from '../context.ts';
import type { Md5Answer, Md5Question } from './md5-thread.ts';

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

export interface Digests {
  readonly sha256: string;
  readonly md5: string;
}

/** One file at a time. The thread is started with the first. */
export class Md5 {
  readonly #thread = new ThreadClient<Md5Question, Md5Answer>({
    startThread: () => startThread(ownProgram('agent/artifacts/digest/md5-thread.ts'), { resourceLimits: LIMITS }),
    failureOf: (reason) => new ArtifactFailure(`The thread for checksums has ended: ${reason}`),
  });

  /** The bytes are in shared memory, and stay as they are until they are seen. */
  async update(bytes: Uint8Array): Promise<void> {
    await this.#thread.ask(bytes);
  }

  async digest(): Promise<string> {
    const answer = await this.#thread.ask('end');
    return answer === 'seen' ? '' : answer.md5;
  }

  /** A file that was begun is forgotten. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Of a file that is read from front to end, parts of it perhaps more than once. */
export class FileDigests {
  readonly #md5: Md5;
  readonly #sha256 = createHash('sha256');
  #length = 0;
  #isEnded = false;

  constructor(md5: Md5) {
    this.#md5 = md5;
  }

  /** How much of the file was seen. */
  get length(): number {
    return this.#length;
  }

  /** Bytes that were seen before count once. Resolves when the bytes may change. */
  async update(bytes: Uint8Array, at: number): Promise<void> {
    const newBytes = bytes.subarray(Math.min(bytes.length, this.#length - at));
    if (newBytes.length === 0) return;
    this.#length += newBytes.length;
    const hashed = this.#md5.update(newBytes);
    this.#sha256.update(newBytes);
    await hashed;
  }

  async end(): Promise<Digests> {
    this.#isEnded = true;
    return { sha256: this.#sha256.digest('hex'), md5: await this.#md5.digest() };
  }

  /** The thread must not take the next file for the rest of this one. */
  async forget(): Promise<void> {
    if (!this.#isEnded && this.#length > 0) await this.end();
  }
}
