// Long work in slices: between them the thread is free for others.
import { setImmediate } from 'node:timers/promises';

/** Called between the steps of long work; waits when it is the turn of others. */
export type Pause = () => Promise<void> | undefined;

const SLICE_MS = 8;

export function slices(): Pause {
  let end = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < end) return undefined;
    return setImmediate().then(() => {
      end = performance.now() + SLICE_MS;
    });
  };
}
