// Checks a password against the forms of hashes that password files hold, and makes new hashes.
import { hash as digestOf, pbkdf2 as pbkdf2WithCallback, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { hashBcrypt, verifyBcrypt } from './bcrypt.ts';
import { GOOD_BCRYPT_COST, type HashForm, readHash } from './password-form.ts';
import { bcryptCosts, type PasswordWork } from './password-work.ts';

/** The end of a bcrypt hash of a random password that was not kept. */
const RANDOM_BCRYPT = 'ELwyKIUXG4nQqm4KHQH.xehLDKKC7JrFpc6/TiAICRAqTNhHN/.m.';
const PBKDF2_SALT = Buffer.from('slipway');

const pbkdf2 = promisify(pbkdf2WithCallback);

export function hashPassword(password: string): Promise<string> {
  return hashBcrypt(password, GOOD_BCRYPT_COST);
}

/** Whether the password made this hash. A hash of no known form is the hash of no password. */
export async function verifyPassword(password: string, storedHash: string): Promise<boolean> {
  const form = readHash(storedHash);
  try {
    return form !== undefined && (await isMadeBy(password, form, storedHash));
  } catch {
    return false; // a hash that a library cannot read counts as "not authenticated", as every other bad entry
  }
}

/** Does as much work as checking a password would, for nothing. */
export async function simulateWork(password: string, { bcrypt, SHA1, SHA256 }: PasswordWork): Promise<void> {
  for (const cost of bcryptCosts(bcrypt)) await verifyBcrypt(password, `$2b$${String(cost).padStart(2, '0')}$${RANDOM_BCRYPT}`);
  if (SHA1 > 0) await pbkdf2(password, PBKDF2_SALT, SHA1, 20, 'SHA1');
  if (SHA256 > 0) await pbkdf2(password, PBKDF2_SALT, SHA256, 32, 'SHA256');
}

async function isMadeBy(password: string, form: HashForm, storedHash: string): Promise<boolean> {
  switch (form.kind) {
    case 'bcrypt':
      return verifyBcrypt(password, storedHash);
    case 'pbkdf2':
      return timingSafeEqual(await pbkdf2(password, form.salt, form.iterations, form.key.length, form.digest), form.key);
    case 'sha1':
      return timingSafeEqual(Buffer.from(digestOf('sha1', password, 'base64')), Buffer.from(form.digest));
  }
}
