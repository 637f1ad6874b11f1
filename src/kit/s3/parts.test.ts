import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './parts.ts';

const MIB = 1024 * 1024;

test('small files go as a whole', () => {
  assert.deepEqual(partsOf(0), [{ number: 1, at: 0, bytes: 0 }]);
  assert.deepEqual(partsOf(16 * MIB), [{ number: 1, at: 0, bytes: 16 * MIB }]);
});

test('large files go in parts without a gap, and never in too many', () => {
  for (const bytes of [16 * MIB + 1, 100 * MIB + 7, 900_000 * MIB + 1]) {
    const parts = partsOf(bytes);
    assert.ok(parts.length > 1 && parts.length <= 10_000);
    let at = 0;
    for (const part of parts) {
      assert.equal(part.at, at);
      at += part.bytes;
    }
    assert.equal(at, bytes);
  }
});
