import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackupRecord } from './record.ts';
import { decideRemovals, type RetentionRule } from './retention.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const ago = (days: number, more: Partial<BackupRecord> = {}) =>
  ({
    id: 1000 - days,
    status: 'COMPLETED',
    time: new Date(NOW.getTime() - days * 86_400_000).toISOString(),
    copy: null,
    ...more,
  }) as BackupRecord;
const removed = (records: readonly BackupRecord[], rule: Partial<RetentionRule>) =>
  decideRemovals(records, { keepLast: null, keepDays: null, ...rule }, NOW).map(({ id }) => 1000 - id);

const DAILY = [0, 1, 2, 3, 4, 5].map((days) => ago(days));

test('no backup goes without limits', () => {
  assert.deepEqual(removed(DAILY, {}), []);
});

test('the last backups stay, as many as keepLast says', () => {
  assert.deepEqual(removed(DAILY, { keepLast: 2 }), [2, 3, 4, 5]);
  assert.deepEqual(removed(DAILY, { keepLast: 9 }), []);
});

test('the backups of the last days stay, as many days as keepDays says', () => {
  assert.deepEqual(removed(DAILY, { keepDays: 3 }), [4, 5]);
});

test('with both limits, a backup that either limit keeps stays', () => {
  assert.deepEqual(removed(DAILY, { keepLast: 2, keepDays: 3 }), [4, 5]);
  assert.deepEqual(removed(DAILY, { keepLast: 5, keepDays: 1 }), [5]);
});

test('the newest successful backup never goes', () => {
  assert.deepEqual(removed([ago(50), ago(60)], { keepDays: 7 }), [60]);
  assert.deepEqual(removed([ago(50, { status: 'ERROR' }), ago(60), ago(70)], { keepDays: 7 }), [70]);
});

test('failed backups do not count among the last, and go with the older ones', () => {
  const records = [ago(0, { status: 'ERROR' }), ago(1), ago(2, { status: 'ABORTED' }), ago(3), ago(4, { status: 'ERROR' }), ago(5)];
  assert.deepEqual(removed(records, { keepLast: 2 }), [4, 5]);
});

test('a backup that is still to be copied stays', () => {
  const copy = (status: string) => ({ copy: { status, address: '', message: '' } }) as Partial<BackupRecord>;
  assert.deepEqual(
    removed([ago(0), ago(1, copy('waiting')), ago(2, copy('running')), ago(3, copy('completed')), ago(4, copy('failed'))], { keepLast: 1 }),
    [3, 4],
  );
});
