// How secrets are written into JSON: as they are stored, bound to where they are shown, or not at all.
import { ANY_VALUE, type Binding, bindingHash, type Cipher } from '../kit/cipher.ts';
import type { Entity, Resource } from './resource.ts';
import { isRefused, MASK, type SecretPlace, type SecretWriter } from './secret.ts';
import { entityIdentity, fieldScope } from './secret-scope.ts';

export type SecretWriters = (resource: Resource, entity: Entity) => SecretWriter;

const never = (): never => {
  throw new Error('Secrets are not opened here.');
};

/** Portable, as documents of administrators have them. */
export const STORED: SecretWriter = { show: ({ cipherText }) => cipherText, open: never };
/** The same for the same plain text, for comparisons. */
export const DIGESTS: SecretWriter = { show: ({ digest }) => digest, open: never };
const MASKED: SecretWriter = { show: () => MASK, open: never };
/** For a configuration that nobody has given a key. */
export const hideSecrets: SecretWriters = () => MASKED;

/** Bound to the entity and the field: for answers to those who may see the entity. */
export function showBound(cipher: Cipher): SecretWriters {
  return (resource, entity) => {
    let identity: string | undefined;
    return writer(cipher, ({ field, destination }) => {
      identity ??= entityIdentity(resource, entity);
      return [{ scope: bindingHash(fieldScope(identity, field)), destination: bindingHash(destination) }, ''];
    });
  };
}

/** Bound to a scope, and to where each secret is sent. Equal secrets must not look the same: `owner` and field tell them apart. */
export function scopedWriter(cipher: Cipher, scope: string, owner: string): SecretWriter {
  return writer(cipher, ({ field, destination }) => [
    { scope: bindingHash(scope), destination: bindingHash(destination) },
    fieldScope(owner, field),
  ]);
}

function writer(cipher: Cipher, bindingAt: (place: SecretPlace) => readonly [Binding, seed: string]): SecretWriter {
  return {
    show: (secret, place) => {
      if (isRefused(secret)) return secret.cipherText;
      const plain = cipher.decrypt(secret.cipherText);
      return plain === undefined ? MASK : cipher.encryptBound(plain, ...bindingAt(place()));
    },
    open: ({ cipherText }) => cipher.decrypt(cipherText) ?? '',
  };
}

/** What `POST /api/admin/encrypt` makes: bound to what is named, and to nothing else. */
export function encryptFor(cipher: Cipher, plain: string, scope: string | undefined, destination: string | undefined): string {
  if (scope === undefined && destination === undefined) return cipher.encrypt(plain);
  const hashOf = (what: string | undefined) => (what === undefined ? ANY_VALUE : bindingHash(what));
  return cipher.encryptBound(plain, { scope: hashOf(scope), destination: hashOf(destination) });
}
