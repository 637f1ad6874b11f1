// How secrets are written into JSON: as they are stored, bound to where they are shown, or not at all.
import { ANY_VALUE, bindingHash, type Cipher } from '../../kit/bytes/cipher.ts';
import type { Entity, Resource } from '../resource.ts';
import { isRefused, MASK, type Secret, type SecretWriter } from './secret.ts';
import { entityIdentity, fieldScope } from './secret-scope.ts';

export type SecretWriters = (resource: Resource, entity: Entity) => SecretWriter;

const never = (): never => {
  throw new Error('Secrets are not opened here.');
};

/** Portable, as documents of administrators have them. */
export const STORED: SecretWriter = { show: ({ cipherText }) => cipherText, open: never };
/** Writes digests, which are equal for equal plain texts: for comparisons. */
export const DIGESTS: SecretWriter = { show: ({ digest }) => digest, open: never };
const MASKED: SecretWriter = { show: () => MASK, open: never };
/** Masks all secrets: for a configuration without a key. */
export const hideSecrets: SecretWriters = () => MASKED;

/** Bound to the entity and the field: for answers to users who may see the entity. */
export function showBoundSecrets(cipher: Cipher): SecretWriters {
  return (resource, entity) => {
    let identity: string | undefined;
    return writer(cipher, (field) => {
      identity ??= entityIdentity(resource, entity);
      return fieldScope(identity, field);
    });
  };
}

/** Bound to a scope, and to where each secret is sent. */
export function scopedWriter(cipher: Cipher, scope: string): SecretWriter {
  return writer(cipher, () => scope);
}

interface ShownSecret {
  readonly cipher: Cipher;
  readonly scope: string;
  readonly destination: string;
  readonly text: string;
}

/** How each secret was shown last. Most are shown again at the same place: with every change of their entity. */
const shownLast = new WeakMap<Secret, ShownSecret>();

function writer(cipher: Cipher, scopeOf: (field: string) => string): SecretWriter {
  return {
    show: (secret, location) => {
      if (isRefused(secret)) return secret.cipherText;
      const { field, destination } = location();
      const scope = scopeOf(field);
      const last = shownLast.get(secret);
      if (last?.cipher === cipher && last.scope === scope && last.destination === destination) return last.text;
      const binding = { scope: bindingHash(scope), destination: bindingHash(destination) };
      const text = cipher.bind(secret.cipherText, binding) ?? MASK;
      shownLast.set(secret, { cipher, scope, destination, text });
      return text;
    },
    open: ({ cipherText }) => cipher.decrypt(cipherText) ?? '',
  };
}

/** The cipher text that `POST /api/admin/encrypt` returns: bound to the named scope and destination, and to nothing else. */
export function encryptFor(cipher: Cipher, plain: string, scope: string | undefined, destination: string | undefined): string {
  const portable = cipher.encrypt(plain);
  if (scope === undefined && destination === undefined) return portable;
  const hashOf = (what: string | undefined) => (what === undefined ? ANY_VALUE : bindingHash(what));
  return cipher.bind(portable, { scope: hashOf(scope), destination: hashOf(destination) })!;
}
