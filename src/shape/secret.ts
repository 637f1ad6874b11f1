// A secret as the configuration keeps it: cipher text only, so there is nothing to print in clear.
import type { Cipher } from '../kit/cipher.ts';

export interface Secret {
  readonly cipherText: string;
  /** Equal for equal plain texts: lets an unchanged secret keep its entity's ETag. */
  readonly digest: string;
}

export function seal(plain: string, cipher: Cipher, digest = cipher.digest(plain)): Secret {
  return { cipherText: cipher.encrypt(plain), digest };
}

/** The secret behind a cipher text that a client sent back; undefined when it was not made by this server, or does not fit. */
export function reseal(cipherText: string, cipher: Cipher, fits?: (plain: string) => boolean): Secret | undefined {
  const plain = cipher.decrypt(cipherText);
  return plain === undefined || fits?.(plain) === false ? undefined : { cipherText, digest: cipher.digest(plain) };
}

/** What some server may have encrypted; anything else may be a secret in clear that was sent under the wrong name. */
const SEALED = /^(v\d+:[0-9a-f]{8}:|AES:)/;
/** What people see instead of a secret. */
export const MASK = '******';

/** Stands for a secret that was refused: shows the cipher text as it was sent, so that sending it back is refused again. Never stored. */
export function refusedSecret(cipherText: string): Secret {
  return { cipherText: cipherText === '' || SEALED.test(cipherText) ? cipherText : MASK, digest: '' };
}

export function isRefused(value: unknown): boolean {
  return isSecret(value) && value.digest === '';
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'cipherText' in value;
}
