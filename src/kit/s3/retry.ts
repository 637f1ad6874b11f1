// Asks a store again where a request failed for now.
import { setTimeout as delay } from 'node:timers/promises';
import { backOffMs } from '../concurrency/retry/exponential-back-off.ts';
import { BucketFailure } from './failure.ts';

const MAX_ATTEMPTS = 4;
const MAX_PAUSE_MS = 60_000;

export type Retry = <T>(request: () => Promise<T>) => Promise<T>;

/** The pause before the second attempt of a request; each one after that is twice as long. */
export function makeRetry(firstPauseMs: number, signal?: AbortSignal): Retry {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request();
      } catch (failure) {
        if (!(failure instanceof BucketFailure && failure.isTransient) || attempt === MAX_ATTEMPTS) throw failure;
        await delay(backOffMs({ firstMs: firstPauseMs, maxMs: MAX_PAUSE_MS }, attempt), undefined, { signal });
      }
    }
  };
}
