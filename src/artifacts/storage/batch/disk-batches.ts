// Has many small files read, written and renamed by a thread, which is started when it is needed and ends when there is nothing to do for a
// while.
import { chunksOf } from '../../../kit/chunks.ts';
import { startThread } from '../../../kit/concurrency/threads/thread.ts';
import { ThreadClient } from '../../../kit/concurrency/threads/thread-client.ts';
import { ownProgram } from '../../../kit/process/own-program.ts';
import type { DiskAnswer, DiskWork } from './disk-thread.ts';
import type { FilesRead, FilesToRead } from './read-files.ts';
import type { FileToRename } from './write-files.ts';

const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const IDLE_MS = 60_000;

/** Maximum number of files that are renamed by one message, so that none is large. */
const RENAMED_AT_ONCE = 500;

export class DiskBatches {
  readonly #thread = new ThreadClient<DiskWork, DiskAnswer>({
    startThread: () => startThread(ownProgram('artifacts/storage/batch/disk-thread.ts'), { resourceLimits: LIMITS }),
    failureOf: (reason) => new Error(`The thread for small files has ended: ${reason}`),
    idleMs: IDLE_MS,
  });

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
    for (const some of chunksOf(files, RENAMED_AT_ONCE)) await this.#ask({ rename: some });
  }

  async #ask(work: DiskWork, moved: readonly ArrayBuffer[] = []): Promise<FilesRead | undefined> {
    const answer = await this.#thread.ask(work, moved);
    if ('done' in answer) return answer.done;
    throw Object.assign(new Error(answer.failure.message), answer.failure);
  }
}
