// Reads files in threads of their own: a hostile one harms only its thread, which is ended and replaced.
import type { ChosenFile } from '../../contracts/plugins/config-repo.ts';
import { WorkerFailure, WorkerPool, type WorkerPoolParts } from '../../kit/concurrency/threads/worker-pool.ts';
import type { PackedFile } from './packed.ts';
import type { FromParser, ToParser } from './thread.ts';

/** A file that could not be read by fault of the server or of its limits, and might be another time. The message is for the author of the file. */
export class ParseFailure extends Error {}

export class ParserPool {
  readonly #pool: WorkerPool<ToParser, FromParser>;
  readonly #limitMs: number;

  constructor(parts: WorkerPoolParts) {
    this.#pool = new WorkerPool(parts);
    this.#limitMs = parts.limitMs;
  }

  async parse(plugin: string, file: ChosenFile, bytes: Uint8Array): Promise<PackedFile> {
    const copy = Uint8Array.from(bytes); // transferring moves the whole buffer, and others may share it
    const answer = await this.#pool.run({ plugin, file, bytes: copy }, [copy.buffer]).catch((failure: unknown) => {
      throw failure instanceof WorkerFailure ? this.#explain(failure) : failure;
    });
    if ('packed' in answer) return answer.packed;
    throw new ParseFailure('The plugin failed to read this file.', { cause: new Error(answer.failure) });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #explain(failure: WorkerFailure): ParseFailure {
    const messages = {
      timeout: `Reading the file takes longer than ${this.#limitMs / 1000} seconds.`,
      memory: 'Reading the file takes more memory than a file may.',
      ended: 'The thread that reads files has ended. Ask for an update to try again.',
      closed: 'The server is being stopped.',
    };
    return new ParseFailure(messages[failure.reason], { cause: failure });
  }
}
