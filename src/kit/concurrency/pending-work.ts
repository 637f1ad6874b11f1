// Work that runs in the background, until a caller has to wait for its end.

export class PendingWork {
  readonly #ends = new Set<Promise<unknown>>();

  /** Returns the same promise: the caller handles its failure. */
  add<T>(work: Promise<T>): Promise<T> {
    const end: Promise<unknown> = work.then(
      () => this.#ends.delete(end),
      () => this.#ends.delete(end),
    );
    this.#ends.add(end);
    return work;
  }

  /** Returns when nothing is under way, including work begun meanwhile. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }
}
