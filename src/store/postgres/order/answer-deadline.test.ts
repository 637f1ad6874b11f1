import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AnswerDeadline } from './answer-deadline.ts';

const MAX_WAIT_MS = 1000;

/** With a clock that only the test moves. */
function deadlineOf(context: TestContext) {
  let now = 0;
  const calls = { late: 0 };
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(performance, 'now', () => now);
  const deadline = new AnswerDeadline(MAX_WAIT_MS, () => calls.late++);
  const ask = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watched = deadline.watch(promise);
    return async () => {
      resolve();
      await watched;
    };
  };
  const pass = (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed++) {
      now++;
      context.mock.timers.tick(1);
    }
  };
  const standStill = (milliseconds: number) => {
    now += milliseconds;
  };
  return { calls, ask, pass, standStill };
}

test('requests that are answered in time are never late, however many there are', async (context) => {
  const { calls, ask, pass } = deadlineOf(context);
  for (let count = 0; count < 5; count++) {
    const answer = ask();
    pass(MAX_WAIT_MS - 1);
    await answer();
  }
  pass(2 * MAX_WAIT_MS);
  assert.equal(calls.late, 0);
});

test('a request is late after its own time, not after that of the request before', async (context) => {
  const { calls, ask, pass } = deadlineOf(context);
  const answer = ask();
  pass(600);
  await answer();
  ask();
  pass(MAX_WAIT_MS - 1);
  assert.equal(calls.late, 0);
  pass(1);
  assert.equal(calls.late, 1);
});

test('the next of several requests has its time from the answer before it', async (context) => {
  const { calls, ask, pass } = deadlineOf(context);
  const first = ask();
  ask();
  pass(900);
  await first();
  pass(MAX_WAIT_MS - 1);
  assert.equal(calls.late, 0);
  pass(1);
  assert.equal(calls.late, 1);
});

test('the deadline counts again after nothing was asked for long', (context) => {
  const { calls, ask, pass } = deadlineOf(context);
  pass(10 * MAX_WAIT_MS);
  ask();
  pass(MAX_WAIT_MS);
  assert.equal(calls.late, 1);
});

test('a process that stood still listens for as long once more, and only once', (context) => {
  const { calls, ask, pass, standStill } = deadlineOf(context);
  ask();
  standStill(5 * MAX_WAIT_MS);
  pass(MAX_WAIT_MS);
  assert.equal(calls.late, 0);
  pass(MAX_WAIT_MS - 1);
  assert.equal(calls.late, 0);
  standStill(5 * MAX_WAIT_MS);
  pass(1);
  assert.equal(calls.late, 1);
});
