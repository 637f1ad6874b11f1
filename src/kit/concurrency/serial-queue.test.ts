import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from './fake-clock.ts';
import { SerialQueue } from './serial-queue.ts';

test('work runs one after the other, in the order in which it was asked for', async () => {
  const queue = new SerialQueue();
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const first = queue.run(async () => {
    order.push('first begins');
    await gate.promise;
    order.push('first ends');
    return 1;
  });
  const second = queue.run(async () => {
    order.push('second');
    return 'two';
  });
  await settled();
  assert.deepEqual(order, ['first begins']);
  gate.resolve();
  assert.deepEqual(await Promise.all([first, second]), [1, 'two']);
  assert.deepEqual(order, ['first begins', 'first ends', 'second']);
});

test('a failure is the caller’s, and later work runs all the same', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(() => Promise.reject(new Error('no')));
  const later = queue.run(async () => 'done');
  await assert.rejects(failing, /no/);
  assert.equal(await later, 'done');
});

test('the queue has settled when all work asked for so far has ended, even if some failed', async () => {
  const queue = new SerialQueue();
  await queue.settled();
  const gate = Promise.withResolvers<void>();
  void queue.run(() => gate.promise);
  let isSettled = false;
  const all = queue.settled().then(() => (isSettled = true));
  await settled();
  assert.equal(isSettled, false);
  gate.reject(new Error('no'));
  await all;
});
