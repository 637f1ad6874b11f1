import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSmall } from './small-file.ts';

test('a file is not read where a folder above it has become a link', { skip: process.platform !== 'linux' }, (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-small-file-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [folder, content] of [
    ['dist', 'mine'],
    ['elsewhere', 'secret'],
  ] as const) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'token'), content);
  }
  const read = () => readSmall(join(root, 'dist/token'), 'dist/token', Buffer.alloc(100));
  const before = read();
  assert.equal(typeof before === 'object' && before.content.toString(), 'mine');
  renameSync(join(root, 'dist'), join(root, 'old'));
  symlinkSync(join(root, 'elsewhere'), join(root, 'dist'));
  assert.equal(read(), 'changed');
});
