// Tests that chunks hold every item once, in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunksOf } from './chunks.ts';

test('every item is in one chunk, the last of which may be smaller', () => {
  assert.deepEqual([...chunksOf([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]]);
  assert.deepEqual(
    [...chunksOf([1, 2, 3, 4], 2)],
    [
      [1, 2],
      [3, 4],
    ],
  );
  assert.deepEqual([...chunksOf([1], 2)], [[1]]);
  assert.deepEqual([...chunksOf([], 2)], []);
});
