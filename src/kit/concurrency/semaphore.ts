// Lets only so many do something at a time; others wait their turn, but not too many and not for long.
interface Waiting {
  readonly admit: (giveBack: () => void) => void;
}

export class Semaphore {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #longestWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(most: number, mostWaiting: number, longestWaitMs: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Gives what must be called when it is done; undefined: too many want it now. */
  async take(): Promise<(() => void) | undefined> {
    if (this.#taken < this.#most) return this.#give();
    if (this.#waiting.size >= this.#mostWaiting) return undefined;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        admit: (giveBack) => {
          clearTimeout(timer);
          resolve(giveBack);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
      }, this.#longestWaitMs);
      this.#waiting.add(waiting);
    });
  }

  #give(): () => void {
    this.#taken++;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.#taken--;
      const [next] = this.#waiting;
      if (!next) return;
      this.#waiting.delete(next);
      next.admit(this.#give());
    };
  }
}
