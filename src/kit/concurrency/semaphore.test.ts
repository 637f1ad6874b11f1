import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

test('who comes too late waits its turn, and each turn counts once', async () => {
  const slots = new Semaphore(2, 2, 1000);
  const [first, second] = [await slots.take(), await slots.take()];
  const order: string[] = [];
  const third = slots.take().then((giveBack) => {
    order.push('third');
    return giveBack;
  });
  const fourth = slots.take().then((giveBack) => {
    order.push('fourth');
    return giveBack;
  });
  assert.equal(await slots.take(), undefined, 'too many wait already');
  await pause(5);
  assert.deepEqual(order, []);
  first!();
  first!();
  await third;
  await pause(5);
  assert.deepEqual(order, ['third']);
  second!();
  (await third)!();
  (await fourth)!();
  assert.deepEqual(order, ['third', 'fourth']);
  assert.ok(await slots.take());
});

test('nobody waits longer than allowed', async () => {
  const slots = new Semaphore(1, 5, 20);
  const first = await slots.take();
  assert.equal(await slots.take(), undefined);
  first!();
  assert.ok(await slots.take());
});
