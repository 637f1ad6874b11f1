// The moments that the switch for the past understands.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addressAt, momentLabel, parseMoment } from '../../../pages/kit/moment-text.ts';

it('a revision or a time can be typed', () => {
  assert.equal(parseMoment(' 42 '), '42');
  assert.equal(parseMoment('2026-11-17T14:00'), new Date('2026-11-17T14:00').toISOString());
  assert.equal(parseMoment('yesterday'), undefined);
  assert.equal(parseMoment(''), undefined);
});

it('a moment is shown in words', () => {
  assert.equal(momentLabel('42'), 'revision 42');
  assert.match(momentLabel('2026-11-17T14:00:00'), /Tuesday/);
  assert.equal(momentLabel('no moment'), 'no moment');
});

it('a moment goes into addresses', () => {
  assert.equal(addressAt('/api/admin/environments', undefined), '/api/admin/environments');
  assert.equal(addressAt('/api/admin/environments', '42'), '/api/admin/environments?at=42');
  assert.equal(addressAt('/api/x?a=b', '2026-11-17T14:00:00.000Z'), '/api/x?a=b&at=2026-11-17T14%3A00%3A00.000Z');
});
