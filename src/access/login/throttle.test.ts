import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Claim, Throttle } from './throttle.ts';

const ann: Claim = { login: 'ann', address: '192.0.2.1' };
const times = (count: number, work: (index: number) => void) => {
  for (let index = 0; index < count; index++) work(index);
};

test('a few failures are free, then each makes the wait longer, and a success forgets them', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  times(4, () => throttle.failed(ann));
  assert.equal(throttle.lockOutSeconds(ann), 0);
  throttle.failed(ann);
  assert.equal(throttle.lockOutSeconds(ann), 1);
  throttle.failed(ann);
  assert.equal(throttle.lockOutSeconds(ann), 2);
  now += 2000;
  assert.equal(throttle.lockOutSeconds(ann), 0);
  times(20, () => throttle.failed(ann));
  assert.equal(throttle.lockOutSeconds(ann), 60);
  throttle.succeeded(ann);
  assert.equal(throttle.lockOutSeconds(ann), 0);
});

test('failures long ago count no more', () => {
  let now = 0;
  const throttle = new Throttle(() => now);
  times(5, () => throttle.failed(ann));
  now += 16 * 60_000;
  throttle.failed(ann);
  assert.equal(throttle.lockOutSeconds(ann), 0);
  assert.equal(throttle.delayMs(ann), 0);
});

test('failures of a user at other addresses lock no user out; many make each try of that user slower, up to a limit', () => {
  const throttle = new Throttle(() => 0);
  times(20, (index) => throttle.failed({ login: 'ann', address: `198.51.100.${index}` }));
  assert.deepEqual([throttle.lockOutSeconds(ann), throttle.delayMs(ann)], [0, 0]);
  throttle.failed({ login: 'ann', address: '198.51.100.99' });
  assert.deepEqual([throttle.lockOutSeconds(ann), throttle.delayMs(ann)], [0, 100]);
  times(1000, (index) => throttle.failed({ login: 'ann', address: `203.0.113.${index}` }));
  assert.deepEqual([throttle.lockOutSeconds(ann), throttle.delayMs(ann)], [0, 2000]);
  assert.equal(throttle.delayMs({ login: 'bob', address: ann.address }), 0);
  throttle.succeeded(ann);
  assert.equal(throttle.delayMs(ann), 2000, 'a login elsewhere is no proof that the guessing has ended');
});

test('failures in many names make each try from that address slower, and do not make it forget whom it locked out', () => {
  const throttle = new Throttle(() => 0);
  times(6, () => throttle.failed(ann));
  times(50, (index) => throttle.failed({ login: `new-${index}`, address: ann.address }));
  assert.equal(throttle.lockOutSeconds(ann), 2);
  assert.equal(throttle.delayMs({ login: 'bob', address: ann.address }), 600);
  assert.equal(throttle.delayMs({ login: 'bob', address: '192.0.2.2' }), 0);
});
