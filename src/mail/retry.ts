// When a mail is tried again, and when no more.
import { backOffMs } from '../kit/concurrency/retry/exponential-back-off.ts';
import type { FailureClassification } from './send-failure.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const MAX_AGE_MS = 5 * DAY_MS;
const BACK_OFF_OF_ONE_MAIL = { firstMs: 30 * SECOND_MS, maxMs: HOUR_MS };
const BACK_OFF_OF_ALL = { firstMs: 10 * SECOND_MS, maxMs: 10 * MINUTE_MS };
/** A mail that may have arrived already is sent again rarely: each time it may arrive once more. */
const DELAYS_IN_DOUBT_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];

/** The counts of the attempts so far, and of those in doubt. */
export interface AttemptCounts {
  readonly attempts: number;
  readonly doubts: number;
}

/** Why a mail is not tried again: refused for good, too old, or handed over without an answer. */
export type Ending = 'refused' | 'expired' | 'unconfirmed';

export type NextStep =
  | { readonly kind: 'retry'; readonly dueAt: string; readonly attempts: number; readonly doubts: number }
  | { readonly kind: 'end'; readonly as: Ending };

export function isTooOld(createdAt: string, now: number): boolean {
  return now - Date.parse(createdAt) >= MAX_AGE_MS;
}

export function afterFailure({ attempts, doubts }: AttemptCounts, failure: FailureClassification, now: number): NextStep {
  if (failure.isFinal) return { kind: 'end', as: 'refused' };
  const retry = (delay: number, counts: { attempts: number; doubts: number }): NextStep => ({
    kind: 'retry',
    dueAt: new Date(now + delay).toISOString(),
    ...counts,
  });
  if (failure.isInDoubt) {
    const delay = DELAYS_IN_DOUBT_MS[doubts];
    return delay === undefined ? { kind: 'end', as: 'unconfirmed' } : retry(delay, { attempts: attempts + 1, doubts: doubts + 1 });
  }
  // Nothing was wrong with this mail: all pause together, and it goes behind the others.
  if (failure.concerns === 'server') return retry(0, { attempts, doubts });
  return retry(backOffMs(BACK_OFF_OF_ONE_MAIL, attempts + 1), { attempts: attempts + 1, doubts });
}

/** How long all mail waits after the mail server has failed this many times in a row. */
export function pauseAfter(failuresInARow: number): number {
  return backOffMs(BACK_OFF_OF_ALL, failuresInARow);
}
