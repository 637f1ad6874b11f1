import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JobRetryBudget } from './retry-budget.ts';

const MINUTE = 60_000;

/** After how many minutes a server that gives these answers in turn is given up, when it is asked every 5 seconds; undefined: not in two hours. */
function givenUpAfter(statuses: readonly number[], awayBetween: readonly [after: number, minutes: number] = [0, 0]): number | undefined {
  let now = 0;
  const retryBudget = new JobRetryBudget(undefined, () => now);
  for (let count = 0; now <= 120 * MINUTE; count++) {
    try {
      retryBudget.noteFailure({ status: statuses[count % statuses.length]!, body: '{"message":"There is a fault."}' });
    } catch {
      return Math.round(now / MINUTE);
    }
    now += 5000 + (count === awayBetween[0] ? awayBetween[1] * MINUTE : 0);
  }
  return undefined;
}

test('a server with a fault is given up after 5 minutes, an unavailable server after 30', () => {
  for (const status of [500, 501, 599]) assert.equal(givenUpAfter([status]), 5, String(status));
  for (const status of [401, 408, 429, 502, 503, 504]) assert.equal(givenUpAfter([status]), 30, String(status));
  assert.equal(givenUpAfter([503, 500]), 5, 'a fault among other answers is the same fault');
});

test('a server that was away between two failures is asked some more times', () => {
  assert.equal(givenUpAfter([500], [1, 60]), 62);
});

test('progress starts the time anew, and the error quotes the last answer', () => {
  let now = 0;
  const retryBudget = new JobRetryBudget({ ms: { fault: 5 * MINUTE, unavailable: MINUTE }, answers: 2 }, () => now);
  const fail = (status: number, body: string) => retryBudget.noteFailure({ status, body });
  fail(500, '');
  now = 10 * MINUTE;
  retryBudget.noteProgress();
  fail(500, '');
  now = 15 * MINUTE;
  assert.throws(() => fail(500, '{"message":"There is a fault."}'), {
    message:
      'The server has failed to do this for 5 minutes, so the agent gives up. Its last answer has status 500: There is a fault. Look for the cause in the log of the server, and run the job again when it is mended.',
  });
  assert.throws(() => fail(500, '<html>'), { message: /^The server has failed .* has status 500\. Look/ });
  fail(503, '');
  now = 16 * MINUTE;
  assert.throws(() => fail(503, ''), { message: /^The server has failed to do this for 1 minute, / });
  now = 90 * MINUTE;
  assert.throws(
    () => fail(503, ''),
    { message: /^The server has failed to do this for 75 minutes, / },
    'as long as it was, not as it had to be',
  );
});
