// A mutex for each key with shared or exclusive holders: an exclusive one waits for all before it, and all later ones wait for it.

interface Holders {
  /** Settles when the last exclusive holder is done. */
  alone: Promise<unknown>;
  /** The ends of the shared holders, running or waiting. */
  together: Promise<unknown>[];
  count: number;
}

export class SharedMutex {
  readonly #holders = new Map<string, Holders>();

  together<T>(key: string, work: () => Promise<T>): Promise<T> {
    const holders = this.#of(key);
    const result = holders.alone.then(work);
    const end = this.#released(key, holders, result);
    holders.together.push(end);
    void end.then(() => (holders.together = holders.together.filter((one) => one !== end)));
    return result;
  }

  alone<T>(key: string, work: () => Promise<T>): Promise<T> {
    const holders = this.#of(key);
    const result = Promise.all([holders.alone, ...holders.together]).then(work);
    holders.together = [];
    holders.alone = this.#released(key, holders, result);
    return result;
  }

  #of(key: string): Holders {
    const holders = this.#holders.getOrInsertComputed(key, () => ({ alone: Promise.resolve(), together: [], count: 0 }));
    holders.count++;
    return holders;
  }

  /** Never rejects: the caller gets the failure from `result`. */
  #released(key: string, holders: Holders, result: Promise<unknown>): Promise<void> {
    const release = () => {
      if (--holders.count === 0) this.#holders.delete(key);
    };
    return result.then(release, release);
  }
}
