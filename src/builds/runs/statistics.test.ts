// Figures of runs, worked out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spreadOf, summaryOf } from './statistics.ts';

test('median and p90 are measured values', () => {
  assert.deepEqual(spreadOf([5]), { median: 5, p90: 5 });
  assert.deepEqual(spreadOf([10, 1, 2, 3, 4, 5, 6, 7, 8, 9]), { median: 5, p90: 9 });
  assert.equal(spreadOf([]), undefined);
});

test('runs under way do not count, and only passed runs have a usual duration', () => {
  const one = (result: string, duration: number, waiting = 0) => ({ result, duration, waiting });
  const all = [one('Passed', 10, 1), one('Failed', 99, 3), one('Cancelled', 1, 2), one('Unknown', 5, 50), one('Passed', 20, 4)];
  assert.deepEqual(summaryOf(all), {
    runs: 4,
    passed: 2,
    failed: 1,
    cancelled: 1,
    successRate: 0.5,
    duration: { median: 10, p90: 20 },
    waiting: { median: 2, p90: 4 },
  });
  assert.equal(summaryOf([one('Unknown', 1)]).successRate, undefined);
});
