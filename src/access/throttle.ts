// Slows down guessing: after a few failures of one user from one address, each further try has to wait longer.
const FREE_FAILURES = 5;
const LONGEST_WAIT_SECONDS = 60;
const FORGET_AFTER_MS = 15 * 60_000;
const MOST_REMEMBERED = 10_000;

interface Failures {
  count: number;
  lastAt: number;
}

export class Throttle {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Seconds still to wait; 0 when a try is welcome. */
  waitFor(who: string): number {
    const failures = this.#failures.get(who);
    if (!failures || failures.count < FREE_FAILURES) return 0;
    const wait = Math.min(2 ** (failures.count - FREE_FAILURES), LONGEST_WAIT_SECONDS);
    return Math.max(0, Math.ceil((failures.lastAt + wait * 1000 - this.#now()) / 1000));
  }

  failed(who: string): void {
    const known = this.#failures.get(who);
    const now = this.#now();
    const isRecent = known && now - known.lastAt < FORGET_AFTER_MS;
    this.#failures.delete(who); // set anew, so that the map's order is that of the last failure
    this.#failures.set(who, { count: isRecent ? known.count + 1 : 1, lastAt: now });
    if (this.#failures.size > MOST_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }

  succeeded(who: string): void {
    this.#failures.delete(who);
  }
}
