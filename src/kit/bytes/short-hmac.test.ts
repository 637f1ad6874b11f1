// Digests are stored: they have to be those of Node's own HMAC, for every text and key.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { ShortHmac } from './short-hmac.ts';

const ofNode = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url');

test('the digest is that of Node, for any texts one after the other', () => {
  const keys = fc.uint8Array({ maxLength: 64 });
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 1200 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(keys, texts, (key, all) => {
      const hmac = new ShortHmac(Buffer.from(key));
      for (const text of all) assert.equal(hmac.digest(text), ofNode(key, text));
    }),
  );
});

test('the digest is right around the length from which Node computes it', () => {
  const key = Buffer.alloc(32, 7);
  const hmac = new ShortHmac(key);
  for (const character of ['x', 'ü', '漢', '\ud800'])
    for (const length of [0, 1, 1023, 1024, 1025]) {
      const text = character.repeat(length);
      assert.equal(hmac.digest(text), ofNode(key, text));
    }
});
