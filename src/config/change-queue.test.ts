import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ChangeQueue } from './change-queue.ts';

/** A queue that records what it has applied; `exclusive` waits until its own change has run. */
function recording() {
  const done: string[] = [];
  const queue = new ChangeQueue<string>(async (take) => {
    const batch = take();
    await setImmediate();
    done.push(batch.join('+'));
  });
  const exclusive = (name: string) =>
    new Promise<void>((resolve) =>
      queue.runExclusive(async () => {
        await setImmediate();
        done.push(name);
        resolve();
      }),
    );
  return { queue, exclusive, done };
}

test('changes that arrive together are applied together, up to the next change that runs alone', async () => {
  const { queue, exclusive, done } = recording();
  queue.add('a');
  queue.add('b');
  void exclusive('large');
  queue.add('c');
  queue.add('d');
  await exclusive('end');
  assert.deepEqual(done, ['a+b', 'large', 'c+d', 'end']);
});

test('changes that arrive while others are applied wait for the next batch', async () => {
  const { queue, exclusive, done } = recording();
  queue.add('a');
  await setImmediate();
  queue.add('b');
  queue.add('c');
  await exclusive('end');
  assert.deepEqual(done, ['a', 'b+c', 'end']);
});

test('very many changes are applied in several batches, in their order', async () => {
  const { queue, exclusive, done } = recording();
  for (let index = 0; index < 250; index++) queue.add(String(index));
  await exclusive('end');
  assert.deepEqual(
    done.map((batch) => batch.split('+').length),
    [100, 100, 50, 1],
  );
  assert.equal(done.slice(0, -1).join('+'), Array.from({ length: 250 }, (_, index) => index).join('+'));
});

test('the queue stops when nothing is left, and starts again', async () => {
  const { exclusive, done } = recording();
  await exclusive('one');
  await setImmediate();
  await exclusive('other');
  assert.deepEqual(done, ['one', 'other']);
});
