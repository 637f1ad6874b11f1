import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArchiveSize } from './archive-size.ts';

/** How many files of this name fit, of those that are tried. */
function fitting(name: string, tried: number): number {
  const size = new ArchiveSize();
  let count = 0;
  while (count < tried && size.take(name)) count++;
  return count;
}

test('an archive has at most 200,000 files', () => {
  assert.equal(fitting('dist/app.js', 300_000), 200_000);
});

test('an archive has fewer files if their names are long', () => {
  assert.equal(fitting('x'.repeat(4096), 20_000), 8192);
  assert.equal(fitting('ü'.repeat(2048), 20_000), 8192);
});
