import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TriggerQueue } from './trigger-queue.ts';

const MOMENTS = 30;

function queueWith(check: (key: string) => Promise<unknown>): TriggerQueue {
  const queue = new TriggerQueue(check, (failure) => assert.fail(String(failure)));
  queue.start();
  return queue;
}

test('a pipeline woken at the very moment in which a look ends is looked at, too', async () => {
  for (let moment = 0; moment < MOMENTS; moment++) {
    const checked: string[] = [];
    const ended = Promise.withResolvers<void>();
    const queue = queueWith(async (key) => {
      checked.push(key);
      if (key === 'first') await ended.promise;
    });
    queue.wake(['first']);
    await turn();
    ended.resolve();
    for (let passed = 0; passed < moment; passed++) await undefined;
    queue.wake(['second']);
    await turn();
    await turn();
    assert.deepEqual(checked, ['first', 'second'], `after ${moment} steps`);
    await queue.stop();
  }
});

test('a long look does not keep others waiting, and four at most are at work', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const queue = queueWith((key) => {
    begun.push(key);
    return end;
  });
  for (const key of ['a', 'b', 'c', 'd', 'e', 'e', 'f']) queue.wake([key]);
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  resolve();
  while (begun.length < 6) await turn();
  await queue.stop();
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e', 'f'], 'each once');
});

test('pipelines that wait at the stop are not looked at, and looks under way are waited for', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const queue = queueWith((key) => {
    begun.push(key);
    return end;
  });
  queue.wake(['a', 'b', 'c', 'd', 'e']);
  let isStopped = false;
  const stopping = queue.stop().then(() => {
    isStopped = true;
  });
  queue.wake(['late']);
  await turn();
  assert.equal(isStopped, false);
  resolve();
  await stopping;
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
});
