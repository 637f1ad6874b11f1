// The order in which those write who decide by what they see.

export interface WriteOrder {
  /**
   * Runs work that decides by what is in memory and writes once: from its begin to its `writeTransaction` no other server writes, and
   * what they have written before is in memory. Work inside of work is part of it.
   */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds; the same clock for all servers. In order it never goes back. */
  now(): number;
}

/** One process writes alone, and those in it who decide by what they see take turns by themselves. */
export const ALONE: WriteOrder = { inOrder: (work) => work(), now: Date.now };
