import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ChangeQueue } from './change-queue.ts';

/** A queue that records the batches and turns it has applied; `turn` waits for its own. */
function recording() {
  const done: string[] = [];
  const queue = new ChangeQueue<string>(async (take) => {
    const batch = take();
    await setImmediate();
    done.push(batch.join('+'));
  });
  const turn = (name: string) =>
    new Promise<void>((resolve) =>
      queue.takeTurn(async () => {
        await setImmediate();
        done.push(name);
        resolve();
      }),
    );
  return { queue, turn, done };
}

test('changes that arrive together are applied together, up to the next turn that is taken alone', async () => {
  const { queue, turn, done } = recording();
  queue.add('a');
  queue.add('b');
  void turn('large');
  queue.add('c');
  queue.add('d');
  await turn('end');
  assert.deepEqual(done, ['a+b', 'large', 'c+d', 'end']);
});

test('changes that arrive while others are applied wait for the next batch', async () => {
  const { queue, turn, done } = recording();
  queue.add('a');
  await setImmediate();
  queue.add('b');
  queue.add('c');
  await turn('end');
  assert.deepEqual(done, ['a', 'b+c', 'end']);
});

test('very many are applied in several batches, in their order', async () => {
  const { queue, turn, done } = recording();
  for (let index = 0; index < 250; index++) queue.add(String(index));
  await turn('end');
  assert.deepEqual(
    done.map((batch) => batch.split('+').length),
    [100, 100, 50, 1],
  );
  assert.equal(done.slice(0, -1).join('+'), Array.from({ length: 250 }, (_, index) => index).join('+'));
});

test('it sleeps when nothing is left, and wakes up again', async () => {
  const { turn, done } = recording();
  await turn('one');
  await setImmediate();
  await turn('other');
  assert.deepEqual(done, ['one', 'other']);
});
