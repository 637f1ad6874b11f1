// The names by which a material is found again in another state of its pipeline.
import { findRepositoryDefinition } from '../../materials/types/list.ts';
import type { IdentityPair, RepositoryDefinition } from '../../materials/types/repository-definition.ts';
import { isObject, type Json, type JsonObject, snakeCase } from '../../shape/json/json.ts';
import { withoutPassword } from './secrets.ts';

/** The members that identify a material of a type that is no repository. */
const OTHER_TYPES: Readonly<Record<string, readonly string[]>> = { dependency: ['pipeline', 'stage'], package: ['ref'], plugin: ['ref'] };

/** The name that a material was given. */
export function materialName(item: Json): string | undefined {
  if (!isObject(item) || !isObject(item.attributes)) return undefined;
  const { name } = item.attributes;
  return typeof name === 'string' && name !== '' ? `${String(item.type)} ${name.toLowerCase()}` : undefined;
}

/** The identity of a material without its login and its flags: they may change, and it is the same material to people. */
export function materialPlace(item: Json): string | undefined {
  return nameBy(item, ([key, value]) => key !== 'username' && typeof value !== 'boolean');
}

/** All that identifies a material. */
export function materialIdentity(item: Json): string | undefined {
  return nameBy(item, () => true);
}

function nameBy(item: Json, counts: (pair: IdentityPair) => boolean): string | undefined {
  if (!isObject(item) || !isObject(item.attributes)) return undefined;
  const { type = null, attributes } = item;
  const definition = findRepositoryDefinition(String(type));
  if (definition) return JSON.stringify([type, ...identityOf(definition, attributes).filter(counts)]);
  return JSON.stringify([type, ...(OTHER_TYPES[String(type)] ?? []).map((member) => attributes[member] ?? null)]);
}

function identityOf(definition: RepositoryDefinition, attributes: JsonObject): readonly IdentityPair[] {
  const own = Object.fromEntries(Object.keys(definition.fields).map((name) => [name, attributes[snakeCase(name)] ?? null]));
  return definition.identity(own).map(([key, value]) => [key, typeof value === 'string' ? withoutPassword(value) : value]);
}
