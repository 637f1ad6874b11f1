// Work that is under way and that nobody waits for, until somebody has to.

export class PendingWork {
  readonly #ends = new Set<Promise<unknown>>();

  /** Returns the same work. Whoever began it is told when it fails. */
  add<T>(work: Promise<T>): Promise<T> {
    const end: Promise<unknown> = work.then(
      () => this.#ends.delete(end),
      () => this.#ends.delete(end),
    );
    this.#ends.add(end);
    return work;
  }

  /** Returns when nothing is under way, also of what was begun meanwhile. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }
}
