import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { AwakePipelines } from './trigger-queue.ts';

const MOMENTS = 30;

function awakeWith(check: (key: string) => Promise<unknown>): AwakePipelines {
  const awake = new AwakePipelines(check, (failure) => assert.fail(String(failure)));
  awake.start();
  return awake;
}

test('a pipeline woken at the very moment in which a look ends is looked at, too', async () => {
  for (let moment = 0; moment < MOMENTS; moment++) {
    const checked: string[] = [];
    const ended = Promise.withResolvers<void>();
    const awake = awakeWith(async (key) => {
      checked.push(key);
      if (key === 'first') await ended.promise;
    });
    awake.wake(['first']);
    await turn();
    ended.resolve();
    for (let passed = 0; passed < moment; passed++) await undefined;
    awake.wake(['second']);
    await turn();
    await turn();
    assert.deepEqual(checked, ['first', 'second'], `after ${moment} steps`);
    await awake.stop();
  }
});

test('a long look does not keep others waiting, and four at most are at work', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const awake = awakeWith((key) => {
    begun.push(key);
    return end;
  });
  for (const key of ['a', 'b', 'c', 'd', 'e', 'e', 'f']) awake.wake([key]);
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  resolve();
  while (begun.length < 6) await turn();
  await awake.stop();
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e', 'f'], 'each once');
});

test('pipelines that wait at the stop are not looked at, and looks under way are waited for', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const awake = awakeWith((key) => {
    begun.push(key);
    return end;
  });
  awake.wake(['a', 'b', 'c', 'd', 'e']);
  let isStopped = false;
  const stopping = awake.stop().then(() => {
    isStopped = true;
  });
  awake.wake(['late']);
  await turn();
  assert.equal(isStopped, false);
  resolve();
  await stopping;
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
});
