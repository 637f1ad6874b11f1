// Remembers for a short time which credentials were right, because scripts send them with every call.
import type { Identity } from '../identity.ts';

const KEEP_MS = 60_000;
const MAX_CACHED = 10_000;
/** How long the source of users is assumed to be as it was: it is asked at every request, so the disk is asked less often. */
const LOOK_AGAIN_MS = 50;

interface CachedCheck {
  readonly identity: Identity;
  readonly until: number;
  readonly generation: number;
  readonly snapshot: SourceSnapshot;
  /** When the version of the source is compared again. */
  recheckAt: number;
}

/** The version that a source of users had before it was asked: its answer counts while `currentVersion` is the same. */
export interface SourceSnapshot {
  readonly currentVersion: () => string;
  readonly version: string;
}

export class CheckedCredentials {
  readonly #checks = new Map<string, CachedCheck>();
  /** Grows when any kept answer may be wrong. */
  readonly generation: () => number;
  readonly #onUse: (identity: Identity) => void;

  /** `onUse` hears of an identity while it is used, not of each use. */
  constructor(generation: () => number, onUse: (identity: Identity) => void) {
    this.generation = generation;
    this.#onUse = onUse;
  }

  find(key: string): Identity | undefined {
    const check = this.#checks.get(key);
    if (!check) return undefined;
    const now = Date.now();
    const isCurrent = check.generation === this.generation() && now < check.until;
    if (isCurrent && (now < check.recheckAt || this.#isFresh(check, now))) return check.identity;
    this.#checks.delete(key);
    return undefined;
  }

  #isFresh(check: CachedCheck, now: number): boolean {
    check.recheckAt = now + LOOK_AGAIN_MS;
    if (check.snapshot.version !== check.snapshot.currentVersion()) return false;
    this.#onUse(check.identity);
    return true;
  }

  /** `generation` is that before the check began: a change that came during the check must not be covered up. */
  keep(key: string, identity: Identity, snapshot: SourceSnapshot, generation: number): void {
    if (this.#checks.size >= MAX_CACHED) this.#checks.clear();
    this.#checks.set(key, { identity, until: Date.now() + KEEP_MS, generation, snapshot, recheckAt: 0 });
  }
}
