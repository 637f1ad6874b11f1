// Waits for something that comes soon, but not at once.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

const EVERY_MS = 10;

/** Looks again and again until there is something to be seen, and gives it. */
export async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(EVERY_MS)) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) assert.fail(`${what} has not come`);
  }
}
