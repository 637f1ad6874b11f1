// Lets many test files run in one process, one after the other: most of what a cheap test costs is loading the code it tests.
import { after, describe } from 'node:test';

/** Long enough for all that tests have reported to be read. */
const LONGEST_END_MS = 30_000;

/** Each file is a suite of its own, so its hooks are for its tests alone, and a file that cannot be loaded fails by its name. */
export function runTogether(files: readonly string[]): void {
  // A test that fails may leave a server behind, which would keep the process, and the whole run, from ever ending.
  after(() => void setTimeout(() => process.exit(), LONGEST_END_MS).unref());
  for (const file of files) {
    describe(file, async () => {
      await import(file);
    });
  }
}
