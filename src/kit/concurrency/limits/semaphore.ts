// A semaphore with a bounded queue: so many at a time, so many more wait, and none of them for longer than a limit.
interface Waiter {
  readonly admit: (release: () => void) => void;
}

export class Semaphore {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiter>();
  #taken = 0;

  constructor(max: number, maxWaiting: number, maxWaitMs: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Resolves to the function that releases it; undefined: the queue is full, or the wait took too long. */
  async acquire(): Promise<(() => void) | undefined> {
    if (this.#taken < this.#max) return this.#admit();
    if (this.#waiting.size >= this.#maxWaiting) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiter = {
        admit: (release) => {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, this.#maxWaitMs);
      this.#waiting.add(waiting);
    });
  }

  /** Runs the work when there is a slot for it; throws the refusal when there is none. */
  async run<T>(work: () => Promise<T>, refusal: () => Error): Promise<T> {
    const release = await this.acquire();
    if (!release) throw refusal();
    try {
      return await work();
    } finally {
      release();
    }
  }

  #admit(): () => void {
    this.#taken++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#taken--;
      const [next] = this.#waiting;
      if (!next) return;
      this.#waiting.delete(next);
      next.admit(this.#admit());
    };
  }
}
