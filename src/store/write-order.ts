// The order of writes that are decided by the state in memory.

export interface WriteOrder {
  /**
   * Runs work that decides by the state in memory and writes once. It holds a lock: until its `writeTransaction` has committed no other
   * server writes, and what they wrote before is in memory. Work inside of work is part of it.
   */
  serialized<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that only decides and writes, so that it can be repeated. It may first run optimistically, without the lock, which
   * saves a round trip to the database: `isExclusive` is false then, and the write checks that no other server has written meanwhile. If
   * one has, the write throws `StaleDecision`, and the work runs once more, with the lock. A decision that is not written is not checked:
   * without the lock the work must not give it away, but throw `StaleDecision` itself.
   */
  serializedWithRetry<T>(work: (isExclusive: boolean) => Promise<T>): Promise<T>;
  /** Milliseconds; the same clock for all servers. As serialized work sees it, it never goes back. */
  now(): number;
}

/** An optimistic decision may rest on old data. Nothing was written; it is made again with the lock. */
export class StaleDecision extends Error {
  constructor() {
    super('Other servers may have written meanwhile.');
  }
}

/** For a database that only this process writes: work that decides by the state in memory takes turns by mutexes of its own. */
export const SINGLE_PROCESS: WriteOrder = { serialized: (work) => work(), serializedWithRetry: (work) => work(true), now: Date.now };
