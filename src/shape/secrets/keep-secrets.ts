// Keeps the stored cipher text of every secret that has not changed, so that an unchanged entity stays the same byte for byte.
import type { Entity } from '../resource.ts';
import { isSecret, type Secret } from './secret.ts';

interface Secrets {
  /** The secrets by digest; those of masked texts by the mask, too. */
  readonly known: Map<string, Secret>;
  readonly cipherTexts: Set<string>;
}

/** Most entities have none, and share this. */
const NONE: Secrets = { known: new Map(), cipherTexts: new Set() };

/** Each write looks for the secrets of an entity when it is read, and once more when it is put into the configuration. */
const found = new WeakMap<Entity, Secrets>();

export function keepUnchangedSecrets<E extends Entity>(before: Entity, after: E): E {
  const { known, cipherTexts } = found.getOrInsertComputed(before, collected);
  return known.size === 0 ? after : (replace(after, known, cipherTexts) as E);
}

/** The secrets of an entity by digest; those of masked texts by the mask, too. */
export function secretsIn(entity: Entity): ReadonlyMap<string, Secret> {
  return found.getOrInsertComputed(entity, collected).known;
}

function collected(entity: Entity): Secrets {
  const secrets: Secrets = { known: new Map(), cipherTexts: new Set() };
  collect(entity, secrets);
  return secrets.known.size === 0 ? NONE : secrets;
}

function collect(value: unknown, secrets: Secrets): void {
  if (typeof value !== 'object' || value === null) return;
  const { known, cipherTexts } = secrets;
  if (isSecret(value)) {
    known.set(value.digest, value);
    cipherTexts.add(value.cipherText);
    return;
  }
  if (isMasked(value)) {
    known.set(value.masked, value.full).set(value.full.digest, value.full);
    cipherTexts.add(value.full.cipherText);
    return;
  }
  for (const member of Object.values(value)) collect(member, secrets);
}

/**
 * Several secrets may have the same plain text: one that comes with a text that is stored keeps that one. Most writes replace none, and
 * get the same object back.
 */
function replace(value: unknown, known: ReadonlyMap<string, Secret>, stored: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSecret(value)) return stored.has(value.cipherText) ? value : (known.get(value.digest) ?? value);
  if (isMasked(value)) {
    const full = known.get(value.full.digest || value.masked);
    return full === undefined || full === value.full ? value : { ...value, full };
  }
  let copy: Record<string, unknown> | unknown[] | undefined;
  for (const [key, member] of Object.entries(value)) {
    const next = replace(member, known, stored);
    if (next === member) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    Object.assign(copy, { [key]: next });
  }
  return copy ?? value;
}

/** A text shown with its secret part masked; one that comes back masked means the one that was shown. */
interface MaskedSecret {
  readonly masked: string;
  readonly full: Secret;
}

function isMasked(value: unknown): value is MaskedSecret {
  return typeof value === 'object' && value !== null && 'masked' in value;
}
