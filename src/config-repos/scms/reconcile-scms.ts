// Reconciles SCMs with the pipelines of config repos that declare them inline. It does not matter which declaration came first: the SCM
// belongs to one of them, has its name and settings, can be found by the names of the others, and is removed with the last one.
import type { Draft } from '../../config/draft.ts';
import { type Edit, isEditOf } from '../../config/edit.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Kind } from '../../shape/resource.ts';
import type { DeclaredScmsById } from './declared-scms.ts';
import { type Declarer, declaredName, declarersOf, otherNames, ownerAmong, scmIdsOf } from './scm-declarers.ts';

interface ReconcileOptions {
  /** The SCM declarations that this draft reads anew. */
  readonly declared?: DeclaredScmsById;
  /** The edit that the removal of SCMs is attributed to. */
  readonly removedWith?: Edit | undefined;
}

/** Reconciles all SCMs that pipelines edited by this draft declare differently than before with their declarations; one in each step. */
export function* reconcileScms(draft: Draft, options: ReconcileOptions = {}): Generator<void> {
  const kind = draft.kind('scms');
  // SCMs that were removed with their repo; other repos may declare them as well.
  const goneAlong = new Map(draft.edits.flatMap((edit) => (isEditOf('scms', edit) && edit.before ? [[edit.id, edit.before.value]] : [])));
  const ownedAnew = [...(options.declared ?? [])].filter(([id, declarations]) => {
    const file = repoOriginOf(draft.find(kind, id)?.value ?? {})?.file;
    return declarations.some(({ defined }) => defined.file === file);
  });
  for (const id of new Set([...ownedAnew.map(([id]) => id), ...changedDeclarations(draft)])) {
    const scm = draft.find(kind, id)?.value ?? goneAlong.get(id);
    if (scm && repoOriginOf(scm)) yield reconcile(draft, kind, scm, options);
  }
}

/** The ids of SCMs whose declarations this draft changes. */
function* changedDeclarations(draft: Draft): Generator<string> {
  for (const edit of draft.edits) {
    if (!isEditOf('pipelines', edit) || edit.before === edit.after) continue;
    const [was, is] = [edit.before, edit.after].map((entry) => declarationsIn(entry?.value));
    for (const id of new Set([...was!.keys(), ...is!.keys()])) if (was!.get(id) !== is!.get(id)) yield id;
  }
}

/** The declaration of each SCM that a pipeline uses, as far as its place among the declarers depends on it. */
function declarationsIn(pipeline: EntityNamed<'pipelines'> | undefined): ReadonlyMap<string, string> {
  if (!pipeline) return new Map();
  const { repo, file, order, scms } = repoOriginOf(pipeline) ?? {};
  return new Map(scmIdsOf(pipeline).map((id) => [id, JSON.stringify([repo, file, order, scms?.[id]])]));
}

function reconcile(draft: Draft, kind: Kind<'scms'>, scm: EntityNamed<'scms'>, { declared, removedWith }: ReconcileOptions): void {
  const { id } = scm;
  const exists = draft.find(kind, id) !== undefined;
  const declarers = declarersOf(draft, id);
  const owner = ownerAmong(declarers, repoOriginOf(scm)!.repo);
  if (!owner) {
    if (exists) draft.remove(kind, id, removedWith);
    return;
  }
  const anew = declared?.get(id)?.find(({ pipeline, defined }) => isBy(owner, pipeline, defined.file));
  const name = declaredName(owner, id) ?? scm.name;
  const reconciled = { ...(anew?.scm ?? scm), id, name, origin: originOf(owner, otherNames(declarers, id, name)) };
  if (anew || !exists || differs(scm, reconciled)) draft.put(kind, id, reconciled, anew?.problems);
}

function originOf({ origin: { repo, file } }: Declarer, alsoCalled: readonly string[]): RemoteOrigin {
  return { repo, file, ...(alsoCalled.length > 0 && { alsoCalled }) };
}

function isBy({ pipeline, origin }: Declarer, name: string, file: string): boolean {
  return origin.file === file && pipeline.toLowerCase() === name.toLowerCase();
}

/** Whether the name or the origin is another one: the settings come from the declaration, which is put in any case. */
function differs(one: EntityNamed<'scms'>, other: EntityNamed<'scms'>): boolean {
  const comparable = (scm: EntityNamed<'scms'>) => {
    const { repo, file, alsoCalled = [] } = repoOriginOf(scm)!;
    return JSON.stringify([scm.name, repo, file, alsoCalled]);
  };
  return comparable(one) !== comparable(other);
}
