// Remembers for a short time which credentials were right, because scripts send them with every call.
import type { Identity } from './identity.ts';

const KEEP_MS = 60_000;
const MOST_KEPT = 10_000;

interface Kept {
  readonly identity: Identity;
  readonly until: number;
  readonly world: number;
  readonly source: FreshSource;
}

/** The place an answer came from, and how it looked before it was asked. */
export interface FreshSource {
  readonly freshness: () => string;
  readonly freshAs: string;
}

export class CheckedCredentials {
  readonly #kept = new Map<string, Kept>();
  /** Grows when any kept answer may be wrong. */
  readonly world: () => number;

  constructor(world: () => number) {
    this.world = world;
  }

  find(key: string): Identity | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    if (kept.until > Date.now() && kept.world === this.world() && kept.source.freshAs === kept.source.freshness()) return kept.identity;
    this.#kept.delete(key);
    return undefined;
  }

  /** `world` is the one before the check began: a change that came during the check must not be covered up. */
  keep(key: string, identity: Identity, source: FreshSource, world: number): void {
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, { identity, until: Date.now() + KEEP_MS, world, source });
  }
}
