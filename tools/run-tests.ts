// Runs the tests in some processes, and ends with status 1 when one of them fails.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startPostgres } from '../test/support/postgres.ts';
import { summarize } from './summary-reporter.ts';
import { recordDurations } from './test-durations.ts';
import { groupsOf } from './test-groups.ts';

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** More than processors: many tests wait for something most of the time. */
const AT_A_TIME = 4;
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;

const chosen = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const found = globSync(chosen.length > 0 ? chosen : ALL, { cwd: root });
if (found.length === 0) {
  process.stdout.write(`There is no file that fits ${chosen.join(' ')}.\n`);
  process.exit(1);
}
const scratch = scratchDirectory();
process.env.TMPDIR = scratch;
process.env.TEST_BUILD = built();
const postgres = process.env.TEST_DATABASE === 'postgres' ? await startPostgres() : undefined;
if (postgres) process.env.TEST_DATABASE_URL = await postgres.createDatabase();
const tests = run({ files: groupsOf(found).map(programOf), concurrency: AT_A_TIME });
if (process.env.TEST_DURATIONS) recordDurations(tests, process.env.TEST_DURATIONS);
tests.on('test:fail', () => {
  process.exitCode = 1;
});
for await (const text of summarize(tests)) process.stdout.write(text);
await postgres?.stop();
rmSync(scratch, { recursive: true, force: true });

/** Tests that start the server as a program do that dozens of times; from the bundle it takes half as long. */
function built(): string {
  spawnSync(process.execPath, [join(import.meta.dirname, 'build.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] });
  return join(root, 'build');
}

/** The one file that a process is given. */
function programOf(group: readonly string[]): string {
  const [first, ...others] = group.map((file) => join(root, file));
  if (others.length === 0) return first!;
  const program = join(scratch, `${group[0]!.replaceAll(/[\\/]/g, '-')} and ${others.length} more.mjs`);
  const files = [first!, ...others].map((file) => pathToFileURL(file).href);
  const shared = pathToFileURL(join(import.meta.dirname, 'shared-process.ts')).href;
  writeFileSync(program, `import { runTogether } from '${shared}';\n\nrunTogether(${JSON.stringify(files, null, 2)});\n`);
  return program;
}

/** Most of what tests wait for is the disk. Where there is much memory, they keep their files there. */
function scratchDirectory(): string {
  return mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'slipway-tests-'));
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false; // no such place, or not for us
  }
}
