import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pooledRandomBytes } from './random-pool.ts';

test('no bytes are given out twice, also when the block is filled again', () => {
  const given = Array.from({ length: 1000 }, () => pooledRandomBytes(12));
  assert.ok(given.every(({ length }) => length === 12));
  assert.equal(new Set(given.map((bytes) => bytes.toString('hex'))).size, given.length);
});
