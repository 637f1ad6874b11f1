// Waits for something that comes soon, but not at once.
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_WAIT_MS = 30_000;

/** Looks again and again until it is so, and gives what it saw. */
export async function eventually<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean, everyMs = 10): Promise<T> {
  for (const end = Date.now() + LONGEST_WAIT_MS; ; await pause(everyMs)) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > end) throw new Error(`After ${LONGEST_WAIT_MS} ms it is still ${JSON.stringify(seen)}`);
  }
}
