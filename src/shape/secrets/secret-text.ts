// A secret text: sent as `name` in clear or as `encrypted_name` back again, answered only as `encrypted_name`.

import type { Field } from '../field.ts';
import { type Place, readText, report } from '../json/reading.ts';
import { type MemberText, membersOfEntity, membersOfJson } from './destination.ts';
import { refusedSecret, type Secret, type SecretPlace } from './secret.ts';
import { refusalText } from './secret-refusal.ts';

interface Words {
  /** Whose secret it is, as forms say it. */
  readonly hint?: string;
  readonly both: string;
  readonly undecryptable: string;
  /** The key under `errors` for the encrypted form; the reference's clients expect odd ones here and there. */
  readonly encryptedErrorKey?: string;
  /** Leave it out of answers when there is none, instead of writing null. */
  readonly omitsUnset?: boolean;
  /** Where it is sent, by the members beside it; absent: it has no particular destination. */
  readonly sentTo?: (member: MemberText) => string;
  /** Why a secret is not good enough to become one; a stored secret may stay. */
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
      const at = placeOf(name, membersOfJson(place.holder, place.reading.resolve), words);
      const secret = place.reading.unseal(cipherText, at, (opened) => {
        why = words.whyUnfit?.(opened);
        return true;
      });
      if (typeof secret !== 'string') {
        mustFit(place, encryptedErrorKey, secret, why);
        return secret;
      }
      report(place, encryptedErrorKey, refusalText(secret, `Encrypted value for ${name}`, words.undecryptable));
      return refusedSecret(cipherText);
    },
    write: (value, name, out, { secrets, resolve }, holder) => {
      if (!value && words.omitsUnset) return;
      const place = () => placeOf(name, membersOfEntity(holder, resolve), words);
      out[`encrypted_${name}`] = value ? secrets.show(value, place) : null;
    },
    describe: (name) => ({
      request: {
        [name]: {
          type: 'string',
          writeOnly: true,
          'x-secret': `encrypted_${name}`,
          'x-hint': [...(words.hint === undefined ? [] : [words.hint]), 'It is kept encrypted, and never shown again.'].join(' '),
          description: 'In clear; never returned.',
        },
        [`encrypted_${name}`]: {
          type: ['string', 'null'],
          description: 'As returned earlier for the same field; keeps the stored secret. Or made by `POST /api/admin/encrypt`.',
        },
      },
      response: { [`encrypted_${name}`]: { type: ['string', 'null'], description: 'The secret, encrypted; can be sent back.' } },
    }),
  };
}

function placeOf(field: string, member: MemberText, { sentTo }: Words): SecretPlace {
  return { field, destination: sentTo?.(member) ?? '' };
}

function mustFit(place: Place, key: string, secret: Secret, why: string | undefined): void {
  if (why !== undefined && !place.reading.isStored(secret)) report(place, key, why);
}
