import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf, timeOf } from './at.ts';

test('a number is a revision', () => {
  assert.deepEqual(momentOf('17'), { revision: 17 });
  assert.deepEqual(momentOf('0'), { revision: 0 });
  assert.equal(momentOf('1'.repeat(16)), undefined);
  assert.equal(momentOf('-1'), undefined);
});

test('a time has a zone; a day begins in UTC', () => {
  const times = {
    '2026-01-31': '2026-01-31T00:00:00.000Z',
    '2026-01-31T09:30Z': '2026-01-31T09:30:00.000Z',
    '2026-01-31t09:30:15z': '2026-01-31T09:30:15.000Z',
    '2026-01-31T09:30:15.25+02:00': '2026-01-31T07:30:15.250Z',
    '2026-01-31T09:30:15-0130': '2026-01-31T11:00:15.000Z',
    // A plus that was not escaped.
    '2026-01-31T09:30:15 02:00': '2026-01-31T07:30:15.000Z',
    '2024-02-29': '2024-02-29T00:00:00.000Z',
  };
  for (const [text, time] of Object.entries(times)) assert.equal(timeOf(text), time, text);
});

test('any other text is neither a revision nor a time', () => {
  for (const text of [
    '',
    'yesterday',
    '2026-01-31T09:30',
    '2026-02-31',
    '2026-13-01',
    '2026-01-31T25:00Z',
    '2026-01-31T09:30:61Z',
    ' 1',
    '1.5',
  ]) {
    assert.equal(momentOf(text), undefined, text);
  }
});
