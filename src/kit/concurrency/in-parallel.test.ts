import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inParallel } from './in-parallel.ts';

test('each item is worked on once, and never more at a time than allowed', async () => {
  const done: number[] = [];
  let [running, maxRunning] = [0, 0];
  await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    maxRunning = Math.max(maxRunning, ++running);
    await turn();
    running--;
    done.push(item);
  });
  assert.deepEqual(done.toSorted(), [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(maxRunning, 3);
});

test('a failure ends the whole, once all begun work has ended', async () => {
  const begun: number[] = [];
  let hasEnded = false;
  const work = async (item: number) => {
    begun.push(item);
    if (item === 1) throw new Error('no');
    for (let count = 0; count < 5; count++) await turn();
    hasEnded = true;
  };
  await assert.rejects(inParallel([1, 2, 3, 4, 5], 2, work), /no/);
  assert.deepEqual(begun, [1, 2]);
  assert.ok(hasEnded);
});
