// Lets many test files run in one process, one after the other: most of what a cheap test costs is loading the code it tests.
import { describe } from 'node:test';

/** Each file is a suite of its own, so its hooks are for its tests alone, and a file that cannot be loaded fails by its name. */
export function runTogether(files: readonly string[]): void {
  for (const file of files) {
    describe(file, async () => {
      await import(file);
    });
  }
}
