// How long to wait before the next attempt to reach a server that is away.
import { setTimeout as wait } from 'node:timers/promises';

const MIN_MS = 100;
const MAX_MS = 5000;

/** Doubles from one failure to the next. A part of it is by chance, so that the agents of a server do not all come back at once. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  next(): number {
    const max = Math.min(MAX_MS, MIN_MS * 2 ** this.#failures++);
    return max / 2 + (max / 2) * this.#random();
  }

  /** Ends early when there is nothing to wait for any more. */
  async pause(signal: AbortSignal): Promise<void> {
    await wait(this.next(), undefined, { signal }).catch((failure: Error) => {
      if (failure.name !== 'AbortError') throw failure;
    });
  }

  reset(): void {
    this.#failures = 0;
  }
}
