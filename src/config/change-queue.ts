// The order in which changes come about: small ones that arrive together are applied together, a large one runs alone.

/** A change that has the configuration for itself while it runs. */
interface ExclusiveChange {
  run(): Promise<void>;
}

interface SmallChange<T> {
  readonly small: T;
}

const MAX_AT_ONCE = 100;

/** Takes the queued changes that are to be applied together; called as late as possible. */
export type TakeBatch<T> = () => readonly T[];

export class ChangeQueue<T> {
  readonly #applyTogether: (take: TakeBatch<T>) => Promise<void>;
  readonly #waiting: (SmallChange<T> | ExclusiveChange)[] = [];
  #isDraining = false;

  /** `applyTogether` applies a batch. It and the functions given to `runExclusive` report failures to their callers: they must not reject. */
  constructor(applyTogether: (take: TakeBatch<T>) => Promise<void>) {
    this.#applyTogether = applyTogether;
  }

  add(small: T): void {
    this.#enqueue({ small });
  }

  runExclusive(run: () => Promise<void>): void {
    this.#enqueue({ run });
  }

  #enqueue(one: SmallChange<T> | ExclusiveChange): void {
    this.#waiting.push(one);
    if (this.#isDraining) return;
    this.#isDraining = true;
    // Deferred, so that changes that arrive in the same turn of the event loop share one commit, and so one wait for the disk.
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if ('run' in first) {
        this.#waiting.shift();
        await first.run();
      } else {
        await this.#applyTogether(() => this.#takeSmall());
      }
    }
    this.#isDraining = false;
  }

  /** Takes the small changes that are queued before the next exclusive one. */
  #takeSmall(): T[] {
    const next = this.#waiting.findIndex((one) => 'run' in one);
    const batch = this.#waiting.splice(0, Math.min(MAX_AT_ONCE, next < 0 ? MAX_AT_ONCE : next));
    return batch.flatMap((one) => ('small' in one ? [one.small] : []));
  }
}
