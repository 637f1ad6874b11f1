// Tests the names of downloaded files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeFileName } from './file-name.ts';

test('names of pipelines stay', () => {
  for (const name of ['web.gocd.yaml', 'A_b-1.2.gopipeline.json']) assert.equal(safeFileName(name), name);
});

test('nothing leads elsewhere, ends a header or hides', () => {
  assert.equal(safeFileName('../../etc/passwd'), '__.._etc_passwd');
  assert.equal(safeFileName('a"\r\nX: y\\ü'), 'a___X_ y__');
  assert.equal(safeFileName('.bashrc'), '_bashrc');
  assert.equal(safeFileName(''), '_');
  assert.equal(safeFileName(`${'x'.repeat(500)}.yaml`).length, 200);
});
