// A mutex for each key: work with the same key runs one after the other, in the order in which it was asked for.

export class KeyedMutex {
  /** By key: settles when the last work that was asked for has ended. */
  readonly #ends = new Map<string, Promise<unknown>>();

  /** The signal ends the wait, but not work that has begun. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const abort = () => reject(signal?.reason);
    const begin = async () => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) abort();
      else await work().then(resolve, reject);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const end = (this.#ends.get(key) ?? Promise.resolve()).then(begin).then(() => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    });
    this.#ends.set(key, end);
    return promise;
  }
}
