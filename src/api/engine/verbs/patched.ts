// The result of a patch of a version of an entity: the present one, or the one its sender started from.
import { Draft } from '../../../config/draft.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { readEntity, readingFor, writeEntity } from '../../../shape/json/entity-json.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { mergePatched } from '../../../shape/json/merge-patch.ts';
import type { Entity, Kind, RuleView } from '../../../shape/resource.ts';
import type { SecretWriters } from '../../../shape/secrets/secret-writer.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { ownPart } from './overwrite.ts';
import type { ReadResult } from './read-body.ts';
import { withId } from './update.ts';

type Parts = Pick<ResourceParts, 'config' | 'tools'>;

/** The body of a PUT that has the same effect as a merge patch. */
export function mergedBody(kind: Kind, id: string, version: Entity, patch: JsonObject, secrets: SecretWriters): JsonObject {
  // An entity that was never set and has no default has no members at all.
  const shown = Object.keys(version).length === 0 ? {} : writeEntity(kind, version, secrets);
  const patched = mergePatched(shown, patch);
  return kind.shape === 'collection' ? withId(kind, patched, id) : patched;
}

/** By the operations that the resource declares. */
export function operatedOn(kind: Kind, version: Entity, body: JsonObject, tools: ResourceParts['tools'], ruleView: RuleView): ReadResult {
  const reading = readingFor(kind, version, { ruleView, current: version }, tools);
  const entity = kind.patch!.apply(version, body, reading, ruleView);
  return { entity, problems: reading.problems };
}

/** The result of the patch on the version its sender started from, with the other entities as they were then. */
export function wantedByMergePatch(
  kind: Kind,
  id: string,
  patch: JsonObject,
  base: Entity,
  ruleView: RuleView,
  { config, tools }: Parts,
): Entity {
  const body = mergedBody(kind, id, base, patch, config.secrets);
  return ownPart(kind, readEntity(kind, body, { ruleView, current: base }, tools).entity, ruleView);
}

/** The entity that a JSON Patch leads to; undefined: its operations cannot be read, which matters only if the patch is not stale. */
export function wantedByOperations(kind: Kind, body: JsonObject, base: Entity, { config, tools }: Parts): Entity | undefined {
  try {
    const { entity, problems } = operatedOn(kind, base, body, tools, new Draft(config).ruleView);
    return problems.some(({ unreadable }) => unreadable) ? undefined : entity;
  } catch (failure) {
    if (failure instanceof Refusal) return undefined;
    throw failure;
  }
}
