// Keys that enable one agent each: for those that the server itself has started.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../kit/bytes/hash.ts';
import type { Clock } from '../../kit/concurrency/clock.ts';
import type { ElasticIdentity } from './agent.ts';

/** Time limit for the use of a key. */
const GOOD_FOR_MS = 30 * 60_000;
const KEY_BYTES = 32;
/** So often those that are too old are forgotten. */
const LOOK_EVERY_MS = 60_000;

export interface OneTimeKey {
  /** For an agent on this machine, which was started by the server. */
  readonly local: boolean;
  /** Good for this agent of a plugin alone, which gets into this environment regardless of its own request. */
  readonly elastic?: ElasticIdentity & { readonly environment: string | null };
}

interface IssuedKey extends OneTimeKey {
  readonly until: number;
}

export class OneTimeKeys {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byHash = new Map<string, IssuedKey>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  issue(options: OneTimeKey): string {
    const key = randomBytes(KEY_BYTES).toString('hex');
    this.#keep(sha256(key), this.#clock.now(), options);
    return key;
  }

  /** One that was issued before this server ran builds; only its hash was kept. */
  restore(hash: string, issuedAt: number, options: OneTimeKey): void {
    this.#keep(hash, Math.min(issuedAt, this.#clock.now()), options);
  }

  /** Looking up a hash reveals nothing about keys that are merely similar. */
  find(key: string): OneTimeKey | undefined {
    const issued = this.#byHash.get(sha256(key));
    return issued && issued.until > this.#clock.now() ? issued : undefined;
  }

  consume(key: string): void {
    this.#byHash.delete(sha256(key));
  }

  clear(): void {
    this.#byHash.clear();
  }

  #keep(hash: string, issuedAt: number, options: OneTimeKey): void {
    const now = this.#clock.now();
    if (now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      for (const [old, { until }] of this.#byHash) if (until <= now) this.#byHash.delete(old);
    }
    this.#byHash.set(hash, { ...options, until: issuedAt + GOOD_FOR_MS });
  }
}
