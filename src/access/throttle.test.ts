import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle } from './throttle.ts';

test('a few failures are free, then each makes the wait longer, and a success forgets them', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (let tries = 0; tries < 4; tries++) throttle.failed('ann@1');
  assert.equal(throttle.waitFor('ann@1'), 0);
  throttle.failed('ann@1');
  assert.equal(throttle.waitFor('ann@1'), 1);
  throttle.failed('ann@1');
  assert.equal(throttle.waitFor('ann@1'), 2);
  assert.equal(throttle.waitFor('ann@2'), 0);
  now += 2000;
  assert.equal(throttle.waitFor('ann@1'), 0);
  for (let tries = 0; tries < 20; tries++) throttle.failed('ann@1');
  assert.equal(throttle.waitFor('ann@1'), 60);
  throttle.succeeded('ann@1');
  assert.equal(throttle.waitFor('ann@1'), 0);
});

test('failures long ago count no more', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  for (let tries = 0; tries < 5; tries++) throttle.failed('ann');
  now += 16 * 60_000;
  throttle.failed('ann');
  assert.equal(throttle.waitFor('ann'), 0);
});
