// Whether the database answers, and for how long it has not.
import { Refusal } from '../../kit/refusal.ts';
import type { Freshness } from '../database.ts';
import { DatabaseAway } from './refusals.ts';

/** A token that was revoked on another server must stop working, so requests are answered from memory for no longer than this. */
const LONGEST_STALE_MS = 10_000;
const TOO_LONG = `The database has not answered for more than ${LONGEST_STALE_MS / 1000} seconds. Try again in a moment.`;

export class Contact {
  readonly #onLost: (failure: unknown) => void;
  readonly #onBack: () => void;
  #awaySince: number | undefined;
  #heardAt = performance.now();
  #presence = new AbortController();

  constructor(onLost: (failure: unknown) => void, onBack: () => void) {
    this.#onLost = onLost;
    this.#onBack = onBack;
  }

  /** Undefined: it answers. */
  get awaySince(): number | undefined {
    return this.#awaySince;
  }

  /** It has answered. */
  hear(): void {
    this.#heardAt = performance.now();
    if (this.#awaySince === undefined) return;
    this.#presence = new AbortController();
    this.#awaySince = undefined;
    this.#onBack();
  }

  lose(failure: unknown): void {
    if (this.#awaySince !== undefined) return;
    this.#awaySince = Date.now();
    this.#presence.abort(new DatabaseAway(failure));
    this.#onLost(failure);
  }

  /** Aborted as soon as the database does not answer: work that waits for its turn fails then. */
  get presence(): AbortSignal {
    return this.#presence.signal;
  }

  /** Before something is written. */
  mustBeThere(): void {
    if (this.#awaySince !== undefined) throw new DatabaseAway();
  }

  /** For reads while the database does not answer. */
  staleness(): Freshness {
    const milliseconds = performance.now() - this.#heardAt;
    if (milliseconds > LONGEST_STALE_MS) throw new Refusal('unavailable', TOO_LONG, { retryAfter: 1 });
    return Math.round(milliseconds);
  }
}
