// Tests the names of downloaded files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeFileName } from './file-name.ts';

test('usual names of pipelines are unchanged', () => {
  for (const name of ['web.gocd.yaml', 'A_b-1.2.gopipeline.json']) assert.equal(safeFileName(name), name);
});

test('no name leads to another folder, ends a header or is hidden', () => {
  assert.equal(safeFileName('../../etc/passwd'), '__.._etc_passwd');
  assert.equal(safeFileName('a"\r\nX: y\\ü'), 'a___X_ y__');
  assert.equal(safeFileName('.bashrc'), '_bashrc');
  assert.equal(safeFileName(''), '_');
  assert.equal(safeFileName(`${'x'.repeat(500)}.yaml`).length, 200);
});
