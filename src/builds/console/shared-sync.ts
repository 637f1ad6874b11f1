// Syncs a file to disk, one sync after the other; requests during a sync share the next one.

export class SharedSync {
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Returns when all that was written before the call is on disk. */
  request(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#begin();
    const begin = () => {
      this.#next = undefined;
      return this.#begin();
    };
    this.#next = this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<void> {
    const running = this.#sync().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
