import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ANY_VALUE, bindingHash, Cipher } from './cipher.ts';

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

const binding = { scope: bindingHash('here'), destination: bindingHash('there') };

test('a bound text tells what it is bound to, and is no portable one', () => {
  for (const plain of ['', 'x', 'ünïcode 🚀', 'long'.repeat(1000)]) {
    const text = cipher.encryptBound(plain, binding);
    assert.deepEqual(cipher.open(text), { plain, binding });
    assert.equal(cipher.decrypt(text), undefined);
    assert.notEqual(cipher.encryptBound(plain, binding), text);
  }
  assert.deepEqual(cipher.open(cipher.encrypt('x')), { plain: 'x' });
  assert.deepEqual(cipher.open(cipher.encryptBound('x', { ...binding, destination: ANY_VALUE }))?.binding?.destination, ANY_VALUE);
});

test('with a seed a bound text is the same each time, and another for another seed, binding or plain text', () => {
  const text = cipher.encryptBound('x', binding, 'seed');
  assert.equal(cipher.encryptBound('x', binding, 'seed'), text);
  const others = [
    cipher.encryptBound('x', binding, 'other'),
    cipher.encryptBound('y', binding, 'seed'),
    cipher.encryptBound('x', { ...binding, scope: ANY_VALUE }, 'seed'),
    cipher.encryptBound('x', { ...binding, destination: ANY_VALUE }, 'seed'),
  ];
  const ivOf = (one: string) => Buffer.from(one.split(':')[2]!, 'base64').subarray(0, 12).toString('hex');
  assert.equal(new Set([text, ...others].map(ivOf)).size, 5);
});

test('a bound text cannot be touched, turned into a portable one, or opened by another key', () => {
  const text = cipher.encryptBound('secret', binding, 'seed');
  for (let at = 12; at < text.length - 2; at++) {
    const touched = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    assert.equal(cipher.open(touched), undefined);
  }
  assert.equal(cipher.open(text.replace('v2:', 'v1:')), undefined);
  assert.equal(cipher.open(cipher.encrypt('x'.repeat(100)).replace('v1:', 'v2:')), undefined);
  const other = new Cipher(randomBytes(32));
  assert.equal(other.open(text), undefined);
  assert.deepEqual(
    [other.isOfOtherKey(text), cipher.isOfOtherKey(text), cipher.isOwn(text), other.isOwn(text)],
    [true, false, true, false],
  );
});
