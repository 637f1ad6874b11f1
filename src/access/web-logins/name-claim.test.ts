// A login name stays with the account that used it first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameClaim } from './name-claim.ts';

const account = { issuer: 'https://login.example.org', subject: '7' };

test('a login name belongs to its first account, and is open again after a change of the provider', () => {
  assert.equal(nameClaim(account, account), 'linked');
  assert.equal(nameClaim(account, { ...account, subject: '8' }), 'taken');
  assert.equal(nameClaim(account, { ...account, issuer: 'https://old.example.org' }), 'open');
  assert.equal(nameClaim(account, undefined), 'open');
});
