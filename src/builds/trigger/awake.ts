// Pipelines to look at, each once however often it was woken, and so many at a time.
import { pause } from '../../kit/concurrency/time-slices.ts';

const AT_ONCE = 4;

export class AwakePipelines {
  readonly #look: (key: string) => Promise<unknown>;
  readonly #onFailure: (failure: unknown, key: string) => void;
  readonly #waiting = new Set<string>();
  #workers = 0;
  #isStopped = true;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(look: (key: string) => Promise<unknown>, onFailure: (failure: unknown, key: string) => void) {
    this.#look = look;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#isStopped = false;
    this.#work();
  }

  wake(keys: Iterable<string>): void {
    if (this.#isStopped) return;
    for (const key of keys) this.#waiting.add(key);
    this.#work();
  }

  /** Returns when nobody looks any more; who waits is forgotten. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#ended;
  }

  #work(): void {
    while (this.#workers < Math.min(AT_ONCE, this.#waiting.size)) {
      this.#workers++;
      const worker = this.#drain().finally(() => {
        this.#workers--;
      });
      this.#ended = Promise.all([this.#ended, worker]);
    }
  }

  async #drain(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#look(key).catch((failure: unknown) => this.#onFailure(failure, key));
      const wait = pause();
      if (wait) await wait;
    }
  }
}
