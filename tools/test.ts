// Runs every check in the order of its speed: format and lint, types, floors, then all tests.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
/** Every test file is a process of its own, and all of them read much the same code. */
const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled');
const chosen = process.argv.slice(2);

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['floors', 'node', 'tools/check-floors.ts'],
];

function run(name: string, command: string, args: readonly string[]): void {
  process.stdout.write(`— ${name}\n`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH, NODE_COMPILE_CACHE },
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  process.stdout.write(`${name}: failed\n`);
  process.exit(1);
}

if (chosen.length === 0) for (const [name, command, ...args] of STEPS) run(name, command, args);
run('tests', 'node', ['tools/run-tests.ts', ...chosen]);
