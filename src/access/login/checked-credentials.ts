// Remembers for a short time which credentials were right, because scripts send them with every call.
import type { Identity } from '../identity.ts';

const KEEP_MS = 60_000;
const MAX_KEPT = 10_000;
/** How long the source of users is believed to be as it was: it is asked at every request, so the disk is asked less often. */
const LOOK_AGAIN_MS = 50;

interface Kept {
  readonly identity: Identity;
  readonly until: number;
  readonly world: number;
  readonly source: FreshSource;
  sureUntil: number;
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
  readonly #onUse: (identity: Identity) => void;

  /** `onUse` hears of an identity while it is used, not of each use. */
  constructor(world: () => number, onUse: (identity: Identity) => void) {
    this.world = world;
    this.#onUse = onUse;
  }

  find(key: string): Identity | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const now = Date.now();
    if (kept.world === this.world() && now < kept.until && (now < kept.sureUntil || this.#isFresh(kept, now))) return kept.identity;
    this.#kept.delete(key);
    return undefined;
  }

  #isFresh(kept: Kept, now: number): boolean {
    kept.sureUntil = now + LOOK_AGAIN_MS;
    if (kept.source.freshAs !== kept.source.freshness()) return false;
    this.#onUse(kept.identity);
    return true;
  }

  /** `world` is the one before the check began: a change that came during the check must not be covered up. */
  keep(key: string, identity: Identity, source: FreshSource, world: number): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(key, { identity, until: Date.now() + KEEP_MS, world, source, sureUntil: 0 });
  }
}
