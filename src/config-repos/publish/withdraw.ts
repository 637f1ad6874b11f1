// Removes the definitions of a config repo from the configuration, and those of other repos that need them.
import type { Draft } from '../../config/draft.ts';
import type { Edit } from '../../config/edit.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Kind } from '../../shape/resource.ts';
import { reconcileScms } from '../scms/reconcile-scms.ts';

const SCMS = 'scms';

/** Returns the repos whose definitions went, this one included. */
export function withdraw(draft: Draft, repo: string, removedWith?: Edit): ReadonlySet<string> {
  const withdrawn = new Set<string>();
  const waiting = [repo];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (withdrawn.has(next)) continue;
    withdrawn.add(next);
    // Its SCMs stay with other repos that declare the same.
    const gone = definitionsOfRepo(draft, next).filter(({ kind }) => kind.name !== SCMS);
    for (const { kind, id } of gone) draft.remove(kind, id, removedWith);
    waiting.push(...gone.flatMap(({ kind, id }) => reposThatNeed(draft, kind, id)));
  }
  reconcileAllScms(draft, removedWith);
  return withdrawn;
}

/** Withdraws the definitions of other repos that need those of a deleted repo, which are removed with it. */
export function withdrawWithDeleted(draft: Draft): void {
  for (const edit of draft.edits) {
    if (edit.kind.name !== 'configRepos' || edit.after) continue;
    reconcileAllScms(draft, edit);
    const gone = draft.edits.filter(({ removedWith }) => removedWith === edit);
    const others = new Set(gone.flatMap(({ kind, id }) => reposThatNeed(draft, kind, id)));
    for (const repo of others) withdraw(draft, repo, edit);
  }
}

function reconcileAllScms(draft: Draft, removedWith: Edit | undefined): void {
  for (const _ of reconcileScms(draft, { removedWith }));
}

/** An entity that a repo defines. */
export interface Definition {
  readonly kind: Kind;
  readonly id: string;
}

/** Everything that is in force of a repo. */
export function definitionsOfRepo(draft: Draft, repo: string): Definition[] {
  return draft.referrers('configRepos', repo).map(({ kind, id }) => ({ kind: draft.kind(kind), id }));
}

/** The entities of one kind that are in force of a repo. */
export function definitionsOfKind<K extends KindName>(draft: Draft, repo: string, kindName: K): EntityNamed<K>[] {
  return draft.referrers('configRepos', repo).flatMap(({ kind, id }) => (kind === kindName ? [draft.findEntity(kindName, id)!] : []));
}

function reposThatNeed(draft: Draft, kind: Kind, id: string): string[] {
  return draft.referrers(kind.name, id).flatMap((referrer) => {
    const referring = draft.find(draft.kind(referrer.kind), referrer.id);
    const origin = referring && repoOriginOf(referring.value);
    return origin ? [origin.repo] : [];
  });
}
