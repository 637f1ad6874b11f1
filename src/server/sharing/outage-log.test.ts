import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../kit/refusal.ts';
import { CONNECTION_LOST, DATABASE_READ_ONLY, DATABASE_UNAVAILABLE } from '../../store/unavailable.ts';
import { outageLog } from './outage-log.ts';

type Line = readonly [level: string, facts: object, message: string];

function lab() {
  const lines: Line[] = [];
  const write = (level: string) => (facts: object, message: string) => void lines.push([level, facts, message]);
  const clock = { now: 0 };
  const inner = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { clock, log: outageLog(inner, () => clock.now), shown: () => lines.filter(([level]) => level !== 'debug'), lines };
}

const unavailable = Object.assign(new Refusal('unavailable', DATABASE_UNAVAILABLE), { cause: new Error('no answer') });

test('failures for want of the database are one short line a minute, without a stack', () => {
  const { clock, log, shown, lines } = lab();
  for (let second = 0; second < 120; second++) {
    clock.now = second * 1000;
    log.error({ err: unavailable, job: 'one' }, 'periodic work failed');
  }
  const message = 'work fails because the database cannot be used';
  assert.deepEqual(shown(), [
    ['warn', { failures: 1, last: 'periodic work failed', reason: 'no answer' }, message],
    ['warn', { failures: 60, last: 'periodic work failed', reason: 'no answer' }, message],
  ]);
  assert.equal(lines.filter(([level]) => level === 'debug').length, 120);
});

test('failures from threads, of refused writes, and as the cause of another are short lines, too', () => {
  const failures = [new Error(`${CONNECTION_LOST}reset`), new Error(DATABASE_READ_ONLY), new Error('not done', { cause: unavailable })];
  for (const err of failures) {
    const { log, shown } = lab();
    log.warn({ err }, 'failed');
    log.error({ err }, 'failed');
    assert.equal(shown().length, 1, err.message);
  }
});

test('all other lines are written as they are', () => {
  const { log, shown } = lab();
  const err = new Error('a bug');
  log.error({ err }, 'failed');
  log.warn({ reason: 'full' }, 'no room');
  log.info({}, 'started');
  log.error({ err: unavailable, requestId: 'one' }, 'it is not known whether a request was done');
  assert.deepEqual(shown(), [
    ['error', { err }, 'failed'],
    ['warn', { reason: 'full' }, 'no room'],
    ['info', {}, 'started'],
    ['error', { err: unavailable, requestId: 'one' }, 'it is not known whether a request was done'],
  ]);
});
