// Applies a plan, if all its entities are still as they were when the plan was made.
import type { Draft } from '../../config/draft.ts';
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { KindName } from '../../shape/configuration.ts';
import { idOf, type Kind, resourceName } from '../../shape/resource.ts';
import { membersHash, type StoredPlan } from './stored-plan.ts';

export interface ChangedEntity {
  readonly kind: KindName;
  readonly resource: string;
  readonly id: string;
  readonly what: 'created' | 'changed' | 'deleted';
}

export const MOVED = 'Something that the plan changes has been modified since the plan was made. Make a new one.';

/** Something the plan is about has moved. */
export class StalePlan extends Error {
  readonly moved: readonly ChangedEntity[];
  /** The resources of which entities were created or deleted. */
  readonly lists: readonly string[];

  constructor(moved: readonly ChangedEntity[], lists: readonly string[]) {
    super(MOVED);
    this.moved = moved;
    this.lists = lists;
  }
}

export async function applyPlan(draft: Draft, plan: StoredPlan, pause: Pause): Promise<void> {
  assertUnchanged(draft, plan);
  for (const { kind: name, id, after } of plan.steps) {
    const kind = kindIn(draft, name);
    if (after) draft.put(kind, id, after);
    else if (draft.find(kind, id)) draft.remove(kind, id);
    await pause();
  }
  const known = new Set(plan.expected.map(({ kind, id }) => `${kind}\n${id}`));
  const unplannedRemovals = draft.edits.filter(
    (edit) => edit.removedWith && !known.has(`${edit.kind.name}\n${idOf(edit.kind, edit.before!.value)}`),
  );
  if (unplannedRemovals.length > 0)
    throw new StalePlan(
      unplannedRemovals.map(({ kind, id }) => moved(kind, id, 'created')),
      [],
    );
}

function assertUnchanged(draft: Draft, { expected, complete }: StoredPlan): void {
  const others = expected.flatMap(({ kind: name, id, etag }) => {
    const kind = kindIn(draft, name);
    const now = draft.find(kind, id)?.etag ?? null;
    return now === etag ? [] : [moved(kind, id, etag === null ? 'created' : now === null ? 'deleted' : 'changed')];
  });
  const lists = Object.entries(complete).flatMap(([name, hash]) => {
    const kind = kindIn(draft, name);
    const keys = Array.from(draft.lookup(kind).values(), (entity) => idOf(kind, entity));
    return membersHash(keys, kind) === hash ? [] : [resourceName(kind)];
  });
  if (others.length + lists.length > 0) throw new StalePlan(others, lists);
}

function moved(kind: Kind, id: string, what: ChangedEntity['what']): ChangedEntity {
  return { kind: kind.name, resource: resourceName(kind), id, what };
}

function kindIn(draft: Draft, name: string): Kind {
  const kind = draft.kindNamed(name);
  if (!kind) throw new Error(`The plan holds a kind of configuration that this version does not know: ${name}.`);
  return kind;
}
