import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cipher } from '../../../../kit/bytes/cipher.ts';
import { expiryFrom, isExpired, tokenOf, type View, viewIn } from './token.ts';

const signBy = (key: number) => {
  const cipher = new Cipher(Buffer.alloc(32, key));
  return (text: string) => cipher.signAddress(text);
};
const sign = signBy(1);
const VIEW: View = { userKey: 'vera', job: 7, folder: 'reports/unit', expiresAt: 1_800_000_000 };

test('a token holds for files below its folder, on every server with the same key', () => {
  const token = tokenOf(VIEW, sign);
  for (const path of ['reports/unit/index.html', 'reports/unit/css/style.css'])
    assert.deepEqual(viewIn(token, path, signBy(1)), VIEW, path);
  for (const path of ['', 'reports', 'reports/unit', 'reports/other/index.html', 'reports/unit2/x', 'reports/Unit/x', 'x/reports/unit/x'])
    assert.equal(viewIn(token, path, sign), undefined, path);
  assert.equal(viewIn(token, 'reports/unit/index.html', signBy(2)), undefined);
});

test('a token for the folder of the job holds for all files of the job', () => {
  const all = { ...VIEW, folder: '' };
  const token = tokenOf(all, sign);
  assert.deepEqual(viewIn(token, 'index.html', sign), all);
  assert.deepEqual(viewIn(token, 'reports/unit/index.html', sign), all);
  assert.equal(viewIn(token, '', sign), undefined);
});

test('nothing in a token can be changed', () => {
  const token = tokenOf(VIEW, sign);
  const path = 'reports/unit/index.html';
  const parts = token.split('.');
  const others = [Buffer.from('admin').toString('base64url'), '8', '1', '1800003600', 'A'.repeat(43)];
  for (const [index, other] of others.entries()) {
    assert.equal(viewIn(parts.with(index, other).join('.'), path, sign), undefined, other);
    // This is the same value, written in another way.
    assert.equal(viewIn(parts.with(index, `0${parts[index]}`).join('.'), path, sign), undefined);
  }
  for (const index of token.split('').keys()) {
    const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
    assert.equal(viewIn(changed, path, sign), undefined, changed);
  }
  for (const other of ['', '.', '....', token.slice(0, -1), `${token}A`, token.toUpperCase(), `${'A'.repeat(5000)}${token}`])
    assert.equal(viewIn(other, path, sign), undefined, other);
});

test('parts cannot be moved from one place to another', () => {
  const shifted = { ...VIEW, folder: 'reports', userKey: 'vera","unit' };
  assert.notEqual(tokenOf(shifted, sign).split('.').at(-1), tokenOf(VIEW, sign).split('.').at(-1));
  assert.equal(viewIn(tokenOf({ ...VIEW, folder: 'reports' }, sign).replace('.1.', '.2.'), 'reports/unit/x', sign), undefined);
});

test('the longest login name has a token', () => {
  const view = { ...VIEW, userKey: '日'.repeat(255) };
  const token = tokenOf(view, sign);
  assert.ok(token.length < 1200, String(token.length));
  assert.deepEqual(viewIn(token, 'reports/unit/x', sign), view);
});

test('a token ends within the hour, at the same moment as others made in the same minutes', () => {
  const now = Date.UTC(2026, 10, 17, 9, 32, 10);
  const expiresAt = expiryFrom(now);
  assert.equal(1000 * expiresAt, Date.UTC(2026, 10, 17, 10, 30));
  assert.equal(expiryFrom(now + 60_000), expiresAt);
  assert.equal(isExpired({ expiresAt }, 1000 * expiresAt - 1), false);
  assert.equal(isExpired({ expiresAt }, 1000 * expiresAt), true);
});

test('the signature of a token differs from the signatures between servers', () => {
  const cipher = new Cipher(Buffer.alloc(32, 1));
  assert.notEqual(cipher.signAddress('text'), cipher.sign('text'));
});
