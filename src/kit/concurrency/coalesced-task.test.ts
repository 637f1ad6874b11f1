// Tests that callers share a run that begins after they ask, and that runs do not overlap.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CoalescedTask } from './coalesced-task.ts';

test('one runs at a time, and those that ask meanwhile share the next one', async () => {
  const ends: PromiseWithResolvers<number>[] = [];
  const task = new CoalescedTask(() => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return end.promise;
  });
  const [first, second] = [task.run(), task.run()];
  await setImmediate();
  assert.equal(ends.length, 1);
  const [third, fourth] = [task.run(), task.run()];
  await setImmediate();
  assert.equal(ends.length, 1);
  ends[0]!.resolve(1);
  assert.deepEqual(await Promise.all([first, second]), [1, 1]);
  await setImmediate();
  assert.equal(ends.length, 2);
  const fifth = task.run();
  ends[1]!.resolve(2);
  assert.deepEqual(await Promise.all([third, fourth]), [2, 2]);
  await setImmediate();
  ends[2]!.resolve(3);
  assert.equal(await fifth, 3);
});

test('a failure is reported only to the callers of that run', async () => {
  let count = 0;
  const task = new CoalescedTask(async () => {
    if (++count === 1) throw new Error('no disk');
  });
  const first = assert.rejects(task.run(), /no disk/);
  await Promise.resolve();
  const second = task.run();
  await first;
  await second;
  assert.equal(count, 2);
});

test('a task that throws at once leaves the next run alone', async () => {
  let count = 0;
  const task = new CoalescedTask(() => {
    if (++count === 1) throw new Error('not ready');
    return Promise.resolve(count);
  });
  await assert.rejects(task.run(), /not ready/);
  assert.equal(await task.run(), 2);
});
