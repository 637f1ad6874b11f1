// Tests the keys of other servers that are kept.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { referenceCipherText as aes } from '../../../test/support/configuration/reference-cipher-text.ts';
import { Cipher } from '../../kit/bytes/cipher.ts';
import { ImportedKeys } from './imported-keys.ts';

const FIRST = '269298bc31c44620a1e5c2f2a9c1d8b0';
const SECOND = '5f1b0e9c7a3d4e6f8a9b0c1d2e3f4a5b';
const OLD = '269298bc31c44620';
const SLIPWAY = `${FIRST}${SECOND}`;
const OWN = `${SECOND}${FIRST}`;
const own = new Cipher(Buffer.from(OWN, 'hex'));

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'slipway-keys-'));
  path = join(dataDir, 'imported.keys');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => new ImportedKeys(dataDir, own);

test('secrets encrypted with any imported key are opened, at once and by a later instance', () => {
  const keys = open();
  assert.equal(keys.open(aes('badger', FIRST)), undefined);
  for (const key of [`${FIRST}\n`, SECOND, OLD, SLIPWAY]) keys.keep(key);
  for (const known of [keys, open()]) {
    assert.equal(known.open(aes('badger', FIRST))?.plain, 'badger');
    assert.equal(known.open(aes('stoat', SECOND))?.plain, 'stoat');
    assert.equal(known.open('mvcX9yrQsM4iPgm1tDxN1A==')?.plain, 'user-password!');
    assert.equal(known.open(new Cipher(Buffer.from(SLIPWAY, 'hex')).encrypt('otter'))?.plain, 'otter');
    assert.equal(known.open(new Cipher(randomBytes(32)).encrypt('otter')), undefined);
  }
});

test('the file of imported keys is readable by its owner alone, and has each key once', () => {
  const keys = open();
  let calls = 0;
  keys.listen(() => {
    calls++;
  });
  for (const key of [FIRST, FIRST.toUpperCase(), ` ${FIRST}\n`, SECOND]) keys.keep(key);
  open().keep(FIRST);
  assert.equal(readFileSync(path, 'utf8'), `${FIRST}\n${SECOND}\n`);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(calls, 2);
});

test("this server's own key is not kept, nor is a text that is no key", () => {
  for (const key of [OWN, 'no key', '']) open().keep(key);
  assert.equal(existsSync(path), false);
});

test('a line that is no key is named, and not repeated', () => {
  writeFileSync(path, `${FIRST}\n\nhush\n`);
  assert.throws(open, ({ message }: Error) => message.startsWith(`Line 3 of ${path} is no key.`) && !message.includes('hush'));
});
