// Waiting until something is so: looks again and again, for so long and no longer.
import { setTimeout as pause } from 'node:timers/promises';

const CHECK_EVERY_MS = 100;

/** The value that `check` found at last, or undefined when it found none in this time, or when the signal was aborted. */
export async function waitFor<T>(check: () => T | undefined, milliseconds: number, signal: AbortSignal): Promise<T | undefined> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const found = check();
    const left = deadline - performance.now();
    if (found !== undefined || left <= 0 || signal.aborted) return found;
    await pause(Math.min(left, CHECK_EVERY_MS), undefined, { signal }).catch(() => {});
  }
}
