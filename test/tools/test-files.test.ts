// The names after `npm test --`: files, folders and patterns.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { testFilesOf } from '../../tools/tests/test-files.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';

const repository = join(import.meta.dirname, '..', '..');
const FILES = ['test/a.test.ts', 'test/help.ts', 'test/deep/b.test.ts', 'test/deep/er/c.test.ts', 'test/empty/help.ts', 'src/d.test.ts'];
let root: string;
before(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-test-files-'));
  for (const file of FILES) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), "import { test } from 'node:test';\n\ntest('it', () => {});\n");
  }
});
after(() => rmSync(root, { recursive: true, force: true }));

test('no names stand for all files, a folder for the files in it, and each file comes once', () => {
  const sorted = (...names: readonly string[]) => {
    const files = testFilesOf(names, root);
    assert.ok(!('problem' in files), JSON.stringify(files));
    return files.toSorted();
  };
  const inDeep = ['test/deep/b.test.ts', 'test/deep/er/c.test.ts'];
  assert.deepEqual(sorted(), ['src/d.test.ts', 'test/a.test.ts', ...inDeep]);
  for (const name of ['test/deep', 'test/deep/', './test/deep', join(root, 'test', 'deep')]) assert.deepEqual(sorted(name), inDeep, name);
  assert.deepEqual(sorted('test/deep', 'test/deep/b.test.ts', 'test/*.test.ts'), ['test/a.test.ts', ...inDeep]);
});

test('a name without tests is reported, also beside others', () => {
  for (const name of ['test/none.test.ts', 'test/empty', 'test/help.ts', 'nowhere', 'test/x*.test.ts'])
    assert.deepEqual(testFilesOf(['test/a.test.ts', name], root), {
      problem: `No test file fits ${name}. Name files that end with .test.ts, folders with such files, or patterns.`,
    });
});

test('a run of a folder runs its files, and one of a name without any ends with 1 and says so', () => {
  const run = (name: string) =>
    spawnSync(process.execPath, ['tools/tests/run-tests.ts', name], { cwd: repository, encoding: 'utf8', env: bareEnvironment({}) });
  const folder = run(relative(repository, join(root, 'test', 'deep')));
  assert.equal(folder.status, 0, folder.stdout);
  assert.match(folder.stdout, /\n2 passed, 0 failed, 0 skipped\n/);
  const { status, stdout } = run('test/nowhere');
  assert.deepEqual([status, stdout.split('. ')[0]], [1, 'No test file fits test/nowhere']);
});
