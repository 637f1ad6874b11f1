// An address of a repository; one with a password in it is shown masked and kept as a secret.

import type { Field, Writing } from '../../../shape/field.ts';
import { type JsonCursor, readText, report } from '../../../shape/json/reading.ts';
import { originOf } from '../../../shape/secrets/destination.ts';
import { sealedAddress } from '../../../shape/secrets/sealed-address.ts';
import type { Secret, SecretLocation } from '../../../shape/secrets/secret.ts';
import { refusalText } from '../../../shape/secrets/secret-refusal.ts';

/** The plain text, or its masked form beside the secret whole. */
export type Url = string | { readonly masked: string; readonly full: Secret };

const MASK = '******';
/** Stands for the secret of an address that came in masked, until the one stored under the same mask takes its place. */
const UNKNOWN: Secret = { cipherText: '', digest: '' };

export function url(materialType: string): Field<Url> {
  const schema = { type: 'string', description: 'Address of the repository. Passwords in it come back as `******`.' };
  return {
    read: (cursor, name) => {
      const text = readText(cursor, name) ?? '';
      const masked = maskUrl(text);
      const sealed = sealedAddress(text);
      if (sealed && masked !== text) return { masked, full: unsealed(sealed.cipherText, masked, cursor, name, materialType) };
      if (text.includes(`${MASK}@`)) {
        // Its host may be a parameter that has another value now.
        if (!cursor.reading.mayKeep(masked, locationOf(masked, cursor.reading)))
          report(cursor, name, refusalText('moved', subjectOf(materialType, masked), ''));
        return { masked, full: UNKNOWN };
      }
      return masked === text ? text : { masked, full: cursor.reading.seal(text) };
    },
    write: (value, name, out, writing) => {
      out[name] = writing.isSealed ? sealedUrl(value, writing) : shownUrl(value);
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema }, required: [name] }),
  };
}

function unsealed(cipherText: string, masked: string, cursor: JsonCursor, name: string, materialType: string): Secret {
  const secret = cursor.reading.unseal(cipherText, locationOf(masked, cursor.reading), (plain) => maskUrl(plain) === masked);
  if (typeof secret !== 'string') return secret;
  report(cursor, name, refusalText(secret, subjectOf(materialType, masked), undecryptable(materialType, masked)));
  return cursor.reading.seal(cipherText);
}

function sealedUrl(value: Url, writing: Writing): string {
  if (typeof value === 'string') return value;
  const cipherText = writing.secrets.show(value.full, () => locationOf(value.masked, writing));
  return value.masked.replace(`${MASK}@`, `${encodeURIComponent(cipherText)}@`);
}

/** The whole address is one secret, and it is sent to the host in it. */
function locationOf(masked: string, { resolve }: Pick<Writing, 'resolve'>): SecretLocation {
  return { field: 'url', destination: originOf(resolve?.(masked) ?? masked) };
}

export function undecryptable(materialType: string, address: string): string {
  return `${subjectOf(materialType, address)} is invalid. This usually happens when the cipher text is modified to have an invalid value.`;
}

/** The beginning of messages about a secret of a repository. */
function subjectOf(materialType: string, address: string): string {
  return `Encrypted password value for ${materialType} with url '${maskUrl(address)}'`;
}

export function shownUrl(value: Url): string {
  return typeof value === 'string' ? value : value.masked;
}

/** Equal for the same address. The part that is not secret may differ where the secret does not: parameters are replaced only there. */
export function urlIdentity(value: Url): string {
  return typeof value === 'string' ? value : `${value.full.digest} ${value.masked}`;
}

/** Whether the address names a login; a lone user name over ssh counts, too, although it is no secret. */
export function hasCredentials(value: Url): boolean {
  return typeof value !== 'string' || USER_INFO.test(value) || SHORT_SSH.test(value);
}

export function isUnknown(value: Url): boolean {
  return typeof value !== 'string' && value.full.cipherText === '';
}

const USER_INFO = /:[/\\]{2,}[^/\\?#]*@/;
/** `git@host:path` */
const SHORT_SSH = /^[^/\\?#:@]+@[^/\\?#:@]+:/;
const ALL_USER_INFO = /(:[/\\]+)([^/\\?#]*)@/g;
/** `https://user:pass/word@host`: the text after the colon is no port, so it is a password that should have been escaped. */
const UNESCAPED_PASSWORD = /^([^:]*:[/\\]+[^/\\?#@:[]*:)(?!\d*[/\\?#])[^/\\?#@]*[/\\?#].*@/s;
/** `user:password@host` */
const WITHOUT_SCHEME = /^([/\\]*[^/\\?#@:]*:)[^/\\?#]*@/;

/** Odd spellings are masked, too: an address that is refused is repeated in the answer. Sent back masked, any of them is understood. */
export function maskUrl(text: string): string {
  return text
    .replace(ALL_USER_INFO, (whole, slashes: string, userInfo: string, offset: number) => {
      const colon = userInfo.indexOf(':');
      if (colon >= 0) return `${slashes}${userInfo.slice(0, colon)}:${MASK}@`;
      // A lone user name over http is a token; over ssh it is only a name.
      const isToken = userInfo !== '' && slashes.length > 2 && text.slice(0, offset).slice(-3).toLowerCase() !== 'ssh';
      return isToken ? `${slashes}${MASK}@` : whole;
    })
    .replace(UNESCAPED_PASSWORD, `$1${MASK}@`)
    .replace(WITHOUT_SCHEME, `$1${MASK}@`);
}
