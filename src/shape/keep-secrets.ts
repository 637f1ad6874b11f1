// Keeps the stored cipher text of every secret that has not changed, so that an unchanged entity stays the same byte for byte.
import type { Entity } from './resource.ts';
import { isSecret, type Secret } from './secret.ts';

export function keepUnchangedSecrets(before: Entity, after: Entity): Entity {
  const known = secretsIn(before);
  return known.size === 0 ? after : (replace(after, known, cipherTextsIn(before)) as Entity);
}

/** The secrets of an entity by digest; those of masked texts by the mask, too. */
export function secretsIn(entity: Entity): ReadonlyMap<string, Secret> {
  const known = new Map<string, Secret>();
  collect(entity, known);
  return known;
}

function collect(value: unknown, known: Map<string, Secret>): void {
  if (isSecret(value)) known.set(value.digest, value);
  else if (isMasked(value)) known.set(value.masked, value.full).set(value.full.digest, value.full);
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) collect(member, known);
}

/** Several secrets may have the same plain text: one that comes with a text that is stored keeps that one. */
function replace(value: unknown, known: ReadonlyMap<string, Secret>, stored: ReadonlySet<string>): unknown {
  if (isSecret(value)) return stored.has(value.cipherText) ? value : (known.get(value.digest) ?? value);
  if (isMasked(value)) return { ...value, full: known.get(value.full.digest || value.masked) ?? value.full };
  if (Array.isArray(value)) return value.map((member) => replace(member, known, stored));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member, known, stored)]));
}

function cipherTextsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (isSecret(value)) found.add(value.cipherText);
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) cipherTextsIn(member, found);
  return found;
}

/** A text shown with its secret part masked; one that comes back masked means the one that was shown. */
interface Masked {
  readonly masked: string;
  readonly full: Secret;
}

function isMasked(value: unknown): value is Masked {
  return typeof value === 'object' && value !== null && 'masked' in value;
}
