// Long work in slices: between them the thread is free for others.
import { setImmediate } from 'node:timers/promises';
import { isSomebodyThere } from './foreground.ts';

/** Called between the steps of long work; waits when it is the turn of others. */
export type Pause = () => Promise<void> | undefined;

const SLICE_MS = 8;
/** Whoever waits for an answer waits for the end of a slice, too. */
const SHORT_SLICE_MS = 2;

export function slices(): Pause {
  const nextEnd = () => performance.now() + (isSomebodyThere() ? SHORT_SLICE_MS : SLICE_MS);
  let end = nextEnd();
  return () => {
    if (performance.now() < end) return undefined;
    return setImmediate().then(() => {
      end = nextEnd();
    });
  };
}
