import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cut, cutName } from './cut-text.ts';

const MAX_BYTES = 40;
const anyText = fc.string({ unit: 'binary', maxLength: 100 });

test('a text is left as it is, or is its beginning in whole characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const shorten of [cut, cutName]) {
        const short = shorten(text, MAX_BYTES);
        assert.ok(Buffer.byteLength(short) <= MAX_BYTES);
        if (Buffer.byteLength(text) <= MAX_BYTES) assert.equal(short, text);
        else assert.ok(text.startsWith(short.slice(0, short.lastIndexOf('…'))) && short.isWellFormed());
      }
    }),
  );
});

test('names that differ stay different', () => {
  const long = 'x'.repeat(MAX_BYTES);
  assert.equal(cut(`${long}a`, MAX_BYTES), cut(`${long}b`, MAX_BYTES));
  assert.notEqual(cutName(`${long}a`, MAX_BYTES), cutName(`${long}b`, MAX_BYTES));
});
