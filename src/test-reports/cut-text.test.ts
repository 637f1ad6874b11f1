import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cut, cutName } from './cut-text.ts';

const LONGEST = 40;
const anyText = fc.string({ unit: 'binary', maxLength: 100 });

test('a text is left as it is, or is its beginning in whole characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const shorten of [cut, cutName]) {
        const short = shorten(text, LONGEST);
        assert.ok(Buffer.byteLength(short) <= LONGEST);
        if (Buffer.byteLength(text) <= LONGEST) assert.equal(short, text);
        else assert.ok(text.startsWith(short.slice(0, short.lastIndexOf('…'))) && short.isWellFormed());
      }
    }),
  );
});

test('names that differ stay different', () => {
  const long = 'x'.repeat(LONGEST);
  assert.equal(cut(`${long}a`, LONGEST), cut(`${long}b`, LONGEST));
  assert.notEqual(cutName(`${long}a`, LONGEST), cutName(`${long}b`, LONGEST));
});
