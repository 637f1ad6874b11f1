// Runs the tests, each file as a process of its own, and ends with status 1 when one of them fails.
import { globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { summarize } from './summary-reporter.ts';

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** They take long, so they begin first: at the end others still run beside the last of them. */
const LONG = [/^test\/stories\//, /^test\/every-resource/, /^test\/(?:git|backup|mail|materials|events)\//];
/** More than processors: many tests wait for something most of the time. */
const AT_A_TIME = 4;
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;

const chosen = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const found = globSync(chosen.length > 0 ? chosen : ALL, { cwd: root }).toSorted((one, other) => rank(one) - rank(other));
if (found.length === 0) {
  process.stdout.write(`There is no file that fits ${chosen.join(' ')}.\n`);
  process.exit(1);
}
const files = found.map((file) => join(root, file));
const scratch = scratchDirectory();
if (scratch !== undefined) process.env.TMPDIR = scratch;
const tests = run({ files, concurrency: AT_A_TIME });
tests.on('test:fail', () => {
  process.exitCode = 1;
});
for await (const text of summarize(tests)) process.stdout.write(text);
if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });

function rank(file: string): number {
  const place = LONG.findIndex((pattern) => pattern.test(file.replaceAll('\\', '/')));
  return place < 0 ? LONG.length : place;
}

/** Most of what tests wait for is the disk. Where there is much memory, they keep their files there. */
function scratchDirectory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? mkdtempSync(join(IN_MEMORY, 'slipway-tests-')) : undefined;
  } catch {
    return undefined; // no such place, or not for us
  }
}
