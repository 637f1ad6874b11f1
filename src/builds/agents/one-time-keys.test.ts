import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../kit/bytes/hash.ts';
import { FakeClock } from '../../kit/concurrency/fake-clock.ts';
import { OneTimeKeys } from './one-time-keys.ts';

test('a restored key is valid for half an hour at most, also when its expiry is later', () => {
  const clock = new FakeClock();
  const keys = new OneTimeKeys(clock);
  keys.restore(sha256('sesame'), clock.now() + 365 * 24 * 60 * 60_000, { local: false });
  assert.ok(keys.find('sesame'));
  clock.jump(30 * 60_000);
  assert.equal(keys.find('sesame'), undefined);
});

test('a key is good for half an hour, and once', () => {
  const clock = new FakeClock();
  const keys = new OneTimeKeys(clock);
  const [one, other] = [keys.issue({ local: true }), keys.issue({ local: false })];
  assert.notEqual(one, other);
  clock.jump(30 * 60_000 - 1);
  assert.equal(keys.find(one)?.local, true);
  assert.equal(keys.find(other)?.local, false);
  keys.consume(one);
  assert.equal(keys.find(one), undefined);
  clock.jump(1);
  assert.equal(keys.find(other), undefined);
  assert.equal(keys.find('anything'), undefined);
});
