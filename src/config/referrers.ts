// An index from each target to the entities that name it.
import type { Pause } from '../kit/concurrency/time-slices.ts';

const NONE: ReadonlySet<string> = new Set();

export class Referrers {
  readonly #byTarget = new Map<string, Set<string>>();

  add(referrer: string, targets: Iterable<string>): void {
    for (const target of targets) this.#byTarget.getOrInsertComputed(target, () => new Set()).add(referrer);
  }

  remove(referrer: string, targets: Iterable<string>): void {
    for (const target of targets) {
      const referrers = this.#byTarget.get(target);
      referrers?.delete(referrer);
      if (referrers?.size === 0) this.#byTarget.delete(target);
    }
  }

  of(target: string): ReadonlySet<string> {
    return this.#byTarget.get(target) ?? NONE;
  }

  async copy(pause: Pause): Promise<Referrers> {
    const copy = new Referrers();
    for (const [target, referrers] of this.#byTarget) {
      copy.#byTarget.set(target, new Set(referrers));
      await pause();
    }
    return copy;
  }
}
