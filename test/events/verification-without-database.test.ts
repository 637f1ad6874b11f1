// A check of the events while the database does not answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventsVerification } from '../../src/events/events-verification.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { findFreePorts } from '../support/services/slapd.ts';

test('a check that cannot reach the database is refused until it can', async () => {
  const [port] = await findFreePorts();
  const verification = new EventsVerification({ postgres: { url: `postgres://slipway@127.0.0.1:${port}/slipway`, password: undefined } });
  await assert.rejects(verification.run(), (failure: Error) => {
    assert.ok(failure instanceof Refusal);
    assert.equal(failure.kind, 'unavailable');
    assert.equal(failure.details.retryAfter, 1);
    return true;
  });
  await verification.stop();
});
