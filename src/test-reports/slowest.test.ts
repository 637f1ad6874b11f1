import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MAX_SLOWEST } from './limits.ts';
import { Slowest } from './slowest.ts';

test('the slowest are kept, slowest first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 100 }), (durations) => {
      const slowest = new Slowest();
      for (const [index, durationMs] of durations.entries())
        slowest.add({ class: '', name: String(index), result: 'passed', durationMs, message: null, trace: null });
      const expected = durations.filter((ms) => ms > 0).toSorted((a, b) => b - a);
      assert.deepEqual(
        slowest.tests.map(({ ms }) => ms),
        expected.slice(0, MAX_SLOWEST),
      );
      for (const { name, ms } of slowest.tests) assert.equal(durations[Number(name)], ms);
    }),
  );
});
