// Writes the decisions of the engine in the order in which they were made: decisions that come together share a commit.
import type { CommitWithEvents, WriteWithEvents } from '../store/write-with-events.ts';

interface WaitingWrite {
  readonly write: WriteWithEvents;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

/** Maximum number of writes that share a commit: one that is too large would keep the next ones waiting. */
const MAX_AT_ONCE = 200;

export class BuildWriter {
  readonly #write: CommitWithEvents;
  /** Called when a commit fails. Memory is ahead of the disk then: the engine has to load it anew. */
  readonly #onFailure: (failure: unknown) => void;
  #waiting: WaitingWrite[] = [];
  #newest: Promise<void> = Promise.resolve();
  #running: Promise<void> | undefined;

  constructor(write: CommitWithEvents, onFailure: (failure: unknown) => void) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  /** Returns when it is on disk. */
  commit(write: WriteWithEvents): Promise<void> {
    this.#newest = new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#running ??= this.#drain();
    });
    return this.#newest;
  }

  /** Returns when all that was handed in until now is on disk: they are written in order. */
  written(): Promise<void> {
    return this.#newest;
  }

  /** Returns when nothing waits any more. */
  async settle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // Decisions of the same moment join the batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_AT_ONCE);
      try {
        await this.#write(batch.map(({ write }) => write));
        for (const { resolve } of batch) resolve();
      } catch (failure) {
        // Later decisions count on this one.
        const lost = [...batch, ...this.#waiting.splice(0)];
        for (const { reject } of lost) reject(failure);
        // The failure was that of these commits. Later calls of `written` have nothing to wait for.
        this.#newest = Promise.resolve();
        this.#onFailure(failure);
      }
    }
    // At once, so that the next commit does not rely on a drain that has ended.
    this.#running = undefined;
  }
}
