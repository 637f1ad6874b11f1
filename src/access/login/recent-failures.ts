// Counts failures by name, and forgets those that are long ago.
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
    this.#failures.delete(name); // set anew, so that the map's order is that of the last failure
    this.#failures.set(name, { count: count + 1, lastAt: this.#now() });
    if (this.#failures.size > MAX_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }

  forget(name: string): void {
    this.#failures.delete(name);
  }
}
