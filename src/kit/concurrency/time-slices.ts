// Long work on the event loop, in time slices. All such work shares the slices, so that requests wait for one slice at most, however much
// of it there is.
import { hasRecentRequests } from './request-activity.ts';

/** Called between the steps of long work; waits when the slice is over. */
export type Pause = () => Promise<void> | undefined;

const SLICE_MS = 8;
/** While requests come in: each may have to wait for the end of a slice. */
const SHORT_SLICE_MS = 2;

const waiting: (() => void)[] = [];
/** When the current slice ends. */
let end = Number.NEGATIVE_INFINITY;

/** Between two steps of long work. */
export function pause(): Promise<void> | undefined {
  return performance.now() < end ? undefined : nextSlice();
}

/** Waits for a slice of its own. For the beginning of work that may begin many times at once. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeOne);
  });
}

/** All that a generator yields, with pauses between its steps. A step that gives nothing yields undefined. */
export async function collectInSlices<T>(steps: Iterable<T | undefined>): Promise<T[]> {
  const all: T[] = [];
  for (const step of steps) {
    if (step !== undefined) all.push(step);
    const wait = pause();
    if (wait) await wait;
  }
  return all;
}

/** What a generator returns, with pauses between its steps. */
export async function runInSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const wait = pause();
    if (wait) await wait;
  }
}

function resumeOne(): void {
  end = performance.now() + (hasRecentRequests() ? SHORT_SLICE_MS : SLICE_MS);
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeOne);
}
