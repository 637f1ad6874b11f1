// Checks every form of password hash against values made by other programs (libxcrypt, Python's hashlib, openssl).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withGrowingLimits } from '../../../../test/support/patience.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

const PLAIN = 'correct horse';
const UNICODE = 'grün-Δ-🚢';

const vectors: readonly (readonly [form: string, password: string, hash: string])[] = [
  ['bcrypt 2a', PLAIN, '$2a$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['bcrypt 2b', PLAIN, '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['bcrypt 2y', PLAIN, '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['bcrypt 2y, unicode', UNICODE, '$2y$05$abcdefghijklmnopqrstuurQ2ls2H4MbpI6UdNAP8rTIYsKAWbIfy'],
  ['PBKDF2 SHA-1, 160 bits', PLAIN, '$PBKDF2WithHmacSHA1$1000$160$somesalt$4543ddcac5ce30174fa7916b18cbc4573b5f4bb7'],
  ['PBKDF2 SHA-1, unicode', UNICODE, '$PBKDF2WithHmacSHA1$1000$160$somesalt$a4838bd306eb7a87bd1737542c10bd2d3ff3318e'],
  [
    'PBKDF2 SHA-256, 256 bits',
    PLAIN,
    '$PBKDF2WithHmacSHA256$1000$256$somesalt$dd45cb1d1d9db0102b7ea1f0ba486b7543bd8097dcd41be632ad063ddf6c3fa1',
  ],
  [
    'PBKDF2 SHA-256, capital letters',
    PLAIN,
    '$PBKDF2WithHmacSHA256$1000$256$somesalt$DD45CB1D1D9DB0102B7EA1F0BA486B7543BD8097DCD41BE632AD063DDF6C3FA1',
  ],
  ['SHA-1', PLAIN, 'L55TUjtiq8FBorTWAZ0jy6g129A='],
  ['SHA-1 with {SHA}', PLAIN, '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A='],
];

const PBKDF2_KEY = '4543ddcac5ce30174fa7916b18cbc4573b5f4bb7';

const badEntries: readonly (readonly [what: string, hash: string])[] = [
  ['nothing', ''],
  ['the password itself', PLAIN],
  ['a lone prefix', '{SHA}'],
  ['SHA-1 cut short', 'L55TUjtiq8FBorTWAZ0jy6g129A'],
  ['an unknown form', '$1$abcdefgh$G/3Wj9mG3BHq1pTrY1ndo1'],
  ['bcrypt without a body', '$2y$05$'],
  ['bcrypt cut short', '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy'],
  ['bcrypt with a foreign character', '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lO!2'],
  ['bcrypt with a cost nobody can wait for', '$2b$31$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['bcrypt with a cost just over the limit', '$2b$17$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['bcrypt with a cost that is too low to be one', '$2b$00$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'],
  ['PBKDF2 with no iteration', `$PBKDF2WithHmacSHA1$0$160$somesalt$${PBKDF2_KEY}`],
  ['PBKDF2 with iterations nobody can wait for', `$PBKDF2WithHmacSHA1$999999999$160$somesalt$${PBKDF2_KEY}`],
  ['PBKDF2 with more digits than a number has', `$PBKDF2WithHmacSHA1$${'9'.repeat(400)}$160$somesalt$${PBKDF2_KEY}`],
  ['PBKDF2 with another number of bits than the key has', `$PBKDF2WithHmacSHA1$1000$256$somesalt$${PBKDF2_KEY}`],
  ['PBKDF2 with an empty key', '$PBKDF2WithHmacSHA1$1000$0$somesalt$'],
  ['PBKDF2 with an unknown digest', `$PBKDF2WithHmacMD5$1000$160$somesalt$${PBKDF2_KEY}`],
  ['PBKDF2 with a huge key', `$PBKDF2WithHmacSHA1$1000$400000$somesalt$${'a'.repeat(100_000)}`],
];

describe('verifyPassword', () => {
  for (const [form, password, hash] of vectors) {
    test(`${form}: accepts the password that made it and no other`, async () => {
      assert.equal(await verifyPassword(password, hash), true);
      assert.equal(await verifyPassword(`${password} `, hash), false);
      assert.equal(await verifyPassword('', hash), false);
    });

    test(`${form}: a changed hash fits no more`, async () => {
      const index = hash.length - 6;
      const changed = `${hash.slice(0, index)}${hash[index] === '0' ? '1' : '0'}${hash.slice(index + 1)}`;
      assert.equal(await verifyPassword(password, changed), false);
    });
  }

  for (const [what, hash] of badEntries) {
    test(`refuses ${what} quickly`, async () => {
      await withGrowingLimits(async (factor) => {
        const start = performance.now();
        assert.equal(await verifyPassword(PLAIN, hash), false);
        assert.ok(performance.now() - start < factor * 1_000);
      });
    });
  }

  test('leaves the event loop free', async () => {
    const hash = '$2b$12$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2';
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await verifyPassword(PLAIN, hash);
    clearInterval(counting);
    assert.ok(turns > 5, `only ${turns} turns while a password was checked`);
  });
});

describe('hashPassword', () => {
  test('makes a bcrypt hash of cost 10 that its password fits', async () => {
    const hash = await hashPassword(UNICODE);
    assert.match(hash, /^\$2[aby]\$10\$/);
    assert.equal(await verifyPassword(UNICODE, hash), true);
    assert.notEqual(await hashPassword(UNICODE), hash);
  });
});
