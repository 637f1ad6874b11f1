// An address of a repository; one with a password in it is shown masked and kept as a secret.
import type { Field } from '../../shape/field.ts';
import { readText } from '../../shape/reading.ts';
import type { Secret } from '../../shape/secret.ts';

/** The plain text, or its masked form beside the secret whole. */
export type Url = string | { readonly masked: string; readonly full: Secret };

const MASK = '******';
/** Stands for the secret of an address that came in masked, until the one stored under the same mask takes its place. */
const UNKNOWN: Secret = { cipherText: '', digest: '' };

export function url(): Field<Url> {
  const schema = { type: 'string', description: 'Passwords in it come back as `******`.' };
  return {
    read: (place, name) => {
      const text = readText(place, name) ?? '';
      const masked = maskUrl(text);
      if (masked === text && !text.includes(`${MASK}@`)) return text;
      return { masked, full: masked === text ? UNKNOWN : place.reading.seal(text) };
    },
    write: (value, name, out) => {
      out[name] = shownUrl(value);
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema } }),
  };
}

export function shownUrl(value: Url): string {
  return typeof value === 'string' ? value : value.masked;
}

/** Equal for equal addresses, whether or not they hold a password. */
export function identityOf(value: Url): string {
  return typeof value === 'string' ? value : value.full.digest;
}

export function hasCredentials(value: Url): boolean {
  return typeof value !== 'string';
}

export function isUnknown(value: Url): boolean {
  return typeof value !== 'string' && value.full.cipherText === '';
}

/** A lone user name over http is a token, too; over ssh it is only a name. */
export function maskUrl(text: string): string {
  const [, scheme = '', userInfo = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)@/i.exec(text) ?? [];
  if (userInfo === '') return text;
  const colon = userInfo.indexOf(':');
  const start = scheme.length + '://'.length;
  const rest = text.slice(start + userInfo.length);
  if (colon >= 0) return `${scheme}://${userInfo.slice(0, colon)}:${MASK}${rest}`;
  return ['ssh', 'svn+ssh'].includes(scheme.toLowerCase()) ? text : `${scheme}://${MASK}${rest}`;
}
