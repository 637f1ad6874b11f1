// Work that keeps everybody waiting, done piece by piece: while somebody asks for something it rests in between, in proportion to what it took.
import { setTimeout as delay } from 'node:timers/promises';
import { hasRecentRequests } from './request-activity.ts';

export interface DutyCycleOptions {
  /** Of the time, at most. */
  readonly share: number;
  readonly longestRestMs: number;
}

export class DutyCycle {
  readonly #options: DutyCycleOptions;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(options: DutyCycleOptions) {
    this.#options = options;
  }

  /** One piece; only one is done at a time. */
  async take<T>(piece: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const restMs = hasRecentRequests() ? this.#restsUntil - performance.now() : 0;
    if (restMs > 0) await delay(restMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    const { share, longestRestMs } = this.#options;
    const begunAt = performance.now();
    try {
      return await piece();
    } finally {
      const now = performance.now();
      this.#restsUntil = now + Math.min(longestRestMs, (now - begunAt) / share);
    }
  }
}
