// Keeps the stored cipher text of every secret that has not changed, so that an unchanged entity stays the same byte for byte.
import type { Entity } from './resource.ts';
import { isSecret, type Secret } from './secret.ts';

export function keepUnchangedSecrets(before: Entity, after: Entity): Entity {
  const known = secretsIn(before);
  return known.size === 0 ? after : (replace(after, known) as Entity);
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

function replace(value: unknown, known: ReadonlyMap<string, Secret>): unknown {
  if (isSecret(value)) return known.get(value.digest) ?? value;
  if (isMasked(value)) return { ...value, full: known.get(value.full.digest || value.masked) ?? value.full };
  if (Array.isArray(value)) return value.map((member) => replace(member, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member, known)]));
}

/** A text shown with its secret part masked; one that comes back masked means the one that was shown. */
interface Masked {
  readonly masked: string;
  readonly full: Secret;
}

function isMasked(value: unknown): value is Masked {
  return typeof value === 'object' && value !== null && 'masked' in value;
}
