// Tests of the classes of waiting times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WAITING_BOUNDS, WaitingTimes } from './waiting-times.ts';

test('each counts in its class and in all above, and what is longer than all only in the sum', () => {
  const times = new WaitingTimes();
  for (const milliseconds of [0, 100, 101, 60_000, 7_200_000, -5]) times.add(milliseconds);
  const { count, seconds, atMost } = times.figures();
  assert.deepEqual([count, seconds], [6, 7260.201]);
  assert.deepEqual(
    atMost.map(({ bound, count: some }) => [bound, some]),
    WAITING_BOUNDS.map((bound) => [bound, bound < 0.5 ? 3 : bound < 60 ? 4 : 5]),
  );
});
