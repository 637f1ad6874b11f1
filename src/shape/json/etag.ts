// The ETag of an entity: changes when and only when the entity changes.
import { sha512of256 } from '../../kit/bytes/hash.ts';
import type { Entity } from '../resource.ts';

const knownAhead = new WeakMap<Entity, string>();

/** Secrets count by the digest of their plain text, so encrypting the same one anew changes nothing. */
export function etagOf(entity: Entity): string {
  return knownAhead.get(entity) ?? sha512of256(JSON.stringify(entity, (key, value) => (key === 'cipherText' ? undefined : value)));
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
