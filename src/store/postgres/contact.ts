// Whether the database answers and takes writes, and for how long it has not.
import { Refusal } from '../../kit/refusal.ts';
import type { Freshness } from '../database.ts';
import { DatabaseUnavailable } from './refusals.ts';

/** A token that was revoked on another server must stop working, so requests are answered from memory for no longer than this. */
const MAX_STALE_MS = 10_000;
const TOO_LONG = `The database has not answered for more than ${MAX_STALE_MS / 1000} seconds. Try again in a moment.`;

export class Contact {
  readonly #onLost: (failure: unknown) => void;
  readonly #onBack: () => void;
  readonly #onReadOnly: (isReadOnly: boolean) => void;
  #unavailableSince: number | undefined;
  #readOnlySince: number | undefined;
  #answeredAt = performance.now();
  #loss = new AbortController();

  constructor(onLost: (failure: unknown) => void, onBack: () => void, onReadOnly: (isReadOnly: boolean) => void = () => {}) {
    this.#onLost = onLost;
    this.#onBack = onBack;
    this.#onReadOnly = onReadOnly;
  }

  /** Undefined: it answers. */
  get unavailableSince(): number | undefined {
    return this.#unavailableSince;
  }

  /** Undefined: it takes writes, as far as is known. */
  get readOnlySince(): number | undefined {
    return this.#readOnlySince;
  }

  /** To be called when the database has answered. */
  noteAnswer({ isReadOnly }: { readonly isReadOnly: boolean }): void {
    this.#answeredAt = performance.now();
    if (this.#unavailableSince !== undefined) {
      this.#loss = new AbortController();
      this.#unavailableSince = undefined;
      this.#onBack();
    }
    if (isReadOnly === (this.#readOnlySince !== undefined)) return;
    this.#readOnlySince = isReadOnly ? Date.now() : undefined;
    this.#onReadOnly(isReadOnly);
  }

  /** To be called when the database does not answer. */
  noteLoss(failure: unknown): void {
    if (this.#unavailableSince !== undefined) return;
    this.#unavailableSince = Date.now();
    this.#loss.abort(new DatabaseUnavailable(failure));
    this.#onLost(failure);
  }

  /** Aborted as soon as the database does not answer: work that waits for its turn fails then. */
  get lossSignal(): AbortSignal {
    return this.#loss.signal;
  }

  /** Before something is written. */
  mustBeThere(): void {
    if (this.#unavailableSince !== undefined) throw new DatabaseUnavailable();
  }

  /** For reads while the database does not answer. */
  staleness(): Freshness {
    const milliseconds = performance.now() - this.#answeredAt;
    if (milliseconds > MAX_STALE_MS) throw new Refusal('unavailable', TOO_LONG, { retryAfter: 1 });
    return Math.round(milliseconds);
  }
}
