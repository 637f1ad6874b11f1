// Lets many test files run in one process, one after the other: most of the cost of a cheap test is loading and compiling its code.
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startTracking, stopTracking } from './promise-tracking.ts';
import { TestQueue } from './test-queue.ts';

// Loaded here, because the tracking must be loaded before it.
const { after, describe } = await import('node:test');

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
    startTracking();
    // Of a suite at the top, this waits for the last of its hooks.
    await describe(url, { timeout: MAX_FILE_MS }, () => declareTests(url));
  }
  clearInterval(awake);
  // A test that fails may leave a server behind, which would keep the process, and the whole run, from ever ending.
  setTimeout(() => process.exit(), MAX_END_MS).unref();
}

async function declareTests(url: string): Promise<void> {
  after(failByUncaught);
  try {
    await import(url);
  } finally {
    stopTracking();
  }
}

/** Without tracking, the runner knows of no test that such an error belongs to: it fails the file that runs. */
const uncaught: unknown[] = [];
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (failure: unknown) => uncaught.push(failure));

async function failByUncaught(): Promise<void> {
  await setImmediate(); // for those that are under way
  const failures = uncaught.splice(0);
  if (failures.length > 0) throw failures[0];
}
