// Checks a large draft in slices, and collects all that is wrong.
import type { Pause } from '../kit/concurrency/time-slices.ts';
import { type Problem, withoutDerivedProblems } from '../shape/problems/problem.ts';
import { NO_ROOM, RoomForMessages } from '../shape/problems/short-problems.ts';
import { type Kind, keyOf } from '../shape/resource.ts';
import {
  type BrokenReferences,
  brokenLinks,
  brokenReferencesOf,
  byOwner,
  changesVisibleParts,
  dependentsOf,
  type EntityCheck,
  inUse,
  ownProblems,
} from './check.ts';
import type { Draft } from './draft.ts';
import type { Edit } from './edit.ts';
import { nameOf } from './references.ts';

/** The problems of one entity. */
export interface Finding {
  readonly kind: Kind;
  readonly id: string;
  readonly problems: readonly Problem[];
  /** The entity whose change or removal causes the problems; absent: the entity itself. */
  readonly because?: { readonly kind: Kind; readonly id: string };
  /** When that was a removal: all entities that cannot be without it, each with its own problems. */
  readonly brokenReferences?: readonly BrokenReferences[];
}

export async function checkAll(draft: Draft, checks: readonly EntityCheck[], pause: Pause): Promise<Finding[]> {
  const { ruleView } = draft;
  // Entities that a config repo publishes again are checked again: the settings of the repo may have changed.
  const isRechecked = ({ after }: Edit) => draft.publisher !== undefined && after !== undefined;
  const edits = draft.edits.filter((edit) => edit.after !== edit.before || isRechecked(edit));
  const findings = new Map<string, Finding>();
  /** The messages reported for each entity, so that none is reported twice. */
  const reported = new Map<string, Set<string>>();
  const room = new RoomForMessages();
  const report = (kind: Kind, id: string, problems: readonly Problem[], more: Pick<Finding, 'because' | 'brokenReferences'> = {}) => {
    const { because } = more;
    const name = nameOf(kind, keyOf(kind, id));
    const known = reported.getOrInsertComputed(name, () => new Set());
    const fresh = room.shorten(problems).filter(({ message }) => message === NO_ROOM || !known.has(message));
    if (fresh.length === 0) return;
    for (const { message } of fresh) known.add(message);
    const findingKey = because ? `${name}\n${nameOf(because.kind, keyOf(because.kind, because.id))}` : name;
    findings.set(findingKey, { kind, id, problems: [...(findings.get(findingKey)?.problems ?? []), ...fresh], ...more });
  };

  const changed: Edit[] = [];
  for (const edit of edits) {
    if (!edit.after) continue;
    report(edit.kind, edit.id, withoutDerivedProblems(ownProblems(edit, draft, checks)));
    if (changesVisibleParts(edit)) changed.push(edit);
    await pause();
  }
  for (const { kind, id, problems, because } of brokenLinks(changed, draft, ruleView)) {
    report(draft.kind(kind), id, problems, { because });
    await pause();
  }
  const edited = new Set(edits.map(({ kind, key }) => nameOf(kind, key)));
  for (const [owner, removed] of byOwner(edits.filter((edit) => !edit.after))) {
    if (owner.kind.isNamedInTexts) await draft.prepareIdsInTexts(pause);
    // For entities that are edited themselves the missing reference is reported already, unless it stands in a text.
    const isReported = (kind: Kind, id: string) => !owner.kind.isNamedInTexts && edited.has(nameOf(kind, keyOf(kind, id)));
    const users = dependentsOf(removed, draft).filter(({ kind, id }) => !isReported(draft.kind(kind), id));
    const [first] = users;
    // Reported at one of the entities that use it: a removed entity has no place of its own.
    if (first) {
      const brokenReferences = brokenReferencesOf(users, removed, draft).map((one) => ({ ...one, problems: room.shorten(one.problems) }));
      const more = { because: owner, brokenReferences };
      report(draft.kind(first.kind), first.id, [{ at: [], message: inUse(owner, users) }], more);
    }
    await pause();
  }
  return [...findings.values()];
}
