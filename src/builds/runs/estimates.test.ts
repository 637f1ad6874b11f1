import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from './estimates.ts';

test('the median is the one in the middle, or between the two there', () => {
  assert.equal(median([]), undefined);
  assert.equal(median([7]), 7);
  assert.equal(median([100, 1, 3]), 3);
  assert.equal(median([10, 1, 4, 100]), 7);
  assert.equal(median([1, 2]), 2);
});
