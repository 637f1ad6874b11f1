// Which runs are listed while new ones come. Nothing jumps: while the user reads further down, the list keeps its first run.
import type { Run } from './run.ts';

export interface RunList {
  readonly runs: readonly Run[];
  /** How many newer runs wait above. */
  readonly waiting: number;
}

/** `before`: the listed runs. `fresh`: the runs just read, the newest first. `isHeld`: whether the user reads further down. */
export function nextList(before: readonly Run[], fresh: readonly Run[], isHeld: boolean): RunList {
  const [first] = before;
  const [newest, oldest] = [fresh[0], fresh.at(-1)];
  if (!isHeld || first === undefined || newest === undefined || oldest === undefined) return { runs: fresh, waiting: 0 };
  const listed = fresh.filter(({ counter }) => counter <= first.counter);
  // New runs push the oldest ones out of the pages that are read.
  const pushedOut = before.filter(({ counter }) => counter < oldest.counter);
  // Counted by their numbers: there may be more of them than were read.
  return { runs: [...listed, ...pushedOut], waiting: Math.max(0, newest.counter - first.counter) };
}
