import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

test('a caller without a free slot waits its turn, and each turn counts once', async () => {
  const slots = new Semaphore(2, 2, 1000);
  const [first, second] = [await slots.acquire(), await slots.acquire()];
  const order: string[] = [];
  const third = slots.acquire().then((release) => {
    order.push('third');
    return release;
  });
  const fourth = slots.acquire().then((release) => {
    order.push('fourth');
    return release;
  });
  assert.equal(await slots.acquire(), undefined, 'too many wait already');
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
  assert.ok(await slots.acquire());
});

test('work has a slot until it ends, however it ends', async () => {
  const slots = new Semaphore(1, 1, 1000);
  const refusal = () => new Error('too many');
  const gate = Promise.withResolvers<void>();
  const first = slots.run(() => gate.promise, refusal);
  const second = slots.run(async () => 'done', refusal);
  await assert.rejects(
    slots.run(async () => assert.fail('there is no slot'), refusal),
    /too many/,
  );
  gate.reject(new Error('no'));
  await assert.rejects(first, /no/);
  assert.equal(await second, 'done');
  assert.ok(await slots.acquire());
});

test('no caller waits longer than allowed', async () => {
  const slots = new Semaphore(1, 5, 20);
  const first = await slots.acquire();
  assert.equal(await slots.acquire(), undefined);
  first!();
  assert.ok(await slots.acquire());
});
