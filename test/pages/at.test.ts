// The moments that the switch for the past understands.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addressAt, atIn, atText } from '../../pages/kit/at-text.ts';

it('a revision or a time can be typed', () => {
  assert.equal(atIn(' 42 '), '42');
  assert.equal(atIn('2026-11-17T14:00'), new Date('2026-11-17T14:00').toISOString());
  assert.equal(atIn('yesterday'), undefined);
  assert.equal(atIn(''), undefined);
});

it('it is told in words', () => {
  assert.equal(atText('42'), 'revision 42');
  assert.match(atText('2026-11-17T14:00:00'), /Tuesday/);
  assert.equal(atText('no moment'), 'no moment');
});

it('it goes into addresses', () => {
  assert.equal(addressAt('/api/admin/environments', undefined), '/api/admin/environments');
  assert.equal(addressAt('/api/admin/environments', '42'), '/api/admin/environments?at=42');
  assert.equal(addressAt('/api/x?a=b', '2026-11-17T14:00:00.000Z'), '/api/x?a=b&at=2026-11-17T14%3A00%3A00.000Z');
});
