// Has many small files read, written and renamed by a thread, which is started when it is needed and ends when there is nothing to do for a
// while.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../kit/concurrency/thread.ts';
import { ownProgram } from '../../../kit/process/own-program.ts';
import type { DiskAnswer, DiskWork } from './disk-thread.ts';
import type { FilesRead, FilesToRead } from './read-files.ts';
import type { FileToRename } from './write-files.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const IDLE_MS = 60_000;

/** So that no message is large. */
const RENAMED_AT_ONCE = 500;

interface Waiting {
  readonly resolve: (done: FilesRead | undefined) => void;
  readonly reject: (failure: Error) => void;
}

export class DiskBatches {
  #thread: Worker | undefined;
  readonly #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;

  /** In this order; undefined: there is no such file of this length. */
  async read(root: string, files: FilesToRead['files']): Promise<readonly (Buffer | undefined)[]> {
    const { bytes, missing } = (await this.#ask({ read: { root, files } }))!;
    let at = 0;
    return files.map(({ length }, index) => {
      at += length;
      return missing.has(index) ? undefined : Buffer.from(bytes.buffer, at - length, length);
    });
  }

  /** Replaces what is there at these paths, unless it is a link. */
  async write(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): Promise<void> {
    const bytes = new Uint8Array(files.reduce((sum, file) => sum + file.bytes.length, 0));
    let at = 0;
    for (const file of files) {
      bytes.set(file.bytes, at);
      at += file.bytes.length;
    }
    const paths = files.map((file) => ({ path: file.path, length: file.bytes.length }));
    await this.#ask({ write: { files: paths, bytes } }, [bytes.buffer]);
  }

  /** One after the other, until one fails. */
  async rename(files: readonly FileToRename[]): Promise<void> {
    for (let start = 0; start < files.length; start += RENAMED_AT_ONCE)
      await this.#ask({ rename: files.slice(start, start + RENAMED_AT_ONCE) });
  }

  #ask(work: DiskWork, moved: readonly ArrayBuffer[] = []): Promise<FilesRead | undefined> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#started();
    const thread = this.#thread;
    thread.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      thread.postMessage(work, moved);
    });
  }

  #started(): Worker {
    const thread = startThread(ownProgram('artifacts/storage/batch/disk-thread.ts'), { resourceLimits: LIMITS });
    thread.on('message', (answer: DiskAnswer) => {
      const { resolve, reject } = this.#waiting.shift()!;
      if ('done' in answer) resolve(answer.done);
      else reject(Object.assign(new Error(answer.failure.message), answer.failure));
      if (this.#waiting.length === 0) this.#rest(thread);
    });
    const fail = (reason: string) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`The thread for small files has ended: ${reason}`));
    };
    thread.on('error', ({ message }) => fail(message)).on('exit', (code) => fail(`exit code ${code}.`));
    return thread;
  }

  #rest(thread: Worker): void {
    thread.unref();
    this.#idle = setTimeout(() => {
      this.#thread = undefined;
      void thread.terminate();
    }, IDLE_MS).unref();
  }
}
