// Slows down guessing. One user from one address is locked out for a while after a few failures; failures of a user from other
// addresses, and of other users from the same address, only make each try take longer, so that no attacker can lock out a user.
import { backOffMs } from '../../kit/concurrency/retry/exponential-back-off.ts';
import { RecentFailures } from './recent-failures.ts';

const FREE_FAILURES = 5;
const LOCK_OUT = { firstMs: 1000, maxMs: 60_000 };
const FREE_FAILURES_OF_USER = 20;
const FREE_FAILURES_OF_ADDRESS = 50;
const DELAY_PER_FAILURE_MS = 100;
const MAX_DELAY_MS = 2000;

export interface Claim {
  /** The login name in lower case. */
  readonly login: string;
  readonly address: string;
}

export class Throttle {
  readonly #ofPairs: RecentFailures;
  readonly #ofUsers: RecentFailures;
  readonly #ofAddresses: RecentFailures;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#ofPairs = new RecentFailures(now);
    this.#ofUsers = new RecentFailures(now);
    this.#ofAddresses = new RecentFailures(now);
  }

  /** Seconds for which this user is locked out at this address; 0: a try is welcome. */
  lockOutSeconds(claim: Claim): number {
    const { count, lastAt } = this.#ofPairs.of(pairOf(claim));
    if (count < FREE_FAILURES) return 0;
    const waitMs = backOffMs(LOCK_OUT, count - FREE_FAILURES + 1);
    return Math.max(0, Math.ceil((lastAt + waitMs - this.#now()) / 1000));
  }

  /** How long a try is held back before it is looked at. */
  delayMs({ login, address }: Claim): number {
    const tooMany = Math.max(
      this.#ofUsers.of(login).count - FREE_FAILURES_OF_USER,
      this.#ofAddresses.of(address).count - FREE_FAILURES_OF_ADDRESS,
    );
    return Math.min(Math.max(0, tooMany) * DELAY_PER_FAILURE_MS, MAX_DELAY_MS);
  }

  failed(claim: Claim): void {
    this.#ofPairs.add(pairOf(claim));
    this.#ofUsers.add(claim.login);
    this.#ofAddresses.add(claim.address);
  }

  /** Failed logins of this user from other addresses, or of other users from this address, still count. */
  succeeded(claim: Claim): void {
    this.#ofPairs.forget(pairOf(claim));
  }
}

export function pairOf({ login, address }: Claim): string {
  return `${address} ${login}`;
}
