// Runs every check: format, lint, floors and sizes first, because they are quick; then all tests, with the types checked beside them; with TEST_DATABASE=both some of them once more on PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { ON_POSTGRES } from './tests/postgres-tests.ts';

const root = join(import.meta.dirname, '..');
const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
/** Most tests are in processes of their own, and all of them read much the same code. */
const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled');
const chosen = process.argv.slice(2);

type Step = readonly [name: string, command: string, ...args: string[]];

const QUICK: readonly Step[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['floors', 'node', 'tools/check-floors.ts'],
  ['sizes', 'node', 'tools/check-sizes.ts'],
];
const TYPES: Step = ['types', 'tsc', '-p', '.'];
const TYPES_OF_PAGES: Step = ['types of pages', 'tsc', '-p', 'pages'];
const TESTS: Step = ['tests', 'node', 'tools/tests/run-tests.ts', ...(chosen.length > 0 ? chosen : ['--retry'])];
const TESTS_ON_POSTGRES: Step = ['tests on PostgreSQL', 'node', 'tools/tests/run-tests.ts', '--retry', ...ON_POSTGRES];

/** Whether it succeeded. Its output is shown at once, or together with its name when it fails. */
async function succeeds([name, command, ...args]: Step, output: 'at once' | 'when it fails', variables = {}): Promise<boolean> {
  if (output === 'at once') process.stdout.write(`— ${name}\n`);
  const child = spawn(command, args, {
    cwd: root,
    stdio: output === 'at once' ? 'inherit' : ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH, NODE_COMPILE_CACHE, ...variables },
    shell: process.platform === 'win32',
  });
  let written = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (written += text));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) process.stdout.write(`\n${written}${name}: failed\n`);
  return status === 0;
}

async function allSucceed(): Promise<boolean> {
  if (chosen.length > 0) return succeeds(TESTS, 'at once');
  for (const step of QUICK) if (!(await succeeds(step, 'at once'))) return false;
  const results = await Promise.all([
    succeeds(TYPES, 'when it fails'),
    succeeds(TYPES_OF_PAGES, 'when it fails'),
    succeeds(TESTS, 'at once'),
  ]);
  if (!results.every((hasPassed) => hasPassed)) return false;
  const { TEST_DATABASE, TEST_DURATIONS: durations } = process.env;
  const variables = { TEST_DATABASE: 'postgres', ...(durations && { TEST_DURATIONS: `${durations}.postgres` }) };
  return TEST_DATABASE !== 'both' || succeeds(TESTS_ON_POSTGRES, 'at once', variables);
}

if (!(await allSucceed())) process.exitCode = 1;
