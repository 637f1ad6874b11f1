// A plan as it is stored: the entities to put and to remove, and the state it was made for.
import type { Draft } from '../../config/draft.ts';
import type { Edit } from '../../config/edit.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { type Entity, idOf, type Kind, keyOf } from '../../shape/resource.ts';

/** Secrets are in it as they are in the configuration: as cipher texts. */
export interface Step {
  readonly kind: string;
  readonly id: string;
  /** null: it is removed. */
  readonly after: Entity | null;
}

/** An entity as it was when the plan was made. */
export interface ExpectedEntity {
  readonly kind: string;
  readonly id: string;
  /** null: it was not there. */
  readonly etag: string | null;
}

export interface StoredPlan {
  readonly steps: readonly Step[];
  readonly expected: readonly ExpectedEntity[];
  /** Kinds of which absent entities are removed: a hash of the entities that existed. */
  readonly complete: Readonly<Record<string, string>>;
  /** It was made for a file, which plugins need not agree with. */
  readonly isOfFile?: boolean;
}

/** `decided`: the requested edits; `draft` also has those that follow from them. */
export function storedPlan(decided: readonly Edit[], draft: Draft, complete: readonly Kind[]): StoredPlan {
  const isReal = ({ before, after }: Edit) => before !== after;
  const idIn = ({ kind, before, after }: Edit) => idOf(kind, (after ?? before)!.value);
  return {
    steps: decided
      .filter((edit) => isReal(edit) && !edit.removedWith)
      .map((edit) => ({ kind: edit.kind.name, id: idIn(edit), after: edit.after?.value ?? null })),
    expected: draft.edits.filter(isReal).map((edit) => ({ kind: edit.kind.name, id: idIn(edit), etag: edit.before?.etag ?? null })),
    complete: Object.fromEntries(complete.map((kind) => [kind.name, membersHash(membersBefore(kind, draft), kind)])),
  };
}

/** As they were before the draft. */
function membersBefore(kind: Kind, draft: Draft): string[] {
  const edits = draft.edits.filter((edit) => edit.kind === kind);
  const created = new Set(edits.filter(({ before }) => !before).map(({ key }) => key));
  const now = Array.from(draft.lookup(kind).values(), (entity) => keyOf(kind, idOf(kind, entity)));
  const removed = edits.filter(({ before, after }) => before && !after).map(({ key }) => key);
  return [...now.filter((key) => !created.has(key)), ...removed];
}

export function membersHash(keys: readonly string[], kind: Kind): string {
  return sha256([...new Set(keys.map((key) => keyOf(kind, key)))].sort().join('\n'));
}
