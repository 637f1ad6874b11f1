// Has many small files read by a thread, which is started when it is needed and ends when there is nothing to do for a while.
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../kit/concurrency/thread.ts';
import { ownProgram } from '../../../kit/process/own-program.ts';
import type { DiskAnswer } from './disk-thread.ts';
import type { FilesRead, FilesToRead } from './disk-work.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const IDLE_MS = 60_000;

interface Waiting {
  readonly resolve: (done: FilesRead) => void;
  readonly reject: (failure: Error) => void;
}

export class DiskBatches {
  #thread: Worker | undefined;
  readonly #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;

  /** In this order; undefined: there is no such file of this length. */
  async read(root: string, files: FilesToRead['files']): Promise<readonly (Buffer | undefined)[]> {
    const { bytes, missing } = await this.#ask({ root, files });
    let at = 0;
    return files.map(({ length }, index) => {
      at += length;
      return missing.has(index) ? undefined : Buffer.from(bytes.buffer, at - length, length);
    });
  }

  #ask(work: FilesToRead): Promise<FilesRead> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#started();
    const thread = this.#thread;
    thread.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      thread.postMessage(work);
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
