// The login attempt that the browser keeps counts for ten minutes, and only unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cipher } from '../../kit/bytes/cipher.ts';
import { ATTEMPT_MS, challengeOf, newAttempt, openAttempt, sealAttempt } from './login-attempt.ts';

const cipher = new Cipher(Buffer.alloc(32, 1));
const attempt = newAttempt('staff', '/agents', 1000);
const sealed = sealAttempt(attempt, cipher);

test('a login attempt opens with the key of the server for ten minutes', () => {
  assert.deepEqual(openAttempt(sealed, cipher, 1000 + ATTEMPT_MS - 1), attempt);
  assert.equal(openAttempt(sealed, cipher, 1000 + ATTEMPT_MS), undefined);
  assert.equal(openAttempt(sealed, new Cipher(Buffer.alloc(32, 2)), 1000), undefined);
});

test('a text that is not an unchanged login attempt does not open', () => {
  for (const text of ['', 'A', sealed.slice(1), `${sealed}A`.repeat(100), cipher.encrypt(JSON.stringify(attempt))])
    assert.equal(openAttempt(text, cipher, 1000), undefined, text.slice(0, 20));
});

test('a sealed login attempt hides its verifier, and a new attempt has new random values', () => {
  assert.ok(!Buffer.from(sealed, 'base64url').toString('latin1').includes(attempt.codeVerifier));
  const other = newAttempt('staff', '/agents', 1000);
  for (const key of ['state', 'nonce', 'codeVerifier'] as const) assert.notEqual(other[key], attempt[key]);
});

test('the challenge is that of RFC 7636', () => {
  assert.equal(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});
