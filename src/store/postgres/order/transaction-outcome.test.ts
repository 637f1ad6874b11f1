import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknown } from '../../../kit/outcome-unknown.ts';
import { ConnectionLost } from '../connection.ts';
import { askForOutcome } from './transaction-outcome.ts';

const LOST = { number: 7, mark: 'a', processId: 1, name: 'writes' };

test('a commit of which a database that stays away says nothing is neither done nor refused', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  let asked = 0;
  const away = () => {
    asked++;
    now += 10_000;
    return Promise.reject(new ConnectionLost(new Error('refused')));
  };
  await assert.rejects(askForOutcome(LOST, away), (failure: Error) => {
    assert.ok(failure instanceof OutcomeUnknown);
    assert.match(failure.message, /It is not known whether this was written\. Look before you try again\.$/);
    return true;
  });
  assert.equal(asked, 3);
});
