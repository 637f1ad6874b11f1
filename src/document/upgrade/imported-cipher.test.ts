// Tests how secrets of other servers are opened.
import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ANY_VALUE, bindingHash, Cipher } from '../../kit/bytes/cipher.ts';
import { readImportedKey } from './imported-cipher.ts';

const KEY = '269298bc31c44620a1e5c2f2a9c1d8b0';

function aes(plain: string, key = KEY): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(key, 'hex'), iv);
  return `AES:${iv.toString('base64')}:${cipher.update(plain, 'utf8', 'base64')}${cipher.final('base64')}`;
}

test('an imported key opens secrets that it encrypted', () => {
  const open = readImportedKey(`${KEY.toUpperCase()}\n`)!;
  for (const plain of ['', 'badger', 'ünïcode 🚀', 'x'.repeat(1000)]) assert.deepEqual(open(aes(plain)), { plain });
});

test('text of another key, changed text and text of another kind is not opened', () => {
  const open = readImportedKey(KEY)!;
  const text = aes('badger');
  const [, iv, body] = text.split(':') as [string, string, string];
  // One in 256 wrong keys gives a padding that looks right; that it is no text then shows it.
  const opened = Array.from({ length: 50 }, () => open(aes('a secret that is longer than one block', randomBytes(16).toString('hex'))));
  assert.ok(opened.every((one) => one?.plain !== 'a secret that is longer than one block'));
  for (const other of [
    '',
    'AES',
    'AES:',
    `AES:${iv}`,
    `AES:${iv}:${body}:x`,
    `AES::${body}`,
    `AES:${iv}:`,
    `DES:${iv}:${body}`,
    body,
    'v1:00000000:AAAA',
    `AES:${iv}:***`,
  ]) {
    assert.equal(open(other), undefined, other);
  }
});

test('an old key opens secrets of schema versions up to 108', () => {
  const open = readImportedKey('269298bc31c44620')!;
  // Made with single DES in CBC mode and an initial vector of zeros.
  assert.equal(open('mvcX9yrQsM4iPgm1tDxN1A==')?.plain, 'user-password!');
  assert.equal(open('mvcX9yrQsM4iPgm1\ntDxN1A==')?.plain, 'user-password!');
  assert.equal(open('mvcX9yrQsM4iPgm1uDxN1A=='), undefined);
  assert.equal(open(aes('x')), undefined);
});

test('the key of another Slipway opens secrets of that server', () => {
  const key = `${KEY}${KEY}`;
  const cipher = new Cipher(Buffer.from(key, 'hex'));
  const open = readImportedKey(`${key}\n`)!;
  const portable = cipher.encrypt('badger');
  assert.deepEqual(open(portable), { plain: 'badger', portable });
  const binding = { scope: bindingHash('here'), destination: ANY_VALUE };
  assert.deepEqual(open(cipher.bind(portable, binding)!), { plain: 'badger', portable, binding });
  assert.equal(open(new Cipher(randomBytes(32)).encrypt('badger')), undefined);
  assert.equal(open(aes('badger')), undefined);
});

test('a text that is no key gives undefined', () => {
  for (const text of ['', 'xyz', '269298bc31c4462', `${KEY}0`, `${KEY}${KEY}0`, 'g'.repeat(32), 'g'.repeat(64), `${KEY} ${KEY}`])
    assert.equal(readImportedKey(text), undefined, text);
});
