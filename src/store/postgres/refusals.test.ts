import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../kit/refusal.ts';
import { ConnectionLost } from './connection.ts';
import { toRefusal } from './refusals.ts';

const kindOf = (failure: unknown) => {
  const refusal = toRefusal(failure);
  return refusal instanceof Refusal ? refusal.kind : refusal;
};

test('a database that cannot answer now is unavailable, with the time to try again', () => {
  for (const code of ['08006', '57P01', '57P03', '53300', '28P01', '3D000', '55P03', '40001', '25006'])
    assert.equal(kindOf(Object.assign(new Error('no'), { code })), 'unavailable', code);
  assert.equal(kindOf(new ConnectionLost(new Error('read ECONNRESET'))), 'unavailable');
  assert.equal((toRefusal(new ConnectionLost('gone')) as Refusal).details.retryAfter, 1);
});

test('a database that takes no writes can be reached, and the refusal says so', () => {
  const { message } = toRefusal(Object.assign(new Error('no'), { code: '25006' })) as Refusal;
  assert.equal(message, 'The database is read-only at present, so nothing was changed. Try again in a moment.');
});

test('a full disk and a text that cannot be stored have refusals of their own', () => {
  assert.equal(kindOf(Object.assign(new Error('no space'), { code: '53100' })), 'insufficientStorage');
  assert.equal(kindOf(Object.assign(new Error('0x00'), { code: '22021' })), 'invalid');
});

test('a fault stays a fault', () => {
  const fault = Object.assign(new Error('duplicate key'), { code: '23505' });
  assert.equal(toRefusal(fault), fault);
  const refusal = new Refusal('stale', 'no');
  assert.equal(toRefusal(refusal), refusal);
});
