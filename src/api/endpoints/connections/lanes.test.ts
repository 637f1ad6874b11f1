import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckLanes, TOO_MANY } from './lanes.ts';

/** Work that ends when `end` is called. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isBegun = false;
  const work = async () => {
    isBegun = true;
    await promise;
  };
  return { work, end: resolve, isBegun: () => isBegun };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('some checks of a user run at a time, some more wait, and the rest are refused', async () => {
  const lanes = new CheckLanes({ max: 10, maxOfUser: 2, waitingOfUser: 1, maxWaitMs: 60_000 });
  const [first, second, third, fourth] = [held(), held(), held(), held()];
  const running = [first, second, third].map(({ work }) => lanes.run('Jane', work));
  await assert.rejects(lanes.run('jane', fourth.work), { message: TOO_MANY });
  assert.deepEqual(
    [first, second, third, fourth].map(({ isBegun }) => isBegun()),
    [true, true, false, false],
  );
  first.end();
  await settled();
  assert.ok(third.isBegun());
  second.end();
  third.end();
  await Promise.all(running);
});

test('checks of other users go on meanwhile, up to the limit for all users', async () => {
  const lanes = new CheckLanes({ max: 2, maxOfUser: 1, waitingOfUser: 1, maxWaitMs: 60_000 });
  const works = [held(), held(), held()];
  const running = works.map(({ work }, index) => lanes.run(`user-${index}`, work));
  await settled();
  assert.deepEqual(
    works.map(({ isBegun }) => isBegun()),
    [true, true, false],
  );
  for (const { end } of works) end();
  await Promise.all(running);
  assert.ok(works.every(({ isBegun }) => isBegun()));
});

test('a place is free again after a failure', async () => {
  const lanes = new CheckLanes({ max: 1, maxOfUser: 1, waitingOfUser: 0, maxWaitMs: 60_000 });
  const failing = () => lanes.run('jane', () => Promise.reject(new Error('no answer')));
  await assert.rejects(failing(), { message: 'no answer' });
  await assert.rejects(failing(), { message: 'no answer' });
});
