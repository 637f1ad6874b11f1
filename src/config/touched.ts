// The references changed by edits: for the touched entities they replace those in the index.
import { Referrers } from './referrers.ts';

export class Touched {
  readonly #targets = new Map<string, ReadonlySet<string>>();
  readonly #referrers = new Referrers();

  /** From now on this one names these targets; none when it is gone. */
  set(referrer: string, targets: ReadonlySet<string>): void {
    this.#referrers.remove(referrer, this.#targets.get(referrer) ?? []);
    this.#referrers.add(referrer, targets);
    this.#targets.set(referrer, targets);
  }

  setAll(others: Touched): void {
    for (const [referrer, targets] of others.#targets) this.set(referrer, targets);
  }

  has(referrer: string): boolean {
    return this.#targets.has(referrer);
  }

  of(target: string): ReadonlySet<string> {
    return this.#referrers.of(target);
  }
}
