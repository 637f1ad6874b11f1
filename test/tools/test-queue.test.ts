// How processes take test files, and the report of those that fail.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { orderOf } from '../../tools/tests/test-order.ts';
import { TestQueue } from '../../tools/tests/test-queue.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';

const addressOf = (tool: string) => pathToFileURL(join(import.meta.dirname, '..', '..', 'tools', 'tests', tool)).href;
const SHARED = addressOf('shared-process.ts');
const REPORTER = addressOf('summary-reporter.ts');

test('every file is alone or shared; long ones come first, short ones last', () => {
  const short = ['src/a.test.ts', 'src/b.test.ts'];
  const long = ['test/stories/one.test.ts', 'test\\stories\\two.test.ts'];
  const other = ['test/api/pipelines/environments.test.ts', 'test/z.test.ts'];
  const alone = ['src/kit/process/command.test.ts'];
  assert.deepEqual(orderOf([...short, ...alone, ...other, ...long]), { alone, shared: [...long, ...other, ...short] });
  assert.deepEqual(orderOf([]), { alone: [], shared: [] });
});

test('each file of a queue is taken once, by the process that asks first', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-queue-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const files = ['a', 'b', 'c', 'd'];
  const [one, other] = ['one', 'other'].map((name) => new TestQueue(folder, files).takeAs(name));
  assert.deepEqual([one!.next().value, other!.next().value, other!.next().value], ['a', 'b', 'c']);
  const queue = new TestQueue(folder, files);
  assert.deepEqual(
    files.map((file) => queue.takerOf(file)),
    ['one', 'other', 'other', undefined],
  );
  assert.deepEqual([[...one!], [...other!]], [['d'], []]);
});

test('files in one process keep their hooks to themselves, and each failure names its file and its suites', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-shared-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const writeTest = (name: string, text: string) => {
    writeFileSync(join(directory, name), `import { beforeEach, describe, test } from 'node:test';\n${text}\n`);
    return join(directory, name);
  };
  const files = [
    writeTest('hooked.mjs', "let runs = 0;\nbeforeEach(() => { if (++runs > 1) throw new Error('of others'); });\ntest('one', () => {});"),
    writeTest('plain.mjs', "test('two', () => {});\ndescribe('numbers', () => test('three', () => { throw new Error('on purpose'); }));"),
    writeTest('broken.mjs', "throw new Error('cannot be loaded');"),
  ];
  const program = join(directory, 'all.mjs');
  const parameters = [directory, files, program].map((word) => JSON.stringify(word));
  writeFileSync(program, `import { runQueue } from '${SHARED}';\nawait runQueue(${parameters.join(', ')});\n`);
  const args = ['--test', `--test-reporter=${REPORTER}`, program];
  const { status, stdout: output } = spawnSync(process.execPath, args, { encoding: 'utf8', env: bareEnvironment() });
  assert.equal(status, 1);
  assert.match(output, /\n2 passed, 2 failed, 0 skipped\n$/);
  assert.match(output, /✖ numbers › three \(.*plain\.mjs\)\n {2}Error: on purpose/);
  assert.match(output, /✖ file:.*broken\.mjs .*\n {2}Error: cannot be loaded/);
});

test('a process that runs one file after the other ends when there is none left, and not before', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-shared-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  // A timer of 30 seconds, such as the one that ends a process with servers left behind, is over at once here.
  const quick = 'const wait = setTimeout; globalThis.setTimeout = (work, ms) => wait(work, ms >= 30_000 ? 1 : ms);';
  const files = ['one', 'two'].map((name) => {
    writeFileSync(
      join(directory, `${name}.mjs`),
      `import { test } from 'node:test';\ntest('${name}', () => new Promise((end) => setTimeout(end, 100)));\n`,
    );
    return join(directory, `${name}.mjs`);
  });
  const program = join(directory, 'all.mjs');
  const parameters = [directory, files, program].map((word) => JSON.stringify(word));
  writeFileSync(program, `import { runQueue } from '${SHARED}';\n${quick}\nawait runQueue(${parameters.join(', ')});\n`);
  const args = ['--test', `--test-reporter=${REPORTER}`, program];
  const { status, stdout: output } = spawnSync(process.execPath, args, { encoding: 'utf8', env: bareEnvironment() });
  assert.deepEqual([status, /\n2 passed, 0 failed, 0 skipped\n$/.test(output)], [0, true], output);
});
