// Checks the edits of a draft: the rules of each entity, the references it makes, and the entities that still need a removed one.
import { Refusal } from '../kit/refusal.ts';
import { truncate } from '../kit/text/truncate.ts';
import { writeEntity } from '../shape/json/entity-json.ts';
import { withFiles } from '../shape/problems/files-in-repos.ts';
import type { Dependent } from '../shape/problems/messages.ts';
import { annotate, type Problem, withoutDerivedProblems } from '../shape/problems/problem.ts';
import { addressOf, idOf, type Kind, keyOf, type Reference, type RuleView } from '../shape/resource.ts';
import type { SecretWriters } from '../shape/secrets/secret-writer.ts';
import type { Draft } from './draft.ts';
import type { Edit } from './edit.ts';
import { entitiesThrough, type Referrer, referencesOf, referencesThrough } from './references.ts';
import { repoOriginOf } from './repo-origin.ts';

/** Returns the problems of an entity that depend on settings of the server, which the rules of a declaration do not know. */
export type EntityCheck = (edit: Edit, draft: Draft) => readonly Problem[];

export function checkDraft(draft: Draft, checks: readonly EntityCheck[]): void {
  const { edits } = draft;
  for (const edit of edits) if (edit.after) checkEntity(edit, draft, checks);
  checkRemovals(
    edits.filter((edit) => !edit.after),
    draft,
  );
}

function checkEntity(edit: Edit, draft: Draft, checks: readonly EntityCheck[]): void {
  const problems = ownProblems(edit, draft, checks);
  // The placeholder for an unreadable value is never seen by other entities.
  const affectsOthers = changesVisibleParts(edit) && !edit.problems.some(({ unreadable }) => unreadable);
  for (const broken of affectsOthers ? brokenLinks([edit], draft, draft.ruleView) : []) {
    problems.push(...broken.problems.map(problemElsewhere));
  }
  if (problems.length > 0) throw invalid(edit, withoutDerivedProblems(problems), edit.operation, draft.secrets);
}

/** A problem of another entity, reported at the entity whose change causes it. */
export function problemElsewhere({ message, keyElsewhere = 'base' }: Problem): Problem {
  return { at: [keyElsewhere], message };
}

/** The problems of an entity itself, as the draft has it. */
export function ownProblems(edit: Edit, draft: Draft, checks: readonly EntityCheck[]): Problem[] {
  const { kind } = edit;
  const { ruleView } = draft;
  const entity = edit.after!.value;
  const problems: Problem[] = [...edit.problems];
  for (const rule of kind.rules ?? []) problems.push(...rule(entity, ruleView, edit.operation));
  problems.push(...unknownAmong(referencesOf(kind, entity, draft.findEntity), draft));
  for (const { to, at, taken } of kind.claims?.(entity) ?? []) {
    if (draft.claimants(kind, to).some((claimant) => keyOf(kind, claimant.id) !== edit.key)) problems.push({ at, message: taken });
  }
  for (const check of checks) problems.push(...check(edit, draft));
  return problems;
}

function unknownAmong(references: readonly Reference[], draft: Draft): Problem[] {
  return references
    .filter(({ kind, id, mayBeAbsent }) => {
      const target = draft.kindNamed(kind);
      // A kind that is not in the registry cannot be asked.
      return !mayBeAbsent && target && !draft.find(target, id);
    })
    .map(({ at, unknown }) => ({ at, message: unknown }));
}

interface BrokenLinks extends Referrer {
  readonly problems: readonly Problem[];
  /** The changed entity that causes the problems. */
  readonly because: EntityId;
}

interface EntityId {
  readonly kind: Kind;
  readonly id: string;
}

/** An entity that cannot be without a removed one, and why. */
export interface BrokenReferences extends EntityId {
  readonly problems: readonly Problem[];
}

