// A secret text: sent as `name` in clear or as `encrypted_name` back again, answered only as `encrypted_name`.
import type { Field } from './field.ts';
import { type Place, readText, report } from './reading.ts';
import { refusedSecret, type Secret } from './secret.ts';

interface Words {
  readonly both: string;
  readonly undecryptable: string;
  /** The key under `errors` for the encrypted form; the reference's clients expect odd ones here and there. */
  readonly encryptedErrorKey?: string;
  /** Leave it out of answers when there is none, instead of writing null. */
  readonly omitsUnset?: boolean;
  /** Why a secret is not good enough to become one; what is stored already may stay. */
  readonly whyUnfit?: (plain: string) => string | undefined;
}

export function secretText(words: Words): Field<Secret | null> {
  return {
    read: (place, name) => {
      const encryptedName = `encrypted_${name}`;
      const encryptedErrorKey = words.encryptedErrorKey ?? encryptedName;
      const plain = readText(place, name);
      const cipherText = readText(place, encryptedName);
      if (plain?.trim() && cipherText?.trim()) {
        report(place, name, words.both);
        report(place, encryptedErrorKey, words.both);
        return refusedSecret(cipherText);
      }
      if (plain?.trim()) {
        const secret = place.reading.seal(plain);
        mustFit(place, name, secret, words.whyUnfit?.(plain));
        return secret;
      }
      if (!cipherText?.trim()) return null;
      let why: string | undefined;
      const secret = place.reading.reseal(cipherText, (opened) => {
        why = words.whyUnfit?.(opened);
        return true;
      });
      if (secret) mustFit(place, encryptedErrorKey, secret, why);
      else report(place, encryptedErrorKey, words.undecryptable);
      return secret ?? refusedSecret(cipherText);
    },
    write: (value, name, out) => {
      if (value || !words.omitsUnset) out[`encrypted_${name}`] = value?.cipherText ?? null;
    },
    describe: (name) => ({
      request: {
        [name]: { type: 'string', writeOnly: true, description: 'In clear; never returned.' },
        [`encrypted_${name}`]: { type: ['string', 'null'], description: 'As returned earlier; keeps the stored secret.' },
      },
      response: { [`encrypted_${name}`]: { type: ['string', 'null'] } },
    }),
  };
}

function mustFit(place: Place, key: string, secret: Secret, why: string | undefined): void {
  if (why !== undefined && !place.reading.isStored(secret)) report(place, key, why);
}
