// How many connections are tried out at a time: each starts programs, or holds data of another server.
import { keyOf } from '../../../access/users/users.ts';
import { Semaphore } from '../../../kit/concurrency/limits/semaphore.ts';
import { Refusal } from '../../../kit/refusal.ts';

export interface LaneLimits {
  readonly max: number;
  /** Fewer than `max`: connections of one user that do not answer do not block other users. */
  readonly maxOfUser: number;
  readonly waitingOfUser: number;
  readonly maxWaitMs: number;
}

const LIMITS: LaneLimits = { max: 12, maxOfUser: 3, waitingOfUser: 6, maxWaitMs: 60_000 };
const RETRY_AFTER_SECONDS = 30;
export const TOO_MANY = 'Too many connections are being tried out. Try again in a moment.';
export const LIMITS_TEXT = `At most ${LIMITS.maxOfUser} connections of one user are tried out at a time. ${LIMITS.waitingOfUser} more wait; others are refused with 429.`;

export class CheckLanes {
  readonly #limits: LaneLimits;
  readonly #all: Semaphore;
  readonly #byUser = new Map<string, Semaphore>();

  constructor(limits: LaneLimits = LIMITS) {
    this.#limits = limits;
    this.#all = new Semaphore(limits.max, Number.POSITIVE_INFINITY, limits.maxWaitMs);
  }

  /** Refused when too many are under way. */
  run<T>(loginName: string, work: () => Promise<T>): Promise<T> {
    const { maxOfUser, waitingOfUser, maxWaitMs } = this.#limits;
    const own = this.#byUser.getOrInsertComputed(keyOf(loginName), () => new Semaphore(maxOfUser, waitingOfUser, maxWaitMs));
    return own.run(() => this.#all.run(work, refusal), refusal);
  }
}

function refusal(): Refusal {
  return new Refusal('tooMany', TOO_MANY, { retryAfter: RETRY_AFTER_SECONDS });
}
