// A login name stays with the account that used it first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameClaim } from './name-claim.ts';

const account = { issuer: 'https://login.example.org', subject: '7' };

test('the same account has it, another one does not, and after a change of the provider it is open', () => {
  assert.equal(nameClaim(account, account), 'linked');
  assert.equal(nameClaim(account, { ...account, subject: '8' }), 'taken');
  assert.equal(nameClaim(account, { ...account, issuer: 'https://old.example.org' }), 'open');
  assert.equal(nameClaim(account, undefined), 'open');
});
