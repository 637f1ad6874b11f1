// Checks that setting a password leaves the rest of a password file as it was.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setPassword } from './password-file-edit.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-password-edit-'));
const path = join(directory, 'users');

after(() => rmSync(directory, { recursive: true }));

test('makes the file when there is none, readable by its owner only', () => {
  setPassword(path, 'admin', '$2b$10$one');
  assert.equal(readFileSync(path, 'utf8'), 'admin:$2b$10$one\n');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('adds a user after the others', () => {
  writeFileSync(path, '# people\r\nann:x\r\n\r\n');
  setPassword(path, 'bob', 'y');
  assert.equal(readFileSync(path, 'utf8'), '# people\nann:x\nbob:y\n');
});

test('replaces every line of a user, in any letter case, in the place of the first', () => {
  writeFileSync(path, '#Ann:comment\nAnn:x\nbob:y\nANN:z\n');
  setPassword(path, 'ann', 'new');
  assert.equal(readFileSync(path, 'utf8'), '#Ann:comment\nann:new\nbob:y\n');
});

for (const [login, hash] of [
  ['', 'x'],
  ['a:b', 'x'],
  ['#a', 'x'],
  [' a', 'x'],
  ['a\nroot', 'x'],
  ['a', 'x\nroot:y'],
  ['a', ''],
] as const) {
  test(`refuses ${JSON.stringify(login)} with ${JSON.stringify(hash)}`, () => {
    writeFileSync(path, 'ann:x\n');
    assert.throws(() => setPassword(path, login, hash), /cannot hold this user/);
    assert.equal(readFileSync(path, 'utf8'), 'ann:x\n');
  });
}
