// How test files are put into processes, and what is told of those that fail.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { groupsOf } from '../../tools/test-groups.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

const addressOf = (tool: string) => pathToFileURL(join(import.meta.dirname, '..', '..', 'tools', tool)).href;
const SHARED = addressOf('shared-process.ts');
const REPORTER = addressOf('summary-reporter.ts');

test('every file is in one group; long ones are alone or among few, and come first; short ones come last', () => {
  const short = Array.from({ length: 30 }, (_, index) => `src/a/${String(index).padStart(2, '0')}.test.ts`);
  const alone = ['test/stories/one.test.ts', 'test\\stories\\two.test.ts'];
  const long = ['a', 'b', 'c', 'd'].map((name) => `test/mail/${name}.test.ts`);
  const usual = ['test/api/environments.test.ts'];
  const groups = groupsOf([...short, ...long, ...usual, ...alone]);
  assert.deepEqual(groups.slice(0, 5), [[alone[0]], [alone[1]], long.slice(0, 2), long.slice(2), usual]);
  assert.deepEqual(groups.slice(5).flat(), short);
  assert.deepEqual(
    groups.slice(5).map((group) => group.length),
    [10, 10, 10],
  );
  assert.deepEqual(groupsOf([]), []);
  assert.deepEqual(groupsOf(['src/a.test.ts']), [['src/a.test.ts']]);
});

test('files in one process keep their hooks to themselves, and each failure names its file', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-groups-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const place = (name: string, text: string) => {
    writeFileSync(join(directory, name), `import { beforeEach, test } from 'node:test';\n${text}\n`);
    return pathToFileURL(join(directory, name)).href;
  };
  const files = [
    place('hooked.mjs', "let runs = 0;\nbeforeEach(() => { if (++runs > 1) throw new Error('of others'); });\ntest('one', () => {});"),
    place('plain.mjs', "test('two', () => {});\ntest('three', () => { throw new Error('on purpose'); });"),
    place('broken.mjs', "throw new Error('cannot be loaded');"),
  ];
  const program = join(directory, 'all.mjs');
  writeFileSync(program, `import { runTogether } from '${SHARED}';\nrunTogether(${JSON.stringify(files)});\n`);
  const args = ['--test', `--test-reporter=${REPORTER}`, program];
  const { status, stdout: told } = spawnSync(process.execPath, args, { encoding: 'utf8', env: bareEnvironment() });
  assert.equal(status, 1);
  assert.match(told, /\n2 passed, 2 failed, 0 skipped\n$/);
  assert.match(told, /✖ three \(.*plain\.mjs\)\n {2}Error: on purpose/);
  assert.match(told, /✖ file:.*broken\.mjs .*\n {2}Error: cannot be loaded/);
});
