// Many small files at once: read, written and renamed by a thread, and never through a link.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
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

test('files are written, also empty ones and anew, and renamed in place of others', async () => {
  const folder = join(root, 'written');
  mkdirSync(folder);
  const at = (name: string) => join(folder, name);
  writeFileSync(at('b'), 'a longer one');
  const bytes = (content: string) => Buffer.from(content);
  await disk.write([
    { path: at('a'), bytes: bytes('one') },
    { path: at('b'), bytes: bytes('two') },
    { path: at('empty'), bytes: bytes('') },
  ]);
  assert.deepEqual(
    ['a', 'b', 'empty'].map((name) => readFileSync(at(name), 'utf8')),
    ['one', 'two', ''],
  );
  assert.equal(statSync(at('a')).mode & 0o777, 0o600);
  await disk.rename([
    { from: at('a'), to: at('new'), older: at('empty') },
    { from: at('b'), to: at('new') },
  ]);
  assert.deepEqual(readdirSync(folder), ['new']);
  assert.equal(readFileSync(at('new'), 'utf8'), 'two');
});

test('a link is not written through, and files after a failure stay as they were', async () => {
  const folder = join(root, 'links');
  mkdirSync(folder);
  writeFileSync(join(folder, 'target'), 'target');
  symlinkSync('target', join(folder, 'link'));
  const write = disk.write(['link', 'after'].map((name) => ({ path: join(folder, name), bytes: Buffer.from('x') })));
  await assert.rejects(write, { code: 'ELOOP' });
  assert.equal(readFileSync(join(folder, 'target'), 'utf8'), 'target');
  assert.ok(!existsSync(join(folder, 'after')));
  await assert.rejects(disk.rename([{ from: join(folder, 'none'), to: join(folder, 'target') }]), { code: 'ENOENT', syscall: 'rename' });
});
