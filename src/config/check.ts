// Checks what a draft touches: the rules of each entity, the references it makes, and who still needs what it removes.
import { Refusal } from '../kit/refusal.ts';
import { writeEntity } from '../shape/entity-json.ts';
import { annotate, type Problem, withoutNoise } from '../shape/problem.ts';
import { addressOf, idOf, keyOf } from '../shape/resource.ts';
import type { Draft, Edit } from './draft.ts';

export function check(draft: Draft): void {
  const { edits, seen } = draft;
  for (const edit of edits) if (edit.after) checkEntity(edit, draft, seen);
  checkRemovals(
    edits.filter((edit) => !edit.after),
    draft,
  );
}

function checkEntity(edit: Edit, draft: Draft, seen: unknown): void {
  const { kind, after, operation } = edit;
  const entity = after!.value;
  const problems: Problem[] = [...edit.problems];
  for (const rule of kind.rules ?? []) problems.push(...rule(entity as never, seen));
  for (const reference of kind.refersTo?.(entity as never) ?? []) {
    const target = draft.kindNamed(reference.kind);
    // A kind that is not in the registry cannot be asked.
    if (!target || draft.find(target, reference.id)) continue;
    problems.push({ at: reference.at, message: reference.unknown });
  }
  for (const { to, at, taken } of kind.claims?.(entity as never) ?? []) {
    if (draft.claimants(kind, to).some((claimant) => keyOf(kind, claimant.id) !== edit.key)) problems.push({ at, message: taken });
  }
  problems.push(...brokenLinks(edit, draft, seen));
  if (problems.length > 0) throw invalid(edit, withoutNoise(problems), operation);
}

/** What the change of an entity would break in those that refer to it, and in those that refer to them. */
function brokenLinks({ kind, before, after, operation }: Edit, draft: Draft, seen: unknown): Problem[] {
  if (operation !== 'update' || !kind.facade || isSame(kind.facade(before!.value as never), kind.facade(after!.value as never))) return [];
  const problems: Problem[] = [];
  const visited = new Set([`${kind.name}\n${after!.key}`]);
  const waiting = [{ kind, id: idOf(kind, after!.value) }];
  for (let changed = waiting.pop(); changed; changed = waiting.pop()) {
    for (const referrer of draft.referrers(changed.kind.name, changed.id)) {
      const referring = draft.kindNamed(referrer.kind)!;
      const rule = referring.linkRules?.[changed.kind.name];
      const name = `${referring.name}\n${keyOf(referring, referrer.id)}`;
      if (!rule || visited.has(name)) continue;
      visited.add(name);
      waiting.push({ kind: referring, id: referrer.id });
      const entity = draft.find(referring, referrer.id)!.value;
      problems.push(...rule(entity as never, seen).map(({ message }) => ({ at: ['base'], message })));
    }
  }
  return problems;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Who uses what goes along with its owner stands in the way of the owner. */
function checkRemovals(removals: readonly Edit[], draft: Draft): void {
  for (const [owner, removed] of Map.groupBy(removals, (edit) => edit.removedWith ?? edit)) {
    const referrers = removed.flatMap((edit) => draft.referrers(edit.kind.name, edit.id));
    const users = [...new Map(referrers.map((referrer) => [`${referrer.kind}\n${referrer.id}`, referrer])).values()].map((referrer) => ({
      ...referrer,
      entity: draft.find(draft.kindNamed(referrer.kind)!, referrer.id)?.value ?? {},
    }));
    const name = owner.before ? addressOf(owner.kind, owner.before.value) : owner.id;
    if (users.length > 0) throw new Refusal('invalid', owner.kind.messages.inUse(name, users));
  }
}

export function invalid(
  { kind, id, after }: Pick<Edit, 'kind' | 'id' | 'after'>,
  problems: readonly Problem[],
  operation: Edit['operation'],
): Refusal {
  const unreadable = problems.find((problem) => problem.unreadable);
  const { blankId } = kind.messages;
  const blank = problems.some((problem) => problem.message === blankId?.beside) ? blankId?.message : undefined;
  const message = unreadable?.message ?? blank ?? kind.messages.invalid(id, problems, operation);
  return new Refusal('invalid', message, { data: annotate(writeEntity(kind, after!.value), problems) });
}
