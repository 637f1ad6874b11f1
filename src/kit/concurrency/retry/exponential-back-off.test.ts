// The wait doubles from one failure to the next, and never exceeds its limit.
import assert from 'node:assert/strict';
import test from 'node:test';
import { backOffMs } from './exponential-back-off.ts';

const limits = { firstMs: 100, maxMs: 5000 };

test('there is no wait without a failure', () => {
  assert.equal(backOffMs(limits, 0), 0);
});

test('the wait doubles up to the limit', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 8].map((failures) => backOffMs(limits, failures)),
    [100, 200, 400, 3200, 5000, 5000],
  );
});

test('a failure that has lasted for years waits no longer than the limit', () => {
  assert.equal(backOffMs(limits, 1_000_000), 5000);
});
