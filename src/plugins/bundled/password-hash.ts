// Checks a password against the forms of hashes that password files hold, and makes new hashes.
import { hash as digest, pbkdf2 as pbkdf2WithCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashBcrypt, verifyBcrypt } from './bcrypt.ts';

const NEW_HASH_COST = 10;

// What one login may cost is bounded, so that a mistyped entry cannot keep the server busy for hours.
const MAX_BCRYPT_COST = 16;
const MAX_PBKDF2_ITERATIONS = 5_000_000;
const MAX_PBKDF2_KEY_BITS = 512;

const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/;
const PBKDF2 = /^\$PBKDF2WithHmac(SHA1|SHA256)\$\d{1,9}\$\d{1,9}\$[^$]+\$[0-9A-Fa-f]+$/;

const pbkdf2 = promisify(pbkdf2WithCallback);

export function hashPassword(password: string): Promise<string> {
  return hashBcrypt(password, NEW_HASH_COST);
}

/** Whether the password made this hash. A hash of no known form is the hash of no password. */
export async function verifyPassword(password: string, storedHash: string): Promise<boolean> {
  try {
    if (!storedHash.startsWith('$')) return isSha1Of(password, storedHash);
    if (storedHash.startsWith('$2')) return await isBcryptOf(password, storedHash);
    return await isPbkdf2Of(password, storedHash);
  } catch {
    return false; // what a library cannot digest counts as "not authenticated", as every other bad entry
  }
}

async function isBcryptOf(password: string, storedHash: string): Promise<boolean> {
  const cost = Number(BCRYPT.exec(storedHash)?.[1]);
  return cost <= MAX_BCRYPT_COST && (await verifyBcrypt(password, storedHash));
}

async function isPbkdf2Of(password: string, storedHash: string): Promise<boolean> {
  if (!PBKDF2.test(storedHash)) return false;
  const [, algorithm, iterationsText, keyBitsText, salt, hex] = storedHash.split('$') as [string, string, string, string, string, string];
  const iterations = Number(iterationsText);
  const keyBits = Number(keyBitsText);
  if (iterations < 1 || iterations > MAX_PBKDF2_ITERATIONS) return false;
  if (keyBits < 8 || keyBits > MAX_PBKDF2_KEY_BITS || hex.length * 4 !== keyBits) return false;
  const key = await pbkdf2(password, Buffer.from(salt), iterations, keyBits / 8, algorithm.replace('PBKDF2WithHmac', ''));
  return timingSafeEqual(key, Buffer.from(hex, 'hex'));
}

function isSha1Of(password: string, storedHash: string): boolean {
  const expected = Buffer.from(storedHash.replace(/^\{SHA\}/, ''));
  const actual = Buffer.from(digest('sha1', password, 'base64'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
