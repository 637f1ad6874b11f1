// Why a write that was based on an older version is refused: who has changed what since, and what both have touched.
import type { JsonObject } from '../../shape/json.ts';
import type { Entity, Kind } from '../../shape/resource.ts';
import { difference, mergeEntities } from '../difference/entity-difference.ts';
import type { Base, ChangeOfEntity } from './base.ts';

export interface Conflict {
  readonly kind: Kind;
  readonly base: Base;
  /** What was sent, or what a patch makes of the base; undefined: it was to be deleted. */
  readonly yours: Entity | undefined;
  /** Undefined: it is gone. */
  readonly now: Entity | undefined;
}

/** Nobody reads on after so many. */
const MOST = 50;

/** Secrets appear in it only as changed. */
export function explain({ kind, base, yours, now }: Conflict): JsonObject {
  const changes = (from: Entity | undefined, to: Entity | undefined) => difference(kind, from, to).changes.map((change) => ({ ...change }));
  const { value, revision, since } = base;
  const overlaps = value && yours && now ? overlapsOf(kind, value, yours, now) : undefined;
  return {
    base: revision === undefined ? null : { revision },
    changes: since.slice(0, MOST).map(changeJson),
    ...(since.length > MOST && { more_changes: since.length - MOST }),
    yours: yours ? changes(value ?? now, yours) : [],
    ...(value && { theirs: changes(value, now) }),
    ...(overlaps && { overlaps, can_be_merged: overlaps.length === 0 }),
  };
}

function changeJson({ revision, time, actor, reason, operation }: ChangeOfEntity): JsonObject {
  return { revision, time, actor, reason, operation };
}

function overlapsOf(kind: Kind, base: Entity, yours: Entity, now: Entity): JsonObject[] {
  const merge = mergeEntities(kind, base, yours, now);
  if ('merged' in merge) return [];
  return merge.overlaps.map(({ mine, ...rest }) => ({ ...rest, ...(mine !== undefined && { yours: mine }) }));
}
