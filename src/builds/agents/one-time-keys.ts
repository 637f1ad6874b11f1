// Keys that enable one agent each: for those that the server itself has started.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../kit/bytes/hash.ts';
import type { Clock } from '../../kit/concurrency/clock.ts';
import type { ElasticIdentity } from './agent.ts';

/** So long a key is good. */
export const GOOD_FOR_MS = 30 * 60_000;
const KEY_BYTES = 32;

export interface OneTimeKey {
  /** For an agent on this machine, which was started by the server. */
  readonly local: boolean;
  /** Good for this agent of a plugin alone, which gets into this environment whatever it asks for. */
  readonly elastic?: ElasticIdentity & { readonly environment: string | null };
}

interface Issued extends OneTimeKey {
  readonly until: number;
}

export class OneTimeKeys {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #byHash = new Map<string, Issued>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  issue(options: OneTimeKey): string {
    const now = this.#clock.now();
    for (const [hash, { until }] of this.#byHash) if (until <= now) this.#byHash.delete(hash);
    const key = randomBytes(KEY_BYTES).toString('hex');
    this.#byHash.set(sha256(key), { ...options, until: now + GOOD_FOR_MS });
    return key;
  }

  /** One that was issued before this server ran builds; only its hash was kept. */
  restore(hash: string, issuedAt: number, options: OneTimeKey): void {
    this.#byHash.set(hash, { ...options, until: issuedAt + GOOD_FOR_MS });
  }

  /** Looking up a hash tells nothing about keys that are merely similar. */
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
}
