// The password of a repository; one that cannot be decrypted is told with the repository it is for.
import type { Field } from '../../shape/field.ts';
import { type Place, report } from '../../shape/reading.ts';
import type { Secret } from '../../shape/secret.ts';
import { secretText } from '../../shape/secret-text.ts';
import { maskUrl } from './url.ts';

const BOTH = 'You may only specify `password` or `encrypted_password`, not both!';

/** `alsoSaid` comes before the sentence that names the repository. */
export function passwordOf(materialType: string, alsoSaid: readonly string[] = []): Field<Secret | null> {
  const undecryptable = 'undecryptable';
  const plain = secretText({ both: BOTH, undecryptable, omitsUnset: true });
  return {
    ...plain,
    read: (place, name) => {
      const { problems } = place.reading;
      const secret = plain.read(place, name);
      if (problems.at(-1)?.message !== undecryptable) return secret;
      problems.pop();
      for (const message of [...alsoSaid, sentence(materialType, place)]) report(place, `encrypted_${name}`, message);
      return secret;
    },
  };
}

function sentence(materialType: string, { holder }: Place): string {
  const address = maskUrl(String(holder.url ?? holder.port ?? ''));
  return `Encrypted password value for ${materialType} with url '${address}' is invalid. This usually happens when the cipher text is modified to have an invalid value.`;
}
