// How much work a password check is, so that a failed login takes equally long for every login name.
import { GOOD_BCRYPT_COST, type HashForm } from './password-form.ts';

/** Rounds of each algorithm. They are never converted into each other: which one takes longer differs between machines. */
export interface PasswordWork {
  readonly bcrypt: number;
  readonly SHA1: number;
  readonly SHA256: number;
}

export const NO_WORK: PasswordWork = { bcrypt: 0, SHA1: 0, SHA256: 0 };
/** Where there is nothing to compare with, or only hashes that take no time. */
const DEFAULT_WORK: PasswordWork = { ...NO_WORK, bcrypt: 2 ** GOOD_BCRYPT_COST };
const DIGEST_BYTES = { SHA1: 20, SHA256: 32 };

/** The work of checking a password against this hash; a hash of no known form takes none. */
export function workOf(form: HashForm | undefined): PasswordWork {
  switch (form?.kind) {
    case 'bcrypt':
      return { ...NO_WORK, bcrypt: 2 ** form.cost };
    case 'pbkdf2':
      return { ...NO_WORK, [form.digest]: form.iterations * Math.ceil(form.key.length / DIGEST_BYTES[form.digest]) };
    default:
      return NO_WORK;
  }
}

/** The work of a failed login: of each algorithm, as much as the most expensive hash takes. */
export function fullWork(forms: Iterable<HashForm | undefined>): PasswordWork {
  const full = { ...NO_WORK };
  for (const form of forms) {
    const { bcrypt, SHA1, SHA256 } = workOf(form);
    full.bcrypt = Math.max(full.bcrypt, bcrypt);
    full.SHA1 = Math.max(full.SHA1, SHA1);
    full.SHA256 = Math.max(full.SHA256, SHA256);
  }
  return full.bcrypt + full.SHA1 + full.SHA256 === 0 ? DEFAULT_WORK : full;
}

export function remainingWork(full: PasswordWork, done: PasswordWork): PasswordWork {
  return { bcrypt: full.bcrypt - done.bcrypt, SHA1: full.SHA1 - done.SHA1, SHA256: full.SHA256 - done.SHA256 };
}

/** The costs of bcrypt checks that together take this number of rounds: the digits of the number in base two. */
export function bcryptCosts(rounds: number): readonly number[] {
  return Array.from({ length: 32 }, (_, cost) => cost).filter((cost) => (rounds & (2 ** cost)) !== 0);
}
