// From the body of a write to an entity, with everything its fields and its plugin find wrong.
import { Draft } from '../../config/draft.ts';
import { readEntity } from '../../shape/entity-json.ts';
import type { JsonObject } from '../../shape/json.ts';
import type { Problem } from '../../shape/problem.ts';
import type { Entity, Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';

export interface ReadResult {
  readonly entity: Entity;
  readonly problems: readonly Problem[];
}

export async function readBodyAs(
  kind: Kind,
  body: JsonObject,
  { config, tools, opinionsOf }: ResourceParts,
  current?: Entity,
): Promise<ReadResult> {
  const { seen } = new Draft(config);
  const { entity, problems } = readEntity(kind, body, { seen, current }, tools);
  if (!kind.plugin) return { entity, problems };
  return { entity, problems: [...problems, ...(await opinionsOf(kind.plugin, entity, seen))] };
}
