// The pipelines whose triggers are to be evaluated: each once however often it was woken, and so many at a time.
import { PendingWork } from '../../kit/concurrency/pending-work.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';

const AT_ONCE = 4;

export class TriggerQueue {
  readonly #check: (key: string) => Promise<unknown>;
  readonly #onFailure: (failure: unknown, key: string) => void;
  readonly #waiting = new Set<string>();
  readonly #pending = new PendingWork();
  #workers = 0;
  #isStopped = true;

  constructor(check: (key: string) => Promise<unknown>, onFailure: (failure: unknown, key: string) => void) {
    this.#check = check;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#isStopped = false;
  }

  wake(keys: Iterable<string>): void {
    if (this.#isStopped) return;
    for (const key of keys) this.#waiting.add(key);
    for (let free = AT_ONCE - this.#workers; free > 0 && this.#waiting.size > 0; free--) void this.#pending.add(this.#drain());
  }

  /** Returns when the checks under way have ended; pipelines that wait are forgotten. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#pending.ended();
  }

  async #drain(): Promise<void> {
    this.#workers++;
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#check(key).catch((failure: unknown) => this.#onFailure(failure, key));
      const wait = pause();
      if (wait) await wait;
    }
    // At once when no pipeline waits any more: the next one that is woken needs another worker.
    this.#workers--;
  }
}
