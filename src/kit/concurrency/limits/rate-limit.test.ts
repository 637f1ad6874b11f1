import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { RateLimit } from './rate-limit.ts';

const MINUTE_MS = 60_000;

test('each key has a window of its own, which begins with the first time', () => {
  const clock = new FakeClock();
  const limit = new RateLimit(clock, { max: 2, windowMs: MINUTE_MS });
  assert.deepEqual([limit.left('one'), limit.waitMs('one')], [2, 0]);
  limit.note('one');
  clock.jump(10_000);
  limit.note('other');
  limit.note('one');
  assert.deepEqual([limit.left('one'), limit.waitMs('one')], [0, 50_000]);
  assert.deepEqual([limit.left('other'), limit.waitMs('other')], [1, 0]);
  clock.jump(49_999);
  assert.equal(limit.waitMs('one'), 1);
  clock.jump(1);
  assert.deepEqual([limit.left('one'), limit.waitMs('one')], [2, 0]);
});

test('calls beyond the limit do not make the window longer', () => {
  const clock = new FakeClock();
  const limit = new RateLimit(clock, { max: 1, windowMs: MINUTE_MS });
  for (let count = 0; count < 3; count++) limit.note('one');
  assert.deepEqual([limit.left('one'), limit.waitMs('one')], [0, MINUTE_MS]);
});

test('windows begin where the option windowStart says', () => {
  const clock = new FakeClock();
  const limit = new RateLimit(clock, { max: 1, windowMs: MINUTE_MS, windowStart: (now) => now - (now % MINUTE_MS) });
  clock.jump(59_000);
  limit.note('one');
  assert.equal(limit.waitMs('one'), 1000);
  clock.jump(1000);
  assert.equal(limit.waitMs('one'), 0);
});

test('a clock that is set back does not make anyone wait longer', () => {
  const clock = new FakeClock();
  const limit = new RateLimit(clock, { max: 1, windowMs: MINUTE_MS });
  limit.note('one');
  clock.jump(-60 * MINUTE_MS);
  assert.equal(limit.waitMs('one'), 0);
});

test('of very many keys those that were counted longest ago are forgotten', () => {
  const limit = new RateLimit(new FakeClock(), { max: 1, windowMs: MINUTE_MS });
  for (const key of ['one', 'other', 'one']) limit.note(key);
  for (let count = 0; count < 9_999; count++) limit.note(`key ${count}`);
  assert.deepEqual([limit.left('one'), limit.left('other'), limit.left('key 0')], [0, 1, 0]);
});
