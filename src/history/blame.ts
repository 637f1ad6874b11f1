// The revision that set each field of an entity, with its actor, time and reason.
import { collectInSlices, pause } from '../kit/concurrency/time-slices.ts';
import type { JsonObject } from '../shape/json/json.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { EntityChange, LoggedRevision } from '../store/revisions/revision-log.ts';
import { comparable } from './difference/entity-difference.ts';
import { entityFrom } from './stored-value.ts';
import { type Leaf, leavesOf, unchangedFields } from './trace.ts';

export interface BlamedField extends Leaf {
  /** Undefined: it was set before the part of the history that is kept. */
  readonly by: LoggedRevision | undefined;
}

/** The fields of an entity after these changes, which come newest first; undefined: there was no such entity. */
export async function blame(kind: Kind, changes: AsyncIterable<EntityChange>): Promise<BlamedField[] | undefined> {
  let fields: readonly Leaf[] | undefined;
  const by = new Map<Leaf, LoggedRevision>();
  /** Where those that are not found yet are in the state that is looked at. */
  let earlierPaths = new Map<Leaf, string>();
  for await (const change of changes) {
    if (change.after === null && !fields) return undefined;
    // Earlier values are not kept.
    if (change.after === null || (change.before === null && change.operation !== 'create')) break;
    const after = entityFrom(kind, change.after);
    const origins = await originsIn(kind, change.before === null ? undefined : entityFrom(kind, change.before), after);
    if (!fields) {
      fields = await collectInSlices(leavesOf(comparable(kind, [after])[0]!));
      earlierPaths = new Map(fields.map((field) => [field, field.path]));
    }
    for (const [field, earlierPath] of earlierPaths) {
      const origin = origins.get(earlierPath);
      if (origin !== undefined) earlierPaths.set(field, origin);
      else {
        by.set(field, change);
        earlierPaths.delete(field);
      }
      const wait = pause();
      if (wait) await wait;
    }
    if (earlierPaths.size === 0) break;
  }
  return fields?.map((field) => ({ ...field, by: by.get(field) }));
}

async function originsIn(kind: Kind, before: Entity | undefined, after: Entity): Promise<Map<string, string>> {
  if (!before) return new Map();
  const [earlier, later] = comparable(kind, [before, after]) as [JsonObject, JsonObject];
  return new Map(await collectInSlices(unchangedFields(earlier, later)));
}
