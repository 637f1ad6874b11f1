// Waits for something that comes soon, but not at once.
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';

/** Looks again and again until the condition holds, and returns the last value. */
export async function eventually<T>(read: () => T | Promise<T>, isDone: (value: T) => boolean, everyMs = 10): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(everyMs)) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > end) throw new Error(`After ${PATIENCE_MS} ms it is still ${JSON.stringify(value)}`);
  }
}
