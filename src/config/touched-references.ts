// The references changed by edits: for the touched entities they replace those in the index.
import { Referrers } from './referrers.ts';

const NONE: ReadonlySet<string> = new Set();

/** Made several times by every write, and mostly empty. */
export class TouchedReferences {
  #targets: Map<string, ReadonlySet<string>> | undefined;
  #referrers: Referrers | undefined;

  /** Sets the targets that a referrer names from now on; none when it was removed. */
  set(referrer: string, targets: ReadonlySet<string>): void {
    this.#targets ??= new Map();
    this.#referrers ??= new Referrers();
    this.#referrers.remove(referrer, this.#targets.get(referrer) ?? []);
    this.#referrers.add(referrer, targets);
    this.#targets.set(referrer, targets);
  }

  setAll(others: TouchedReferences): void {
    for (const [referrer, targets] of others.#targets ?? []) this.set(referrer, targets);
  }

  has(referrer: string): boolean {
    return this.#targets?.has(referrer) ?? false;
  }

  of(target: string): ReadonlySet<string> {
    return this.#referrers?.of(target) ?? NONE;
  }
}
