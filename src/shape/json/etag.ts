// The ETag of an entity: changes when and only when the entity changes.
import { sha512of256 } from '../../kit/bytes/hash.ts';
import type { Entity } from '../resource.ts';

const knownAhead = new WeakMap<Entity, string>();

/** A quote in a value is escaped, so no value can look like this. */
const MEMBER = String.raw`"cipherText":"[^"\\]*(?:\\.[^"\\]*)*"`;
/** Matches a member with a cipher text, with the comma before or after it. */
const CIPHER_TEXTS = new RegExp(`,${MEMBER}|${MEMBER},?`, 'g');

export function etagOf(entity: Entity): string {
  return etagAndJson(entity).etag;
}

/** The etag, with the JSON of the entity if it had to be made. */
export function etagAndJson(entity: Entity): { readonly etag: string; readonly json?: string } {
  const known = knownAhead.get(entity);
  if (known !== undefined) return { etag: known };
  const json = JSON.stringify(entity);
  // Secrets count by the digest of their plain text, so encrypting the same one anew changes nothing.
  return { etag: sha512of256(json.includes('"cipherText":') ? json.replace(CIPHER_TEXTS, '') : json), json };
}

/** Computes the tag in advance, so that changes do not wait for it. */
export function etagAhead(entity: Entity): void {
  knownAhead.set(entity, etagOf(entity));
}

/** A list's tag: it changes with any member and with their order. */
export function etagOfAll(etags: readonly string[]): string {
  return sha512of256(etags.join('/'));
}

/** Whether a client's If-Match or If-None-Match names this tag; quotes and suffixes of compressing proxies do not count. */
export function namesEtag(header: string, etag: string): boolean {
  if (header === `"${etag}"`) return true;
  return header.split(',').some((part) => bare(part) === etag);
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"|"$/g, '')
    .replace(/--(gzip|deflate)$/, '');
}
