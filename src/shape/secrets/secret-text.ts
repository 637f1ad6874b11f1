// A secret text: sent as `name` in clear or as `encrypted_name` back again, answered only as `encrypted_name`.

import type { Field } from '../field.ts';
import { type JsonCursor, readText, report } from '../json/reading.ts';
import { type MemberText, membersOfEntity, membersOfJson } from './destination.ts';
import { refusedSecret, type Secret, type SecretLocation } from './secret.ts';
import { refusalText } from './secret-refusal.ts';

interface SecretTextOptions {
  /** The text of forms that says which secret it is. */
  readonly hint?: string;
  readonly both: string;
  readonly undecryptable: string;
  /** The key under `errors` for the encrypted form; GoCD's clients expect odd ones here and there. */
  readonly encryptedErrorKey?: string;
  /** Leave it out of answers when there is none, instead of writing null. */
  readonly omitsUnset?: boolean;
  /** Where it is sent, by the members beside it; absent: it has no particular destination. */
  readonly sentTo?: (member: MemberText) => string;
  /** Why a secret is not good enough to become one; a stored secret may stay. */
  readonly weakness?: (plain: string) => string | undefined;
}

export function secretText(options: SecretTextOptions): Field<Secret | null> {
  return {
    read: (cursor, name) => {
      const encryptedName = `encrypted_${name}`;
      const encryptedErrorKey = options.encryptedErrorKey ?? encryptedName;
      const plain = readText(cursor, name);
      const cipherText = readText(cursor, encryptedName);
      if (plain?.trim() && cipherText?.trim()) {
        report(cursor, name, options.both);
        report(cursor, encryptedErrorKey, options.both);
        return refusedSecret(cipherText);
      }
      if (plain?.trim()) {
        const secret = cursor.reading.seal(plain);
        reportWeakness(cursor, name, secret, options.weakness?.(plain));
        return secret;
      }
      if (!cipherText?.trim()) return null;
      let why: string | undefined;
      const at = locationOf(name, membersOfJson(cursor.holder, cursor.reading.resolve), options);
      const secret = cursor.reading.unseal(cipherText, at, (opened) => {
        why = options.weakness?.(opened);
        return true;
      });
      if (typeof secret !== 'string') {
        reportWeakness(cursor, encryptedErrorKey, secret, why);
        return secret;
      }
      report(cursor, encryptedErrorKey, refusalText(secret, `Encrypted value for ${name}`, options.undecryptable));
      return refusedSecret(cipherText);
    },
    write: (value, name, out, { secrets, resolve }, holder) => {
      if (!value && options.omitsUnset) return;
      const location = () => locationOf(name, membersOfEntity(holder, resolve), options);
      out[`encrypted_${name}`] = value ? secrets.show(value, location) : null;
    },
    describe: (name) => ({
      request: {
        [name]: {
          type: 'string',
          writeOnly: true,
          'x-secret': `encrypted_${name}`,
          'x-hint': [...(options.hint === undefined ? [] : [options.hint]), 'It is kept encrypted, and never shown again.'].join(' '),
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

function locationOf(field: string, member: MemberText, { sentTo }: SecretTextOptions): SecretLocation {
  return { field, destination: sentTo?.(member) ?? '' };
}

function reportWeakness(cursor: JsonCursor, key: string, secret: Secret, why: string | undefined): void {
  if (why !== undefined && !cursor.reading.isStored(secret)) report(cursor, key, why);
}
