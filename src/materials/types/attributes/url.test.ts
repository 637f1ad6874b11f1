// Tests how addresses with passwords are shown, kept, and written into documents and read again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Cipher } from '../../../kit/bytes/cipher.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { seal } from '../../../shape/secrets/secret.ts';
import { STORED } from '../../../shape/secrets/secret-writer.ts';
import { isUnknown, shownUrl, type Url, url } from './url.ts';

const cipher = new Cipher(Buffer.alloc(32, 1));
const otherCipher = new Cipher(Buffer.alloc(32, 2));
const field = url('GitMaterial');

function read(text: string): { value: Url; problems: Problem[] } {
  const reading = {
    problems: [],
    seal: (plain: string) => seal(plain, cipher),
    unseal: (cipherText: string, _: unknown, fits?: (plain: string) => boolean) => {
      const plain = cipher.decrypt(cipherText);
      const isFit = plain !== undefined && fits?.(plain) !== false;
      return isFit ? { cipherText, digest: cipher.digest(plain) } : ('undecryptable' as const);
    },
    peek: (cipherText: string) => cipher.decrypt(cipherText),
    mayKeep: () => true,
    secrets: STORED,
    isSecretSetting: () => undefined,
    isStored: () => false,
    isStoredSetting: () => false,
  };
  return { value: field.read({ holder: { url: text }, path: [], reading }, 'url'), problems: reading.problems };
}

function written(value: Url, isSealed: boolean): string {
  const out: JsonOut = {};
  field.write(value, 'url', out, { base: undefined, isSealed, secrets: STORED }, {});
  return String(out.url);
}

const ADDRESSES = [
  ['https://me:hush@scm.example.org/a.git', 'https://me:******@scm.example.org/a.git'],
  ['https://me:h%40u%3As%2Fh@scm.example.org/a.git?x=1', 'https://me:******@scm.example.org/a.git?x=1'],
  ['https://me:hu@sh@scm.example.org/a.git', 'https://me:******@scm.example.org/a.git'],
  ['https://me:hu/sh@scm.example.org/a.git', 'https://me:******@scm.example.org/a.git'],
  ['https://token-hush@scm.example.org/a.git', 'https://******@scm.example.org/a.git'],
  ['https://:hush@scm.example.org/a.git', 'https://:******@scm.example.org/a.git'],
  ['ssh://me:hush@scm.example.org/a.git', 'ssh://me:******@scm.example.org/a.git'],
  ['svn+ssh://me:hush@scm.example.org/#{branch}', 'svn+ssh://me:******@scm.example.org/#{branch}'],
  ['me:hush@scm.example.org/a.git', 'me:******@scm.example.org/a.git'],
  ['https:\\\\me:hush@scm.example.org', 'https:\\\\me:******@scm.example.org'],
  [
    'https://me:hush@one.example.org/https://you:hush@two.example.org',
    'https://me:******@one.example.org/https://you:******@two.example.org',
  ],
] as const;

describe('an address with a password', () => {
  for (const [address, shown] of ADDRESSES) {
    test(`the address ${address} is masked, and its password kept`, () => {
      const { value, problems } = read(address);
      assert.deepEqual(problems, []);
      assert.ok(typeof value !== 'string');
      assert.equal(cipher.decrypt(value.full.cipherText), address);
      assert.equal(shownUrl(value), shown);
      assert.equal(written(value, false), shown);
      const sealed = written(value, true);
      assert.ok(!sealed.includes('hush') && sealed.includes('v1%3A'), sealed);
      assert.deepEqual(read(sealed), { value, problems: [] });
    });
  }
});

test('an address without a password is written as it is', () => {
  for (const address of [
    'https://scm.example.org/v1%3Aa',
    'git@scm.example.org:v1/a.git',
    'ssh://git@scm.example.org',
    '',
    'C:\\repos\\a',
  ]) {
    assert.deepEqual(read(address), { value: address, problems: [] });
    assert.equal(written(address, true), address);
  }
});

test('an address that comes back masked has an unknown password', () => {
  assert.ok(isUnknown(read('https://me:******@scm.example.org/a.git').value));
});

const sealedAs = (plain: string, by = cipher) => encodeURIComponent(by.encrypt(plain));
const good = sealedAs('https://me:hush@scm.example.org/a.git');

for (const [what, password] of Object.entries({
  'of another server': sealedAs('https://me:hush@scm.example.org/a.git', otherCipher),
  'of an address elsewhere': sealedAs('https://me:hush@evil.example.org/a.git'),
  'of another user': sealedAs('https://you:hush@scm.example.org/a.git'),
  'of another path': sealedAs('https://me:hush@scm.example.org/b.git'),
  'of no address': sealedAs('hush'),
  'that was touched': `${good.slice(0, -8)}AAAAAAAA`,
  'that was cut': good.slice(0, -10),
  'that is nothing but its beginning': 'v1%3A',
  'that is escaped by halves': `${good}%E0%A4%A`,
})) {
  test(`a cipher text ${what} is refused`, () => {
    const { value, problems } = read(`https://me:${password}@scm.example.org/a.git`);
    assert.deepEqual(problems, [
      {
        at: ['url'],
        message:
          "Encrypted password value for GitMaterial with url 'https://me:******@scm.example.org/a.git' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
      },
    ]);
    assert.equal(shownUrl(value), 'https://me:******@scm.example.org/a.git');
    assert.ok(!isUnknown(value));
  });
}

test('a password that only contains the mark of a cipher text is a password', () => {
  const { value, problems } = read('https://me:see-v1%3Ax@scm.example.org/a.git');
  assert.deepEqual(problems, []);
  assert.ok(typeof value !== 'string');
  assert.equal(cipher.decrypt(value.full.cipherText), 'https://me:see-v1%3Ax@scm.example.org/a.git');
});
