// Attributes that several types of repositories have, and the problems of their values.
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../../kit/text/control-characters.ts';
import type { Field } from '../../../shape/field.ts';
import { optionalText } from '../../../shape/fields.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import type { Secret } from '../../../shape/secrets/secret.ts';
import type { Check } from '../repository-definition.ts';
import { passwordOf } from './password.ts';
import { hasCredentials, isUnknown, shownUrl, type Url } from './url.ts';

const UNDECRYPTABLE = 'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.';

export function text(description: string): Field<string | null> {
  return optionalText({ description });
}

export const username = optionalText({ label: 'User name', description: 'User name.' });
export const usernameIfSet = omittedWhenUnset(username);

/** As config repos have it. */
export function password(className: string, addressedBy: 'url' | 'port' = 'url'): Field<Secret | null> {
  return passwordOf(className, addressedBy, [UNDECRYPTABLE]);
}

export function omittedWhenUnset(field: Field<string | null>): Field<string | null> {
  return {
    ...field,
    write: (value, name, out) => {
      if (value !== null && value !== '') out[name] = value;
    },
  };
}

export function isGiven(value: string | null): boolean {
  return (value ?? '').trim() !== '';
}

/** An empty value identifies nothing. */
export function orUnset(value: string | null | undefined): string | null {
  return value?.trim() ? value : null;
}

export function urlProblems(value: Url, check: Check): Problem[] {
  const shown = shownUrl(value);
  if (shown.trim() === '') return check(false, 'url', 'URL cannot be blank');
  return [
    ...check(/^[a-zA-Z0-9/#]/.test(shown), 'url', 'URL does not seem to be valid.'),
    ...check(!hasControlCharacter(shown), 'url', NO_CONTROL_CHARACTERS),
    ...check(
      !isUnknown(value),
      'url',
      'The password in the URL is masked. Send the URL with its password, or leave it as it was returned.',
    ),
  ];
}

export function ambiguousCredentials(
  attributes: { readonly url: Url; readonly username: string | null; readonly password: unknown },
  check: Check,
): Problem[] {
  const hasAttributes = (attributes.username ?? '') !== '' || attributes.password !== null;
  const isClear = !(hasCredentials(attributes.url) && hasAttributes);
  return check(isClear, 'url', 'Ambiguous credentials, must be provided either in URL or as attributes.');
}
