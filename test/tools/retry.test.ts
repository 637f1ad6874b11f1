// A file that fails by chance does not fail the whole run, and is named.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { bareEnvironment } from '../support/server/bare-environment.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-retry-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A test file with this body; `once` in it is true the first time only. */
function testFile(name: string, body: string): string {
  const [path, mark] = [join(folder, name), join(folder, `${name}.seen`)];
  const once = `const once = !existsSync(${JSON.stringify(mark)}); writeFileSync(${JSON.stringify(mark)}, '');`;
  const imports = "import { existsSync, writeFileSync } from 'node:fs';\nimport { test } from 'node:test';";
  writeFileSync(path, `${imports}\n${once}\ntest('it', () => { ${body} });\n`);
  return relative(root, path);
}

function runOf(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, ['tools/tests/run-tests.ts', ...args], { cwd: root, encoding: 'utf8', env: bareEnvironment({}) });
}

test('a file that fails once is flaky', () => {
  const file = testFile('once.test.mjs', "if (once) throw new Error('by chance');");
  const { status, stdout } = runOf('--retry', file);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /by chance/);
  assert.match(stdout, /Flaky, to be mended: .*once\.test\.mjs/);
});

test('a file that fails each time has failed', () => {
  const { status, stdout } = runOf('--retry', testFile('always.test.mjs', "throw new Error('for good');"));
  assert.equal(status, 1, stdout);
  assert.doesNotMatch(stdout, /Flaky/);
});

test('a file that fails once has failed without --retry', () => {
  assert.equal(runOf(testFile('unwanted.test.mjs', "if (once) throw new Error('by chance');")).status, 1);
});

test('a file that ends its process is named, and all others run', () => {
  const others = ['first', 'second', 'third'].map((name) => testFile(`${name}.test.mjs`, ''));
  const file = testFile('exit.test.mjs', 'if (once) process.exit(7);');
  const { status, stdout } = runOf('--retry', file, ...others);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /exit status 7/);
  assert.match(stdout, /\n3 passed, 1 failed, 0 skipped\n/);
  assert.match(stdout, /Flaky, to be mended: \S*exit\.test\.mjs\n/);
});

test('a file with an error after its end has failed, and is named', () => {
  const file = testFile('late.test.mjs', "setTimeout(() => { throw new Error('too late'); });");
  const { status, stdout } = runOf(file);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /too late/);
  assert.match(stdout, /Failed: \S*late\.test\.mjs\n/);
});

test('a file with an error that no test has caught has failed with that error, and the others have passed', () => {
  const others = ['before', 'between', 'behind'].map((name) => testFile(`${name}.test.mjs`, ''));
  const thrown = testFile(
    'uncaught.test.mjs',
    "return new Promise((done) => { setTimeout(done, 50); process.nextTick(() => { throw new Error('loose'); }); });",
  );
  const rejected = testFile('unhandled.test.mjs', "Promise.reject(new Error('forgotten'));");
  const { status, stdout } = runOf(thrown, rejected, ...others);
  assert.equal(status, 1, stdout);
  for (const message of ['loose', 'forgotten']) assert.match(stdout, new RegExp(`Error: ${message}\n *at`));
  const named = /Failed: (.*)\n/.exec(stdout)?.[1]?.split(', ');
  assert.deepEqual(named?.toSorted(), [thrown, rejected].toSorted());
});

test('when all processes end early, files that did not run have failed', () => {
  const files = Array.from({ length: 12 }, (_, index) => testFile(`end-${index}.test.mjs`, 'process.exit(7);'));
  const { status, stdout } = runOf('--retry', ...files);
  assert.equal(status, 1, stdout);
  const named = /Failed: (.*)\n/.exec(stdout)?.[1]?.split(', ');
  assert.deepEqual(named?.toSorted(), files.toSorted());
});

test('a file that ends its process with status 0 has failed', () => {
  const file = testFile('end.test.mjs', 'process.exit(0);');
  const { status, stdout } = runOf(file);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /Failed: \S*end\.test\.mjs\n/);
});
