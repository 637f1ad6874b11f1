// A serial queue: work runs one after the other, in the order in which it was asked for.

export class SerialQueue {
  /** Settles when the last work that was asked for has ended; never rejects. */
  #end: Promise<unknown> = Promise.resolve();

  /** The caller gets the failure of its work. Later work runs all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#end.then(work);
    this.#end = result.catch(() => {}); // the caller gets the failure
    return result;
  }

  /** Returns when all that was asked for so far has ended, whether it failed or not. */
  async settled(): Promise<void> {
    await this.#end;
  }
}
