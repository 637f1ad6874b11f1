// The order of writes that are decided by the state in memory.

export interface WriteOrder {
  /**
   * Runs work that decides by the state in memory and writes once: from its begin to its `writeTransaction` no other server writes, and
   * their earlier writes are in memory. Work inside of work is part of it.
   */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The same for work that only decides and writes, so that it can be done again. If it is not certain that no other server writes
   * meanwhile, its decision must not get out before it is written: where it would, the work throws `NotCertain`, and so does a write
   * when another server has written in between. Then the work is done once more, and is certain.
   */
  inOrderRepeatable<T>(work: (isCertain: boolean) => Promise<T>): Promise<T>;
  /** Milliseconds; the same clock for all servers. In order it never goes back. */
  now(): number;
}

/** The decision may rest on old data. Nothing was written. */
export class NotCertain extends Error {
  constructor() {
    super('Other servers may have written meanwhile.');
  }
}

/** One process writes alone, and work in it that decides by the state in memory takes turns by mutexes of its own. */
export const ALONE: WriteOrder = { inOrder: (work) => work(), inOrderRepeatable: (work) => work(true), now: Date.now };
