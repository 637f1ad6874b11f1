// Runs the tests in a few processes, and ends with status 1 when one of them fails: all, or those in the named files, folders and patterns.
//   --retry   files with failures run once more, each alone: those that pass then are named as flaky and do not fail the run
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { FailedFiles } from './failed-files.ts';
import { summarize } from './summary-reporter.ts';
import { recordDurations } from './test-durations.ts';
import { testFilesOf } from './test-files.ts';
import { orderOf, type TestOrder } from './test-order.ts';
import { TestQueue } from './test-queue.ts';

/** More than processors, because many tests wait; not many more, because each process loads and compiles the code for itself. */
const AT_A_TIME = 4;
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;

/** More than this many files do not fail by chance. */
const MAX_RETRIED = 5;

const { values: flags, positionals: chosen } = parseArgs({ options: { retry: { type: 'boolean' } }, allowPositionals: true });
const root = join(import.meta.dirname, '..', '..');
const found = filesOrEnd();
const scratch = scratchDirectory();
process.env.TMPDIR = scratch;
process.env.TEST_RUN_FOLDER = scratch;
process.env.TEST_BUILD = built();
const postgres =
  process.env.TEST_DATABASE === 'postgres' ? await (await import('../../test/support/database/postgres.ts')).startPostgres() : undefined;
if (postgres) process.env.TEST_DATABASE_URL = await postgres.createDatabase();
if (!(await allPass())) process.exitCode = 1;
await postgres?.stop();
rmSync(scratch, { recursive: true, force: true });

function filesOrEnd(): readonly string[] {
  const files = testFilesOf(chosen, root);
  if (!('problem' in files)) return files;
  process.stdout.write(`${files.problem}\n`);
  process.exit(1);
}

async function allPass(): Promise<boolean> {
  const failed = await failedOf(orderOf(found), AT_A_TIME, process.env.TEST_DURATIONS);
  if (failed.length === 0) return true;
  if (!flags.retry || failed.length > MAX_RETRIED) {
    process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
    return false;
  }
  process.stdout.write(`\nOnce more, alone: ${failed.join(', ')}\n`);
  if ((await failedOf({ alone: failed, shared: [] }, 1)).length > 0) return false;
  process.stdout.write(`\nFlaky, to be mended: ${failed.join(', ')}\n`);
  return true;
}

/** Runs them, and shows it. Gives the files with a failure. */
async function failedOf({ alone, shared }: TestOrder, atATime: number, durations?: string): Promise<readonly string[]> {
  const pathOf = (file: string) => join(root, file);
  const queue = new TestQueue(mkdtempSync(join(scratch, 'queue-')), shared.map(pathOf));
  const programs = Array.from({ length: Math.min(atATime, shared.length) }, (_, index) => programOf(queue, index + 1));
  const tests = run({ files: [...alone.map(pathOf), ...programs], concurrency: atATime, cwd: root });
  const failed = new FailedFiles(tests);
  if (durations) recordDurations(tests, durations);
  for await (const text of summarize(tests)) process.stdout.write(text);
  return failed.all(queue).map((path) => relative(root, path));
}

/** Tests that start the server as a program do that dozens of times; from the bundle it takes half as long. */
function built(): string {
  spawnSync(process.execPath, [join(root, 'tools', 'build.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] });
  return join(root, 'build');
}

/** Of a process that takes files from the queue. */
function programOf(queue: TestQueue, number: number): string {
  const program = join(queue.folder, `process ${number}.mjs`);
  const shared = pathToFileURL(join(import.meta.dirname, 'shared-process.ts')).href;
  const args = [queue.folder, queue.files, program].map((word) => JSON.stringify(word));
  writeFileSync(program, `import { runQueue } from '${shared}';\n\nawait runQueue(${args.join(', ')});\n`);
  return program;
}

/** Tests wait mostly for the disk. Where there is much memory, they keep their files there. */
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
