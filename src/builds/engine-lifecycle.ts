// Starts and stops the engine, and reloads its in-memory state after a failed write. One step is over before the next.
import { setTimeout as pause } from 'node:timers/promises';

const RELOAD_AFTER_MS = 1000;

export interface EngineLifecycleParts {
  /** Loads the state into memory, and goes on with the active builds. */
  open(): Promise<void>;
  /** Forgets the state in memory. */
  close(): Promise<void>;
  /** At once: nothing may be decided by the state in memory any more. */
  halt(): void;
  onFailure(failure: unknown, message: string): void;
}

export class EngineLifecycle {
  readonly #parts: EngineLifecycleParts;
  /** From a `start` to the next `stop`. */
  #isWanted = false;
  #starting: Promise<void> | undefined;
  #reloading: Promise<void> | undefined;
  /** A write has failed since the state was loaded. */
  #isStale = false;

  constructor(parts: EngineLifecycleParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isWanted = true;
    this.#starting = this.#open();
    try {
      await this.#starting;
    } catch (failure) {
      // Where it was a write, that was reported, and the state is loaded again.
      if (!this.#isStale) throw failure;
    } finally {
      this.#starting = undefined;
    }
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await Promise.allSettled([this.#starting, this.#reloading]);
    await this.#parts.close();
  }

  /** The state in memory is ahead of the tables: all of it is read again. */
  reload(failure: unknown): void {
    this.#parts.onFailure(failure, 'what builds did could not be written');
    this.#parts.halt();
    this.#isStale = true;
    if (!this.#isWanted || this.#reloading) return;
    this.#reloading = this.#openAgain().finally(() => {
      this.#reloading = undefined;
    });
  }

  async #open(): Promise<void> {
    this.#isStale = false;
    await this.#parts.open();
  }

  /** A write that fails now may succeed soon: it is not tried without end in one moment. */
  async #openAgain(): Promise<void> {
    // A start that is under way would go on with the state that is forgotten here.
    await Promise.allSettled([this.#starting]);
    while (this.#isStale && this.#isWanted) {
      try {
        await this.#parts.close();
        await pause(RELOAD_AFTER_MS);
        if (this.#isWanted) await this.#open();
      } catch (failure) {
        this.#isStale = true;
        this.#parts.onFailure(failure, 'builds could not go on after a failed write');
      }
    }
  }
}
