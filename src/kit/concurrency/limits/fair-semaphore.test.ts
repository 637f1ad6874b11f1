import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FairSemaphore } from './fair-semaphore.ts';

/** Work that ends when the test ends it, and the names of the work begun so far. */
function bench(limits: ConstructorParameters<typeof FairSemaphore>[0]) {
  const slots = new FairSemaphore(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, name: string) =>
    slots.run(key, () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const endFirst = async () => {
    ends.shift()!();
    await turn();
  };
  return { slots, begun, add, endFirst };
}

test('the next slot goes to another key, however much waits for the first', async () => {
  const { begun, add, endFirst } = bench({ max: 2, maxPerKey: 2, maxWaitingPerKey: 100 });
  for (let index = 1; index <= 5; index++) void add('flood', `flood ${index}`);
  void add('ann', 'ann 1');
  void add('bob', 'bob 1');
  await turn();
  assert.deepEqual(begun, ['flood 1', 'flood 2']);
  for (let index = 0; index < 5; index++) await endFirst();
  assert.deepEqual(begun, ['flood 1', 'flood 2', 'flood 3', 'ann 1', 'bob 1', 'flood 4', 'flood 5']);
});

test('one key does not take all slots', async () => {
  const { begun, add, endFirst } = bench({ max: 3, maxPerKey: 2, maxWaitingPerKey: 100 });
  for (let index = 1; index <= 4; index++) void add('flood', `flood ${index}`);
  await turn();
  assert.deepEqual(begun, ['flood 1', 'flood 2']);
  void add('ann', 'ann 1');
  await turn();
  assert.deepEqual(begun.at(-1), 'ann 1');
  await endFirst();
  assert.deepEqual(begun.at(-1), 'flood 3');
});

test('work is refused while as much of its key waits as may, and other keys go on', async () => {
  const { add, endFirst } = bench({ max: 1, maxPerKey: 1, maxWaitingPerKey: 1 });
  const first = add('a', 'first');
  assert.ok(first && add('a', 'second'));
  assert.equal(add('a', 'third'), undefined);
  assert.ok(add('b', 'of another'));
  await turn();
  await endFirst();
  assert.ok(add('a', 'third'));
});

test('work that fails gives its slot back, and rejects with its reason', async () => {
  const slots = new FairSemaphore({ max: 1, maxPerKey: 1, maxWaitingPerKey: 9 });
  await assert.rejects(slots.run('a', () => Promise.reject(new Error('on purpose')))!, /on purpose/);
  assert.equal(await slots.run('a', async () => 'next'), 'next');
});
