import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { PrefixMd5 } from './prefix-md5.ts';

const plain = (chunks: readonly Buffer[]) => createHash('md5').update(Buffer.concat(chunks)).digest('hex');

test('the hash is the MD5 of the whole list, after any change since the last call', () => {
  const stock = Array.from({ length: 12 }, (_, at) => Buffer.alloc(at * 40_000 + 1, at));
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom(...stock), { maxLength: 30 }), { maxLength: 12 }), (lists) => {
      const md5 = new PrefixMd5();
      for (const list of lists) assert.equal(md5.of(list), plain(list));
    }),
    { numRuns: 60 },
  );
});

test('the hash is right for the same list again, and for an empty list', () => {
  const md5 = new PrefixMd5();
  assert.equal(md5.of([]), plain([]));
  assert.equal(md5.of([]), plain([]));
  const list = [Buffer.from('a'), Buffer.from('b')];
  assert.equal(md5.of(list), plain(list));
  assert.equal(md5.of([...list]), plain(list));
});
