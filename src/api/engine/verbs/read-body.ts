// From the body of a write to an entity, with everything its fields and its plugin find wrong.
import { Draft } from '../../../config/draft.ts';
import type { EntityNamed, KindName } from '../../../shape/configuration.ts';
import { readEntity } from '../../../shape/json/entity-json.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import type { Entity, Kind } from '../../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';

export interface ReadResult<E extends Entity = Entity> {
  readonly entity: E;
  readonly problems: readonly Problem[];
}

type Parts = Pick<ResourceParts, 'config' | 'tools' | 'pluginProblemsOf'>;

export function readBodyAs<K extends KindName>(
  kind: Kind<K>,
  body: JsonObject,
  parts: Parts,
  current?: Entity,
  draft = new Draft(parts.config),
): Promise<ReadResult<EntityNamed<K>>> {
  return read(kind, body, parts, { ruleView: draft.ruleView, current });
}

/** In the form of documents. */
export function readSealedAs(kind: Kind, body: JsonObject, parts: Parts, current: Entity): Promise<ReadResult> {
  return read(kind, body, parts, { ruleView: new Draft(parts.config).ruleView, current, isSealed: true });
}

async function read<K extends KindName>(
  kind: Kind<K>,
  body: JsonObject,
  { tools, pluginProblemsOf }: Parts,
  against: Parameters<typeof readEntity>[2],
): Promise<ReadResult<EntityNamed<K>>> {
  const { entity, problems } = readEntity(kind, body, against, tools);
  if (!kind.plugin) return { entity, problems };
  return { entity, problems: [...problems, ...(await pluginProblemsOf(kind.plugin, entity, against.ruleView))] };
}

/** An unreadable body is not compared with the present entity: it is put into the draft, and refused there with all its problems. */
export function isReadable({ problems }: ReadResult): boolean {
  return !problems.some(({ unreadable }) => unreadable);
}
