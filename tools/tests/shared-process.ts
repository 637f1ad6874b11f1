// Lets many test files run in one process, one after the other: most of the cost of a cheap test is loading and compiling its code.
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { TestQueue } from './test-queue.ts';

/** Long enough for all that tests have reported to be read. */
const MAX_END_MS = 30_000;
/** A file that takes longer hangs, however busy the machine is. */
const MAX_FILE_MS = 30 * 60_000;

/** Each file is a suite of its own, so its hooks are for its tests alone, and a file that cannot be loaded fails by its name. */
export async function runQueue(folder: string, files: readonly string[], taker: string): Promise<void> {
  // A test may wait for something that keeps no process from ending, such as a timer of the server.
  const awake = setInterval(() => {}, MAX_FILE_MS);
  for (const file of new TestQueue(folder, files).takeAs(taker)) {
    const url = pathToFileURL(file).href;
    // Of a suite at the top, this waits for the last of its hooks.
    await describe(url, { timeout: MAX_FILE_MS }, async () => {
      await import(url);
    });
  }
  clearInterval(awake);
  // A test that fails may leave a server behind, which would keep the process, and the whole run, from ever ending.
  setTimeout(() => process.exit(), MAX_END_MS).unref();
}
