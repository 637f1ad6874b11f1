// Checks that every failed login is the same work, with any hash of the user.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWeak, readHash } from './password-form.ts';
import { bcryptCosts, fullWork, NO_WORK, type PasswordWork, remainingWork, workOf } from './password-work.ts';

const bcrypt = (cost: string) => `$2y$${cost}$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2`;
const pbkdf2 = (digest: string, iterations: number, bytes: number) =>
  `$PBKDF2WithHmac${digest}$${iterations}$${bytes * 8}$somesalt$${'ab'.repeat(bytes)}`;
const SHA = '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=';
const UNREADABLE = '$2y$99$x';

const formsOf = (hashes: readonly string[]) => hashes.map(readHash);
const sum = (one: PasswordWork, other: PasswordWork): PasswordWork => remainingWork(one, remainingWork(NO_WORK, other));

describe('the work of a failed login', () => {
  const files: readonly (readonly [what: string, hashes: readonly string[], full: PasswordWork])[] = [
    ['an empty file', [], { bcrypt: 1024, SHA1: 0, SHA256: 0 }],
    ['only hashes that take no time', [SHA, UNREADABLE], { bcrypt: 1024, SHA1: 0, SHA256: 0 }],
    ['bcrypt of several costs', [bcrypt('05'), bcrypt('12'), bcrypt('10'), SHA], { bcrypt: 4096, SHA1: 0, SHA256: 0 }],
    ['only low costs', [bcrypt('04'), bcrypt('05')], { bcrypt: 32, SHA1: 0, SHA256: 0 }],
    ['a cost that is never computed', [bcrypt('10'), bcrypt('31')], { bcrypt: 1024, SHA1: 0, SHA256: 0 }],
    [
      'every form',
      [bcrypt('11'), pbkdf2('SHA1', 1000, 20), pbkdf2('SHA1', 900, 40), pbkdf2('SHA256', 5000, 32), SHA],
      { bcrypt: 2048, SHA1: 1800, SHA256: 5000 },
    ],
  ];
  for (const [what, hashes, full] of files) {
    test(`${what}: is that of the most expensive hash, for every user`, () => {
      assert.deepEqual(fullWork(formsOf(hashes)), full);
      for (const form of [undefined, ...formsOf(hashes)]) {
        const remaining = remainingWork(full, workOf(form));
        assert.ok(Math.min(remaining.bcrypt, remaining.SHA1, remaining.SHA256) >= 0);
        assert.deepEqual(sum(workOf(form), remaining), full);
        const spent = bcryptCosts(remaining.bcrypt).reduce((rounds, cost) => rounds + 2 ** cost, 0);
        assert.equal(spent, remaining.bcrypt);
      }
    });
  }

  test('the work that remains after a weak hash is made of costs that bcrypt knows', () => {
    assert.deepEqual(bcryptCosts(4096 - 32), [5, 6, 7, 8, 9, 10, 11]);
    assert.deepEqual(bcryptCosts(1024), [10]);
    assert.deepEqual(bcryptCosts(0), []);
  });
});

describe('weak hashes', () => {
  const cases: readonly (readonly [hash: string, weak: boolean])[] = [
    [SHA, true],
    [SHA.replace('{SHA}', ''), true],
    [bcrypt('09'), true],
    [bcrypt('10'), false],
    [pbkdf2('SHA256', 99_999, 32), true],
    [pbkdf2('SHA256', 100_000, 32), false],
  ];
  for (const [hash, weak] of cases) {
    test(`${hash.slice(0, 30)} is ${weak ? '' : 'not '}weak`, () => {
      assert.equal(isWeak(readHash(hash)!), weak);
    });
  }
});
