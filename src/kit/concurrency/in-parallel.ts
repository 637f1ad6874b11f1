// Does something with many things, with so many of them at a time.

/** Ends with the first failure; work begun until then is awaited. */
export async function inParallel<T>(items: Iterable<T>, maxConcurrent: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  const one = async () => {
    for (let next = left.next(); !next.done && !hasFailed; next = left.next()) {
      try {
        await work(next.value);
      } catch (failure) {
        hasFailed = true;
        throw failure;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: maxConcurrent }, one));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
