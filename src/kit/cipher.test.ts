import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Cipher } from './cipher.ts';

const cipher = new Cipher(randomBytes(32));

test('decrypts what it encrypted, and encrypts differently each time', () => {
  for (const plain of ['', 'x', 'ünïcode 🚀', 'long'.repeat(1000)]) {
    assert.equal(cipher.decrypt(cipher.encrypt(plain)), plain);
    assert.notEqual(cipher.encrypt(plain), cipher.encrypt(plain));
    assert.equal(cipher.digest(plain), cipher.digest(plain));
  }
});

test('refuses every text that was touched, of another key, or not a cipher text at all', () => {
  const text = cipher.encrypt('secret');
  for (let at = 12; at < text.length - 2; at++) {
    const touched = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    assert.equal(cipher.decrypt(touched), undefined);
  }
  assert.equal(new Cipher(randomBytes(32)).decrypt(text), undefined);
  for (const nonsense of ['', 'v1', 'v1::', 'v1:00000000:', 'v1:00000000:AAAA', 'AES:abc:def', `${text}AA`, ` ${text}`]) {
    assert.equal(cipher.decrypt(nonsense), undefined);
  }
});
