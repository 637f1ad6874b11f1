// Timers of pipelines: which are due at a moment, and which were missed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timers } from './timers.ts';

const HOUR = 60 * 60_000;
const MIDNIGHT = Date.UTC(2026, 0, 1);
const nightly = (onlyOnChanges = false) => ({ name: 'Deploy', timer: { spec: '0 0 2 * * ?', onlyOnChanges } });

function timersAt(now: number): Timers {
  const timers = new Timers(() => 'UTC');
  timers.set(nightly(), now);
  return timers;
}

test('a timer fires once at its time, and then at its next one', () => {
  const timers = timersAt(MIDNIGHT);
  assert.equal(timers.nextAt, MIDNIGHT + 2 * HOUR);
  assert.deepEqual(timers.takeDue(MIDNIGHT + 2 * HOUR - 1), []);
  const due = [{ pipeline: 'Deploy', instant: MIDNIGHT + 2 * HOUR, onlyOnChanges: false }];
  assert.deepEqual(timers.takeDue(MIDNIGHT + 2 * HOUR + 1000), due);
  assert.deepEqual(timers.takeDue(MIDNIGHT + 2 * HOUR + 1000), []);
  assert.equal(timers.nextAt, MIDNIGHT + 26 * HOUR);
});

test('a timer that was missed for hours is not made up for', () => {
  const timers = timersAt(MIDNIGHT);
  assert.deepEqual(timers.takeDue(MIDNIGHT + 9 * HOUR), []);
  assert.equal(timers.nextAt, MIDNIGHT + 26 * HOUR);
  assert.equal(timers.takeDue(MIDNIGHT + 26 * HOUR).length, 1);
});

test('a pipeline that changes keeps its time, and loses it with its timer', () => {
  const timers = timersAt(MIDNIGHT);
  timers.set(nightly(true), MIDNIGHT + HOUR);
  assert.deepEqual(timers.takeDue(MIDNIGHT + 2 * HOUR), [{ pipeline: 'Deploy', instant: MIDNIGHT + 2 * HOUR, onlyOnChanges: true }]);
  timers.set({ name: 'deploy', timer: null }, MIDNIGHT + 3 * HOUR);
  assert.equal(timers.nextAt, undefined);
});
