// Tests of the classes of durations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, WORK_BOUNDS } from './histogram.ts';

test('a duration counts in its class and all above, one longer than all only in the sum', () => {
  const times = new Histogram(WORK_BOUNDS);
  for (const seconds of [0, 0.1, 0.101, 60, 7200, -5]) times.add(seconds);
  const { count, seconds, buckets } = times.snapshot();
  assert.deepEqual([count, seconds], [6, 7260.201]);
  assert.deepEqual(
    buckets.map(({ bound, count: some }) => [bound, some]),
    WORK_BOUNDS.map((bound) => [bound, bound < 0.5 ? 3 : bound < 60 ? 4 : 5]),
  );
});

test('a histogram takes the counts of another', () => {
  const [one, other] = [new Histogram([1, 2]), new Histogram([1, 2])];
  for (const seconds of [0.5, 3]) one.add(seconds);
  for (const seconds of [1.5, 4]) other.add(seconds);
  one.take(other);
  assert.deepEqual(one.snapshot(), {
    count: 4,
    seconds: 9,
    buckets: [
      { bound: 1, count: 1 },
      { bound: 2, count: 2 },
    ],
  });
});
