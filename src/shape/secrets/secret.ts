// A secret as the configuration keeps it: cipher text only, so there is nothing to print in clear.
import type { Cipher } from '../../kit/bytes/cipher.ts';

export interface Secret {
  readonly cipherText: string;
  /** Equal for equal plain texts: lets an unchanged secret keep its entity's ETag. */
  readonly digest: string;
}

/** A field of an entity, independent of the order of its lists. */
export interface SecretLocation {
  /** The variable, the setting or the member. */
  readonly field: string;
  /** Where the secret is sent; empty: it has no particular destination. */
  readonly destination: string;
}

/** How the secrets of one entity are written into JSON. */
export interface SecretWriter {
  /** The text that stands for it. */
  show(secret: Secret, location: () => SecretLocation): string;
  /** The plain text: it may be the address that other secrets are sent to. */
  open(secret: Secret): string;
}

export function seal(plain: string, cipher: Cipher, digest = cipher.digest(plain)): Secret {
  return { cipherText: cipher.encrypt(plain), digest };
}

/** A cipher text of this or another server; any other text may be a secret in clear that was sent under the wrong name. */
const SEALED = /^(v\d+:[0-9a-f]{8}:|AES:)/;
/** The text shown instead of a secret. */
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
