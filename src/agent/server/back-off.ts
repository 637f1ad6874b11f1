// How long to wait before the next attempt to reach a server that is away.
import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '../../kit/concurrency/retry/exponential-back-off.ts';

const LIMITS = { firstMs: 100, maxMs: 5000 };

/** A part of it is by chance, so that the agents of a server do not all come back at once. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  next(): number {
    const max = backOffMs(LIMITS, ++this.#failures);
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
