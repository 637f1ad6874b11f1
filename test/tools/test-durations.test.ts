// How long tests took is written to a file when TEST_DURATIONS names one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bareEnvironment } from '../support/server/bare-environment.ts';

const root = join(import.meta.dirname, '..', '..');
const FILES = ['src/kit/text/closest.test.ts', 'src/kit/form/form.test.ts'].toSorted();

test('tests, files and processes are listed, the longest first', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-durations-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const target = join(directory, 'durations.tsv');
  const env = bareEnvironment({ TEST_DURATIONS: target });
  const { status, stdout } = spawnSync(process.execPath, ['tools/tests/run-tests.ts', ...FILES], { cwd: root, encoding: 'utf8', env });
  assert.equal(status, 0, stdout);
  const rows = readFileSync(target, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const times = rows.map(([ms]) => Number(ms));
  assert.deepEqual(
    times,
    times.toSorted((one, other) => other - one),
  );
  const ofKind = (kind: string) => rows.filter((row) => row[1] === kind);
  assert.equal(ofKind('process').length, FILES.length, 'as many processes as files: there are fewer files than may run at a time');
  assert.deepEqual(
    ofKind('file')
      .map((row) => row[2]!)
      .toSorted(),
    FILES,
  );
  assert.ok(ofKind('test').length > 2 && ofKind('test').every((row) => FILES.includes(row[2]!)));
});
