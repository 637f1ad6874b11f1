// Finds the secret configs that the values of an entity name, in clear or encrypted.
import type { Cipher } from '../kit/bytes/cipher.ts';
import type { Entity } from '../shape/resource.ts';
import { secretsIn } from '../shape/secrets/keep-secrets.ts';
import { secretConfigsIn } from '../shape/secrets/secret-reference.ts';

/** Most entities name none, and share this. */
const NONE: ReadonlySet<string> = new Set();

/** Remembers them as long as the entity stays the same: encrypted values take their time. */
export function namedSecretConfigs(cipher: Pick<Cipher, 'decrypt'>): (entity: Entity) => ReadonlySet<string> {
  const known = new WeakMap<Entity, ReadonlySet<string>>();
  const open = (entity: Entity) => [...secretsIn(entity).values()].map(({ cipherText }) => cipher.decrypt(cipherText) ?? '');
  const named = (entity: Entity) => {
    const ids = [...open(entity), ...plainValues(entity)].flatMap(secretConfigsIn);
    return ids.length === 0 ? NONE : new Set(ids);
  };
  return (entity) => known.getOrInsertComputed(entity, named);
}

/** Of variables, settings and parameters, also of kinds whose secrets are not resolved yet: whoever wrote such a text means the secret. */
function* plainValues(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  if ('value' in part && typeof part.value === 'string') yield part.value;
  for (const member of Object.values(part)) yield* plainValues(member);
}
