// A duty cycle for background work that holds up requests: while requests come in, it rests after each piece, in proportion to the piece.
import { setTimeout as delay } from 'node:timers/promises';
import { hasRecentRequests } from './request-activity.ts';

export interface DutyCycleOptions {
  /** The time of work in proportion to the time of rest: with 0.5 it rests twice as long as a piece took. */
  readonly share: number;
  readonly maxRestMs: number;
}

export class DutyCycle {
  readonly #options: DutyCycleOptions;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(options: DutyCycleOptions) {
    this.#options = options;
  }

  /** Runs one piece. Pieces must not overlap. */
  async run<T>(piece: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const restMs = hasRecentRequests() ? this.#restsUntil - performance.now() : 0;
    if (restMs > 0) await delay(restMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    const { share, maxRestMs } = this.#options;
    const begunAt = performance.now();
    try {
      return await piece();
    } finally {
      const now = performance.now();
      this.#restsUntil = now + Math.min(maxRestMs, (now - begunAt) / share);
    }
  }
}
