// A semaphore with a bounded queue: so many at a time, so many more wait, and none of them for longer than a limit.
interface Waiting {
  readonly admit: (release: () => void) => void;
}

export class Semaphore {
  readonly #most: number;
  readonly #maxWaiting: number;
  readonly #longestWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(most: number, maxWaiting: number, longestWaitMs: number) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Resolves to the function that releases it; undefined: the queue is full, or the wait took too long. */
  async acquire(): Promise<(() => void) | undefined> {
    if (this.#taken < this.#most) return this.#admit();
    if (this.#waiting.size >= this.#maxWaiting) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        admit: (release) => {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, this.#longestWaitMs);
      this.#waiting.add(waiting);
    });
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
