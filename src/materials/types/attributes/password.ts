// The password of a repository; one that cannot be decrypted is reported with the repository it is for.

import type { Field } from '../../../shape/field.ts';
import { report } from '../../../shape/json/reading.ts';
import { type MemberText, originOf } from '../../../shape/secrets/destination.ts';
import type { Secret } from '../../../shape/secrets/secret.ts';
import { secretText } from '../../../shape/secrets/secret-text.ts';
import { maskUrl, undecryptable } from './url.ts';

/** Stands for the sentence until the repository is known. */
const UNDECRYPTABLE = 'undecryptable';
const BOTH = 'You may only specify `password` or `encrypted_password`, not both!';

/** `alsoSaid` comes before the sentence that names the repository. */
export function passwordOf(materialType: string, address: 'url' | 'port', alsoSaid: readonly string[] = []): Field<Secret | null> {
  // Reads only the member that is the address of this type: a client must not be able to pass off another member as the address.
  const sentTo = (member: MemberText) => originOf(maskUrl(member(address)));
  const plain = secretText({ both: BOTH, undecryptable: UNDECRYPTABLE, omitsUnset: true, sentTo });
  return {
    ...plain,
    read: (cursor, name) => {
      const { holder, reading } = cursor;
      const { problems } = reading;
      const secret = plain.read(cursor, name);
      if (problems.at(-1)?.message !== UNDECRYPTABLE) return secret;
      problems.pop();
      for (const message of [...alsoSaid, undecryptable(materialType, String(holder.url ?? holder.port ?? ''))])
        report(cursor, `encrypted_${name}`, message);
      return secret;
    },
  };
}
