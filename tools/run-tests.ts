// Runs the tests in some processes, and ends with status 1 when one of them fails.
//   --retry   files with failures run once more, each alone: those that pass then are named as flaky and do not fail the run
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/postgres.ts';
import { summarize } from './summary-reporter.ts';
import { recordDurations } from './test-durations.ts';
import { groupsOf } from './test-groups.ts';

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** More than processors: many tests wait for something most of the time. */
const AT_A_TIME = 4;
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;

/** More than this many files do not fail by chance. */
const MAX_RETRIED = 5;

const { values: flags, positionals: chosen } = parseArgs({ options: { retry: { type: 'boolean' } }, allowPositionals: true });
const root = join(import.meta.dirname, '..');
const found = globSync(chosen.length > 0 ? chosen : ALL, { cwd: root });
if (found.length === 0) {
  process.stdout.write(`There is no file that fits ${chosen.join(' ')}.\n`);
  process.exit(1);
}
const scratch = scratchDirectory();
process.env.TMPDIR = scratch;
process.env.TEST_RUN_FOLDER = scratch;
process.env.TEST_BUILD = built();
const postgres = process.env.TEST_DATABASE === 'postgres' ? await startPostgres() : undefined;
if (postgres) process.env.TEST_DATABASE_URL = await postgres.createDatabase();
if (!(await allPass())) process.exitCode = 1;
await postgres?.stop();
rmSync(scratch, { recursive: true, force: true });

async function allPass(): Promise<boolean> {
  const failed = await failedOf(groupsOf(found), AT_A_TIME, process.env.TEST_DURATIONS);
  if (failed.length === 0) return true;
  if (!flags.retry || failed.length > MAX_RETRIED) return false;
  process.stdout.write(`\nOnce more, alone: ${failed.join(', ')}\n`);
  const failedAgain = await failedOf(
    failed.map((file) => [file]),
    1,
  );
  if (failedAgain.length > 0) return false;
  process.stdout.write(`\nFlaky, to be mended: ${failed.join(', ')}\n`);
  return true;
}

/** Runs each group in a process of its own, and shows it. Gives the files with a failure. */
async function failedOf(groups: readonly (readonly string[])[], atATime: number, durations?: string): Promise<readonly string[]> {
  const groupOf = new Map(groups.map((group) => [programOf(group), group]));
  const failed = new Set<string>();
  const tests = run({ files: [...groupOf.keys()], concurrency: atATime });
  if (durations) recordDurations(tests, durations);
  tests.on('test:fail', ({ name, file = '' }) => {
    // A file that shares its process is a suite there. With the program of a whole group, the process failed and not one of its tests.
    const path = name.startsWith('file:') ? fileURLToPath(name) : file;
    for (const one of groupOf.get(path) ?? [relative(root, path)]) failed.add(one);
  });
  for await (const text of summarize(tests)) process.stdout.write(text);
  return [...failed];
}

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
