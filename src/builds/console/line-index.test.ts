import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineIndex } from './line-index.ts';

test('an empty index knows the first line', () => {
  assert.deepEqual(new LineIndex().nearest(5), { line: 0, offset: 0 });
});

test('an index finds the last known line that is not after the line looked for', () => {
  const index = new LineIndex();
  for (let line = 10; line <= 100; line += 10) index.note({ line, offset: line * 100_000 });
  assert.deepEqual(index.nearest(9), { line: 0, offset: 0 });
  assert.deepEqual(index.nearest(10), { line: 10, offset: 1_000_000 });
  assert.deepEqual(index.nearest(59), { line: 50, offset: 5_000_000 });
  assert.deepEqual(index.nearest(1000), { line: 100, offset: 10_000_000 });
});

test('an index knows the furthest line, however near it is to the one before', () => {
  const index = new LineIndex();
  index.note({ line: 1, offset: 5 });
  index.note({ line: 2, offset: 9 });
  assert.deepEqual(index.nearest(2), { line: 2, offset: 9 });
  assert.equal(index.size, 1);
});

test('an index has a maximum size, and still finds a near line', () => {
  const index = new LineIndex();
  for (let line = 1; line <= 10_000; line++) index.note({ line, offset: line * 100_000 });
  assert.ok(index.size <= 1024, `${index.size}`);
  const { line, offset } = index.nearest(5000);
  assert.ok(line > 4900 && line <= 5000, `${line}`);
  assert.equal(offset, line * 100_000);
});

test('an index forgets lines beyond the end of a file that is shorter now', () => {
  const index = new LineIndex();
  index.note({ line: 10, offset: 1_000_000 });
  index.forgetBeyond(1_000_000);
  assert.equal(index.nearest(10).line, 10);
  index.forgetBeyond(999_999);
  assert.deepEqual(index.nearest(10), { line: 0, offset: 0 });
});
