// For promises that are awaited later than they are made.

/** Returns the same promise. Until it is awaited, a rejection does not count as unhandled. */
export function withHandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
