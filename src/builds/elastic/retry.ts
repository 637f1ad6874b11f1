// When an agent that could not be had is tried again.
import { backOffMs } from '../../kit/concurrency/retry/exponential-back-off.ts';

export interface Failures {
  readonly count: number;
  /** When the last one was. */
  readonly at: number;
  readonly message: string;
}

const BACK_OFF = { firstMs: 10_000, maxMs: 5 * 60_000 };

export function failedAgain(before: Failures | undefined, message: string, at: number): Failures {
  return { count: (before?.count ?? 0) + 1, at, message };
}

export function retryAt({ count, at }: Failures): number {
  return at + backOffMs(BACK_OFF, count);
}
