// Counts failures by name, and forgets those that are long ago.
import { setNewest } from '../../kit/newest-entries.ts';

const FORGET_AFTER_MS = 15 * 60_000;
const MAX_REMEMBERED = 10_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

export class RecentFailures {
  readonly #failures = new Map<string, Failures>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(name: string): Failures {
    const known = this.#failures.get(name);
    return known && this.#now() - known.lastAt < FORGET_AFTER_MS ? known : { count: 0, lastAt: 0 };
  }

  add(name: string): void {
    const { count } = this.of(name);
    setNewest(this.#failures, name, { count: count + 1, lastAt: this.#now() }, MAX_REMEMBERED);
  }

  forget(name: string): void {
    this.#failures.delete(name);
  }
}
