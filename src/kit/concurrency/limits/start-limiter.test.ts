import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { StartLimiter } from './start-limiter.ts';

function lab() {
  const started: number[] = [];
  const starts = new StartLimiter<{ readonly id: number }>(10, ({ id }) => started.push(id));
  return { started, starts };
}

/** The clock that measures how long ago the last start was goes with the timers. */
function withClock(work: (forward: (milliseconds: number) => void) => void): void {
  let now = 1000;
  mock.timers.enable({ apis: ['setTimeout'] });
  const clock = mock.method(performance, 'now', () => now);
  try {
    work((milliseconds) => {
      now += milliseconds;
      mock.timers.tick(milliseconds);
    });
  } finally {
    clock.mock.restore();
    mock.timers.reset();
  }
}

test('the first work starts at once, the rest one by one in order', () => {
  withClock((forward) => {
    const { started, starts } = lab();
    for (const id of [1, 2, 3]) starts.add({ id });
    assert.deepEqual(started, [1]);
    forward(9);
    assert.deepEqual(started, [1]);
    forward(1);
    assert.deepEqual(started, [1, 2]);
    forward(10);
    assert.deepEqual(started, [1, 2, 3]);
  });
});

test('after a pause nothing waits', () => {
  withClock((forward) => {
    const { started, starts } = lab();
    starts.add({ id: 1 });
    forward(10);
    starts.add({ id: 2 });
    assert.deepEqual(started, [1, 2]);
  });
});

test('withdrawn work never starts, and delays no other work', () => {
  withClock((forward) => {
    const { started, starts } = lab();
    for (const id of [1, 2, 3]) starts.add({ id });
    assert.equal(starts.withdraw(2), true);
    assert.equal(starts.withdraw(1), false);
    forward(10);
    assert.deepEqual(started, [1, 3]);
  });
});
