import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from './byte-budget.ts';

test('bytes are refused when the budget is used up, until some are released', () => {
  const budget = new ByteBudget(10);
  assert.deepEqual([budget.take(6), budget.take(5), budget.take(4), budget.take(1)], [true, false, true, false]);
  budget.release(6);
  assert.deepEqual([budget.take(6), budget.take(1)], [true, false]);
});
