// Why the login failed, and until when there is no use in trying again.
import { ApiFailure, messageOf } from '../api/failure.ts';

export interface Refusal {
  readonly why: 'throttled' | 'unavailable' | 'other';
  readonly message: string;
  /** In milliseconds since 1970. */
  readonly until?: number;
}

const TOO_MANY = 429;

export function refusalOf(failure: unknown, present: number): Refusal {
  const message = messageOf(failure);
  if (!(failure instanceof ApiFailure)) return { why: 'other', message };
  const until = failure.retryAfter === undefined ? undefined : present + failure.retryAfter * 1000;
  if (failure.status === TOO_MANY) return { why: 'throttled', message, until };
  // While the server starts, the user may try at any time.
  return { why: failure.isUnavailable ? 'unavailable' : 'other', message };
}

export function secondsUntil(until: number | undefined, present: number): number {
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - present) / 1000));
}

/** `wait`: seconds, which shrink while the sentence is read. */
export function sentenceOf({ why, message, until }: Refusal, wait: number): string {
  if (why === 'unavailable') return `${message} Nothing is wrong with what you typed: try again in a moment.`;
  if (why === 'throttled' && until !== undefined)
    return wait > 0
      ? `Too many failed logins. Wait ${wait} ${wait === 1 ? 'second' : 'seconds'}, then try again.`
      : 'Too many failed logins. You can try again now.';
  return message;
}
