// Replaces the secrets in an entity that another server's key opens by cipher texts of this server.
import type { OpenedText } from '../../kit/bytes/cipher.ts';
import { isObject, type Json, type JsonObject } from '../../shape/json/json.ts';
import type { Path, Problem } from '../../shape/problems/problem.ts';
import { sealedAddress } from '../../shape/secrets/sealed-address.ts';
import type { OpenSecret } from './imported-cipher.ts';

export interface ResealTools {
  /** Opens secrets with the key file that was sent with the file. */
  readonly open: OpenSecret | undefined;
  /** Opens secrets with the keys of earlier imports. */
  readonly openKnown: OpenSecret;
  readonly encrypt: (plain: string) => string;
  /** Whether this server has made the cipher text. */
  readonly isOwn: (cipherText: string) => boolean;
}

const ENCRYPTED = /^encrypted_/;
const ADDRESS = 'url';
const UNOPENED = '?';
const UNOPENED_PASSWORD = 'unopened';
const WITHOUT_KEY =
  'This secret was encrypted by another server. Give the key file of that server (cipher.key or cipher.aes), or put the secret here in clear.';
const OTHER_KEY = 'This secret cannot be opened with the given key file. Put it here in clear, or give the key file it was encrypted with.';

export function resealSecrets(
  json: JsonObject,
  resealing: ResealTools,
): { readonly json: JsonObject; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  return { json: resealed(json, [], resealing, problems) as JsonObject, problems };
}

function resealed(value: Json, path: Path, resealing: ResealTools, problems: Problem[]): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => resealed(item, [...path, index], resealing, problems));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const at = [...path, name];
    if (typeof member !== 'string' || member.trim() === '') return [name, resealed(member, at, resealing, problems)] as const;
    if (ENCRYPTED.test(name)) return [name, resealedText(member, at, resealing, problems)] as const;
    return [name, name === ADDRESS ? openedAddress(member, at, resealing, problems) : member] as const;
  });
  return Object.fromEntries(members);
}

/** Returned in clear text: reading it encrypts its secret. */
function openedAddress(address: string, at: Path, { open, openKnown, isOwn }: ResealTools, problems: Problem[]): string {
  const sealed = sealedAddress(address);
  if (!sealed || isOwn(sealed.cipherText)) return address;
  const plain = portable(open?.(sealed.cipherText) ?? openKnown(sealed.cipherText));
  // A user may have put the cipher text into another address.
  if (plain?.startsWith(sealed.before) && plain.endsWith(sealed.after)) return plain;
  problems.push({ at, message: open ? OTHER_KEY : WITHOUT_KEY });
  return `${sealed.before}${UNOPENED_PASSWORD}${sealed.after}`;
}

/** A bound text of another server belongs to a place there: it is not taken over. */
function portable(opened: OpenedText | undefined): string | undefined {
  return opened?.binding ? undefined : opened?.plain;
}

function resealedText(cipherText: string, at: Path, { open, openKnown, encrypt, isOwn }: ResealTools, problems: Problem[]): Json {
  if (isOwn(cipherText)) return cipherText;
  const plain = portable(open?.(cipherText) ?? openKnown(cipherText));
  if (plain !== undefined) return encrypt(plain);
  problems.push({ at, message: open ? OTHER_KEY : WITHOUT_KEY });
  // Something in its place, so that it is not missed as well.
  return encrypt(UNOPENED);
}
