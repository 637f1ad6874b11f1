// Many small files at once: read by a thread, and never through a link.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DiskBatches } from '../../src/artifacts/storage/batch/disk-batches.ts';

let root: string;
const disk = new DiskBatches();
before(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-batches-'));
});
after(() => rmSync(root, { recursive: true }));

const textsOf = (contents: readonly (Buffer | undefined)[]) => contents.map((content) => content?.toString());

test('files are read in order; those that are gone, links, folders or of another length are missing', async () => {
  mkdirSync(join(root, 'folder', 'deep'), { recursive: true });
  writeFileSync(join(root, 'folder', 'deep', 'a'), 'aaa');
  writeFileSync(join(root, 'folder', 'b'), 'bb');
  symlinkSync('b', join(root, 'folder', 'to-b'));
  symlinkSync('deep', join(root, 'folder', 'to-deep'));
  const file = (path: string, length: number) => ({ parts: path.split('/'), length });
  const contents = await disk.read(root, [
    file('folder/deep/a', 3),
    file('folder/none', 2),
    file('folder/to-b', 2),
    file('folder/to-deep/a', 3),
    file('folder/deep', 2),
    file('folder/b', 1),
    file('folder/b', 3),
    file('nowhere/a', 3),
    file('folder/b', 2),
  ]);
  const none = undefined;
  assert.deepEqual(textsOf(contents), ['aaa', none, none, none, none, none, none, none, 'bb']);
});

test('a failure keeps its code, and the next batch is done', async () => {
  writeFileSync(join(root, 'next'), 'next');
  await assert.rejects(disk.read(root, [{ parts: ['x'.repeat(300)], length: 1 }]), { code: 'ENAMETOOLONG', syscall: 'lstat' });
  assert.deepEqual(textsOf(await disk.read(root, [{ parts: ['next'], length: 4 }])), ['next']);
});
