// Long work in slices: between them the thread is free for others. All such work shares them, so that it is never in the way for longer
// than one slice at a time, however much of it there is.
import { hasRecentRequests } from './request-activity.ts';

/** Called between the steps of long work; waits when it is the turn of others. */
export type Pause = () => Promise<void> | undefined;

const SLICE_MS = 8;
/** Whoever waits for an answer waits for the end of a slice, too. */
const SHORT_SLICE_MS = 2;

const waiting: (() => void)[] = [];
/** Of the slice of whoever went on last. */
let end = Number.NEGATIVE_INFINITY;

/** Between two steps of long work. */
export function pause(): Promise<void> | undefined {
  return performance.now() < end ? undefined : nextTurn();
}

/** For the beginning of a piece of work, of which others may begin at the same time: one follows the other, and others have their turn in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letOneGoOn);
  });
}

function letOneGoOn(): void {
  end = performance.now() + (hasRecentRequests() ? SHORT_SLICE_MS : SLICE_MS);
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(letOneGoOn);
}
