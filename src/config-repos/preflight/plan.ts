// What publishing would change, in the words of people: pipelines and environments.
import type { Edit } from '../../config/draft.ts';
import { remoteOrigin } from '../../config/remote.ts';
import { etagOf } from '../../shape/etag.ts';
import type { Entity } from '../../shape/resource.ts';

export interface Plan {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

export interface PublishingPlan {
  readonly pipelines: Plan;
  readonly environments: Plan;
}

type Effect = keyof Plan;

/** The edits of a draft in which definitions have been placed. */
export function planOf(edits: readonly Edit[]): PublishingPlan {
  const pipelines = new Map<string, Effect>();
  const environments = new Map<string, Effect>();
  for (const edit of edits) {
    const effect = effectOf(edit);
    if (!effect) continue;
    const { value } = (edit.after ?? edit.before)!;
    if (edit.kind.name === 'pipelines') pipelines.set(String(value.name), effect);
    else if (edit.kind.name === 'environments') environments.set(String(value.name), effect);
    // A part comes and goes, and the environment stays, unless the edit of the environment itself says otherwise.
    else if (edit.kind.name === 'environmentParts') environments.getOrInsert(String(value.environment), 'changed');
  }
  return { pipelines: sorted(pipelines), environments: sorted(environments) };
}

function effectOf({ before, after }: Edit): Effect | undefined {
  if (before === after) return undefined;
  if (!before) return 'created';
  if (!after) return 'deleted';
  return isSameElsewhere(before.value, after.value) ? undefined : 'changed';
}

/** A file that is moved or renamed changes nothing of what it defines. */
function isSameElsewhere(before: Entity, after: Entity): boolean {
  const withoutFile = (entity: Entity) => etagOf({ ...entity, origin: { ...remoteOrigin(entity), file: '' } });
  return remoteOrigin(before)?.file !== remoteOrigin(after)?.file && withoutFile(before) === withoutFile(after);
}

function sorted(effects: ReadonlyMap<string, Effect>): Plan {
  const named = (wanted: Effect) => [...effects].flatMap(([name, effect]) => (effect === wanted ? name : [])).sort();
  return { created: named('created'), changed: named('changed'), deleted: named('deleted') };
}
