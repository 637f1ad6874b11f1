// Lets one at a time work on the same thing; others wait for their turn, in the order in which they came.

export class KeyedMutex {
  /** By the name of the thing: the end of the last who wants it. */
  readonly #ends = new Map<string, Promise<unknown>>();

  /** Who is called away by the signal waits no longer; work that has begun is not ended by it. */
  take<T>(thing: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const callAway = () => reject(signal?.reason);
    const begin = async () => {
      signal?.removeEventListener('abort', callAway);
      if (signal?.aborted) callAway();
      else await work().then(resolve, reject);
    };
    signal?.addEventListener('abort', callAway, { once: true });
    const end = (this.#ends.get(thing) ?? Promise.resolve()).then(begin).then(() => {
      if (this.#ends.get(thing) === end) this.#ends.delete(thing);
    });
    this.#ends.set(thing, end);
    return promise;
  }
}
