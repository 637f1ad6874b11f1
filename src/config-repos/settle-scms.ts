// An SCM that pipelines of config repos declare on the spot is what they say together: it does not matter who came first. It belongs to one
// of them, is called and set as that one says, goes by the names of the others, too, and goes when nobody declares it any more.
import type { Draft, Edit } from '../config/draft.ts';
import { type RemoteOrigin, remoteOrigin } from '../config/remote.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { Declared } from './declared-scms.ts';
import { type Declarer, declarersOf, nameBy, otherNames, ownerAmong, scmIdsOf } from './scm-declarers.ts';

interface Settling {
  /** What is read anew with this draft. */
  readonly declared?: Declared;
  /** What goes, goes with this one. */
  readonly removedWith?: Edit | undefined;
}

/** All that pipelines declare or declared which this draft edits; one in each step. */
export function* settleScms(draft: Draft, settling: Settling = {}): Generator<void> {
  const kind = draft.kindNamed('scms')!;
  for (const id of concerned(draft)) {
    const scm = draft.find(kind, id)?.value ?? goneAlong(draft, kind, id);
    if (scm && remoteOrigin(scm)) yield settle(draft, kind, scm, settling);
  }
}

function concerned(draft: Draft): ReadonlySet<string> {
  const pipelines = draft.edits.filter(({ kind }) => kind.name === 'pipelines');
  return new Set(pipelines.flatMap(({ before, after }) => [before, after].flatMap((entry) => (entry ? scmIdsOf(entry.value) : []))));
}

/** With its repo; others may declare it as well. */
function goneAlong(draft: Draft, kind: Kind, id: string): Entity | undefined {
  return draft.edits.find((edit) => edit.kind === kind && edit.id === id)?.before?.value;
}

function settle(draft: Draft, kind: Kind, scm: Entity, { declared, removedWith }: Settling): void {
  const id = String(scm.id);
  const isThere = draft.find(kind, id) !== undefined;
  const declarers = declarersOf(draft, id);
  const owner = ownerAmong(declarers, remoteOrigin(scm)!.repo);
  if (!owner) {
    if (isThere) draft.remove(kind, id, removedWith);
    return;
  }
  const anew = declared?.get(id)?.find(({ pipeline, defined }) => isBy(owner, pipeline, defined.file));
  const name = nameBy(owner, id) ?? String(scm.name);
  const settled = { ...(anew?.scm ?? scm), id, name, origin: originOf(owner, otherNames(declarers, id, name)) };
  if (anew || !isThere || isSaidOtherwise(scm, settled)) draft.put(kind, id, settled, anew?.problems);
}

function originOf({ origin: { repo, file } }: Declarer, alsoCalled: readonly string[]): RemoteOrigin {
  return { repo, file, ...(alsoCalled.length > 0 && { alsoCalled }) };
}

function isBy({ pipeline, origin }: Declarer, name: string, file: string): boolean {
  return origin.file === file && pipeline.toLowerCase() === name.toLowerCase();
}

function isSaidOtherwise(one: Entity, other: Entity): boolean {
  const said = (scm: Entity) => {
    const { repo, file, alsoCalled = [] } = remoteOrigin(scm)!;
    return JSON.stringify([scm.name, repo, file, alsoCalled]);
  };
  return said(one) !== said(other);
}
