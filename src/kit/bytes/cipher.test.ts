import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ANY_VALUE, bindingHash, Cipher } from './cipher.ts';

const cipher = new Cipher(randomBytes(32));

test('a cipher decrypts what it encrypted, and encrypts differently each time', () => {
  for (const plain of ['', 'x', 'ünïcode 🚀', 'long'.repeat(1000)]) {
    assert.equal(cipher.decrypt(cipher.encrypt(plain)), plain);
    assert.notEqual(cipher.encrypt(plain), cipher.encrypt(plain));
    assert.equal(cipher.digest(plain), cipher.digest(plain));
  }
});

test('a cipher refuses text that was changed, is of another key, or is no cipher text', () => {
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
const bound = (plain: string, to = binding) => cipher.bind(cipher.encrypt(plain), to)!;

test('a bound text names its binding, and cannot be opened as a portable one', () => {
  for (const plain of ['', 'x', 'ünïcode 🚀', 'long'.repeat(1000)]) {
    const portable = cipher.encrypt(plain);
    const text = cipher.bind(portable, binding)!;
    assert.deepEqual(cipher.open(text), { plain, portable, binding });
    assert.deepEqual(cipher.open(portable), { plain, portable });
    assert.equal(cipher.decrypt(text), undefined);
    assert.ok(!text.includes(portable.split(':')[2]!.slice(0, 16)));
  }
  assert.equal(cipher.open(bound('x', { ...binding, destination: ANY_VALUE }))?.binding?.destination, ANY_VALUE);
});

test('the same text is bound in the same way each time, and in another way to something else', () => {
  const portable = cipher.encrypt('x');
  const texts = [
    cipher.bind(portable, binding)!,
    cipher.bind(cipher.encrypt('x'), binding)!,
    cipher.bind(portable, { ...binding, scope: ANY_VALUE })!,
    cipher.bind(portable, { ...binding, destination: ANY_VALUE })!,
  ];
  assert.equal(cipher.bind(portable, binding), texts[0]);
  const ivOf = (one: string) => Buffer.from(one.split(':')[2]!, 'base64').subarray(0, 12).toString('hex');
  assert.equal(new Set(texts.map(ivOf)).size, texts.length);
});

test('only portable texts of this key are bound', () => {
  for (const other of ['', 'x', bound('x'), new Cipher(randomBytes(32)).encrypt('x')]) assert.equal(cipher.bind(other, binding), undefined);
});

test('a bound text cannot be changed, turned into a portable one, or opened by another key', () => {
  const text = bound('secret');
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
