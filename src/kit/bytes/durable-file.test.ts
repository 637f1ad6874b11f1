// Checks the owner and the mode of a file that is written as a whole.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeFileDurably } from './durable-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-durable-file-'));
after(() => rmSync(folder, { recursive: true }));

const isRoot = process.getuid?.() === 0;
const OTHERS = isRoot ? [4711, 4712] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const ownerOf = (path: string) => [statSync(path).uid, statSync(path).gid];

test('a new file belongs to the owner of its folder, one that is replaced to its own, also when root writes it', () => {
  const path = join(folder, 'file');
  chownSync(folder, OTHERS[0]!, OTHERS[1]!);
  writeFileDurably(path, 'one', 0o600);
  assert.deepEqual(ownerOf(path), OTHERS);
  if (isRoot) chownSync(path, 4713, 4714);
  writeFileDurably(path, 'two', 0o600);
  assert.deepEqual(ownerOf(path), isRoot ? [4713, 4714] : OTHERS);
  assert.equal(readFileSync(path, 'utf8'), 'two');
});

test('a written file has the mode asked for, also when a crash left a file with another mode', () => {
  const path = join(folder, 'mode');
  writeFileDurably(`${path}.new`, '', 0o600);
  chmodSync(`${path}.new`, 0o666);
  writeFileDurably(path, 'secret', 0o600);
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});
