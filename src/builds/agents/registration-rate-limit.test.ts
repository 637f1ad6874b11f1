import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../kit/concurrency/fake-clock.ts';
import { MAX_FROM_ALL, MAX_FROM_ONE_ADDRESS, MAX_PENDING, MAX_WRONG_KEYS, RegistrationRateLimit } from './registration-rate-limit.ts';

function limit() {
  const clock = new FakeClock();
  const limit = new RegistrationRateLimit(clock);
  const come = (address: string) => {
    limit.checkLimit(address, 0);
    limit.note(address);
  };
  return { clock, limit, come };
}

test('an address gets no more than its share of a minute, and other addresses go on', () => {
  const { clock, come } = limit();
  for (let count = 0; count < MAX_FROM_ONE_ADDRESS; count++) come('192.0.2.1');
  assert.throws(() => come('192.0.2.1'), { kind: 'tooMany', details: { retryAfter: 60 } });
  come('192.0.2.2');
  clock.jump(59_999);
  assert.throws(() => come('192.0.2.1'), { details: { retryAfter: 1 } });
  clock.jump(1);
  come('192.0.2.1');
});

test('all addresses together get no more than their share of a minute', () => {
  const { come } = limit();
  for (let count = 0; count < MAX_FROM_ALL; count++) come(`address ${count}`);
  assert.throws(() => come('one more'), { kind: 'tooMany' });
});

test('no more agents wait to be enabled than an administrator can look at', () => {
  const { limit: registrations } = limit();
  registrations.checkLimit('192.0.2.1', MAX_PENDING - 1);
  assert.throws(() => registrations.checkLimit('192.0.2.1', MAX_PENDING), /1000 agents wait to be enabled already/);
});

test('an address that sends many wrong keys sends none for the rest of a minute', () => {
  const { clock, limit: registrations } = limit();
  for (let count = 0; count < MAX_WRONG_KEYS; count++) {
    registrations.checkKeys('2001:db8::1');
    registrations.noteWrongKey(`2001:db8::${count.toString(16)}`);
    clock.jump(100);
  }
  assert.throws(() => registrations.checkKeys('2001:db8::ffff'), { kind: 'tooMany', details: { retryAfter: 54 } });
  registrations.checkKeys('192.0.2.1');
  clock.jump(54_000);
  registrations.checkKeys('2001:db8::1');
});
