// The note of the first password stays as long as that password counts, and no longer.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { setPassword } from '../../plugins/bundled/authorization/password-file-edit.ts';
import { hashPassword } from '../../plugins/bundled/authorization/password-hash.ts';
import { forgetChangedPassword, storeInitialPassword } from './initial-password.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-initial-'));
const file = join(directory, 'users');
const isKept = () => existsSync(join(directory, 'initial-admin-password'));
after(() => rmSync(directory, { recursive: true }));

let forget: () => Promise<void>;
beforeEach(async () => {
  setPassword(file, 'admin', await hashPassword('first'));
  storeInitialPassword(directory, 'first');
  forget = forgetChangedPassword(directory, 'admin', 'users');
});

test('the note of the first password goes when the password is changed, without a restart', async () => {
  await forget();
  assert.ok(isKept());
  setPassword(file, 'ann', await hashPassword('of somebody else'));
  await forget();
  assert.ok(isKept());
  setPassword(file, 'admin', await hashPassword('second'));
  await forget();
  assert.ok(!isKept());
  await forget();
});

test('the note stays while there is no password file, and is judged by the file that comes back', async () => {
  renameSync(file, `${file}.aside`);
  await forget();
  assert.ok(isKept());
  renameSync(`${file}.aside`, file);
  await forget();
  assert.ok(isKept());
  setPassword(file, 'admin', await hashPassword('second'));
  await forget();
  assert.ok(!isKept());
});