/** The entities that refer to one with changed visible parts, directly or through others, each with its problems. */
export function* brokenLinks(edits: readonly Edit[], draft: Draft, ruleView: RuleView): Generator<BrokenLinks> {
  const changes = edits.map(({ kind, after }) => ({ kind, key: after!.key, id: idOf(kind, after!.value) }));
  const visited = new Set(changes.map(({ kind, key }) => `${kind.name}\n${kind.name}\n${key}`));
  const waiting: (EntityId & { readonly because?: EntityId })[] = changes;
  for (let changed = waiting.pop(); changed; changed = waiting.pop()) {
    const { because = { kind: changed.kind, id: changed.id } } = changed;
    for (const referrer of draft.referrers(changed.kind.name, changed.id)) {
      const referring = draft.kind(referrer.kind);
      const rule = referring.linkRules?.[changed.kind.name];
      // Each kind it is reached from has a rule of its own.
      const visit = `${changed.kind.name}\n${referring.name}\n${keyOf(referring, referrer.id)}`;
      if (!rule || visited.has(visit)) continue;
      visited.add(visit);
      if (rule.isTransitive) waiting.push({ kind: referring, id: referrer.id, because });
      const entity = draft.find(referring, referrer.id)!.value;
      const through = referring.refersThrough?.[changed.kind.name] ? referencesThrough(referring, entity, draft.findEntity) : [];
      yield { ...referrer, problems: [...rule.problems(entity, ruleView), ...unknownAmong(through, draft)], because };
    }
  }
}

/** Whether the edit changes parts of the entity that others can see. */
export function changesVisibleParts({ kind, before, after, operation }: Edit): boolean {
  return (
    operation === 'update' && kind.visibleParts !== undefined && !isSame(kind.visibleParts(before!.value), kind.visibleParts(after!.value))
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function checkRemovals(removals: readonly Edit[], draft: Draft): void {
  for (const [owner, removed] of byOwner(removals)) {
    const users = dependentsOf(removed, draft);
    if (users.length > 0) throw new Refusal('invalid', inUse(owner, users));
  }
}

/** Removals by the owner they are removed with: an entity that uses one of them keeps the owner from being removed. */
export function byOwner(removals: readonly Edit[]): Map<Edit, Edit[]> {
  return Map.groupBy(removals, (edit) => edit.removedWith ?? edit);
}

export function dependentsOf(removed: readonly Edit[], draft: Draft): Dependent[] {
  const referrers = removed.flatMap((edit) => draft.referrers(edit.kind.name, edit.id));
  return [...new Map(referrers.map((referrer) => [`${referrer.kind}\n${referrer.id}`, referrer])).values()].map((referrer) => {
    const kind = draft.kind(referrer.kind);
    const entity = draft.find(kind, referrer.id)!.value;
    return { ...referrer, entity, through: entitiesThrough(kind, entity, draft.findEntity) };
  });
}

/** For each entity that uses a removed one, the references that break. */
export function brokenReferencesOf(users: readonly Dependent[], removed: readonly Edit[], draft: Draft): BrokenReferences[] {
  const kinds = new Set(removed.map(({ kind }) => kind.name));
  return users.map(({ kind: name, id, entity }) => {
    const kind = draft.kind(name);
    const broken = [...kinds].flatMap((gone) => kind.linkRules?.[gone]?.problems(entity, draft.ruleView) ?? []);
    return { kind, id, problems: [...unknownAmong(referencesOf(kind, entity, draft.findEntity), draft), ...broken] };
  });
}

export function inUse({ kind, id, before }: Edit, users: readonly Dependent[]): string {
  const message = truncate(kind.messages.inUse(before ? addressOf(kind, before.value) : id, users));
  const remote = users.flatMap(({ entity }) => repoOriginOf(entity) ?? []);
  return withFiles(message, 'Change', remote);
}

export function invalid(
  { kind, id, after, sent }: Pick<Edit, 'kind' | 'id' | 'after' | 'sent'>,
  problems: readonly Problem[],
  operation: Edit['operation'],
  secrets: SecretWriters,
): Refusal {
  const unreadable = problems.find((problem) => problem.unreadable);
  const { blankId } = kind.messages;
  const blank = problems.some((problem) => problem.message === blankId?.beside) ? blankId?.message : undefined;
  const message = unreadable?.message ?? blank ?? kind.messages.invalid(sent ? idOf(kind, sent) : id, problems, operation);
  const shown = annotate(writeEntity(kind, sent ?? after!.value, secrets), problems);
  const reason = problems.every((problem) => problem.malformed) ? 'malformed' : 'invalid';
  return new Refusal(reason, truncate(message), kind.isFlatWhenInvalid ? { more: shown } : { data: shown });
}
