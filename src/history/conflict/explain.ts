// Why a write that was based on an older version is refused: the changes since, with their actors, and the fields that both sides changed.
import type { JsonObject } from '../../shape/json/json.ts';
import type { Entity, Kind, RuleView } from '../../shape/resource.ts';
import type { FieldChange } from '../difference/difference.ts';
import { changesBetween, mergeEntities } from '../difference/entity-difference.ts';
import type { Base, ChangeOfEntity } from './base.ts';

export interface Conflict {
  readonly kind: Kind;
  readonly base: Base;
  /** The sent body, or the base with the sent patch; undefined: it was to be deleted. */
  readonly yours: Entity | undefined;
  /** The entity now; undefined: it was deleted. */
  readonly now: Entity | undefined;
  /** Where the ETag covers fields of other entities: those entities, as they are. */
  readonly ruleView?: RuleView;
}

/** More would not help the reader. */
const MAX_CHANGES = 50;

/** Secrets appear in it only as changed. */
export async function explain({ kind, base, yours, now, ruleView }: Conflict): Promise<JsonObject> {
  const { value, revision, since } = base;
  // First: the other entities may change during a pause.
  const theirs = value && (await changesByOthersIn({ kind, base, now, ruleView }));
  const mine = yours ? await changesBetween(kind, value ?? now, yours) : [];
  const overlaps = value && yours && now ? await overlapsOf(kind, value, yours, now) : undefined;
  return {
    base: revision === undefined ? null : { revision },
    changes: since.slice(0, MAX_CHANGES).map(changeJson),
    ...(since.length > MAX_CHANGES && { more_changes: since.length - MAX_CHANGES }),
    yours: mine.map((change) => ({ ...change })),
    ...(theirs && { theirs: theirs.map((change) => ({ ...change })) }),
    ...(overlaps && { overlaps, can_be_merged: overlaps.length === 0 }),
  };
}

/** The changes of others since the base, in the entity and in the fields it shows of other entities. */
export function changesByOthersIn({ kind, base, now, ruleView }: Omit<Conflict, 'yours'>): Promise<readonly FieldChange[]> {
  return changesBetween(kind, base.value, now, base.ruleView && ruleView && [base.ruleView, ruleView]);
}

function changeJson({ revision, time, actor, reason, operation }: ChangeOfEntity): JsonObject {
  return { revision, time, actor, reason, operation };
}

async function overlapsOf(kind: Kind, base: Entity, yours: Entity, now: Entity): Promise<JsonObject[]> {
  const merge = await mergeEntities(kind, base, yours, now);
  if ('merged' in merge) return [];
  return merge.overlaps.map(({ mine, ...rest }) => ({ ...rest, ...(mine !== undefined && { yours: mine }) }));
}
