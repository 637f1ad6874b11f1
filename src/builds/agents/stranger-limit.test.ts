import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../kit/concurrency/fake-clock.ts';
import { MAX_PENDING, MOST_FROM_ALL, MOST_FROM_ONE_ADDRESS, StrangerLimit } from './stranger-limit.ts';

function limit() {
  const clock = new FakeClock();
  const limit = new StrangerLimit(clock);
  const come = (address: string) => {
    limit.mustHaveRoom(address, 0);
    limit.note(address);
  };
  return { clock, limit, come };
}

test('one address gets no more than its share of a minute, others go on', () => {
  const { clock, come } = limit();
  for (let count = 0; count < MOST_FROM_ONE_ADDRESS; count++) come('192.0.2.1');
  assert.throws(() => come('192.0.2.1'), { kind: 'tooMany', details: { retryAfter: 60 } });
  come('192.0.2.2');
  clock.jump(59_999);
  assert.throws(() => come('192.0.2.1'), { details: { retryAfter: 1 } });
  clock.jump(1);
  come('192.0.2.1');
});

test('all together get no more than theirs', () => {
  const { come } = limit();
  for (let count = 0; count < MOST_FROM_ALL; count++) come(`address ${count}`);
  assert.throws(() => come('one more'), { kind: 'tooMany' });
});

test('no more wait than an administrator can look at', () => {
  const { limit: strangers } = limit();
  strangers.mustHaveRoom('192.0.2.1', MAX_PENDING - 1);
  assert.throws(() => strangers.mustHaveRoom('192.0.2.1', MAX_PENDING), /1000 agents wait to be enabled already/);
});
