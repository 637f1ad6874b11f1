// A semaphore shared fairly between keys: they take turns, so no key waits behind all work of another one.
interface Waiter {
  readonly start: () => void;
}

export interface FairSemaphoreLimits {
  /** How much runs at a time, in all and for one key. */
  readonly max: number;
  readonly maxPerKey: number;
  /** How much waits for one key. */
  readonly maxWaitingPerKey: number;
}

export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits;
  /** By key, in the order of their turns: a key that had its turn goes to the end. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #running = new Map<string, number>();
  #taken = 0;

  constructor(limits: FairSemaphoreLimits) {
    this.#limits = limits;
  }

  /** Undefined when too much waits for this key already. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const waiting = this.#waiting.getOrInsertComputed(key, () => []);
    if (waiting.length >= this.#limits.maxWaitingPerKey) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ start: resolve });
    this.#startNext();
    return promise.then(work).finally(() => {
      this.#taken--;
      this.#add(key, -1);
      this.#startNext();
    });
  }

  #startNext(): void {
    for (const [key, waiting] of this.#waiting) {
      if (this.#taken >= this.#limits.max) return;
      if ((this.#running.get(key) ?? 0) >= this.#limits.maxPerKey) continue;
      const next = waiting.shift();
      this.#waiting.delete(key);
      if (waiting.length > 0) this.#waiting.set(key, waiting);
      if (!next) continue;
      this.#taken++;
      this.#add(key, 1);
      next.start();
    }
  }

  #add(key: string, change: number): void {
    const running = (this.#running.get(key) ?? 0) + change;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
  }
}
