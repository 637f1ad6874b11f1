// One edit of a draft: an entity is created, replaced or removed.
import type { EntityNamed, KindName } from '../shape/configuration.ts';
import type { Operation } from '../shape/problems/messages.ts';
import type { Problem } from '../shape/problems/problem.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import type { Entry } from './entry.ts';

export interface Edit<E extends Entity = Entity> {
  readonly kind: Kind;
  readonly key: string;
  readonly id: string;
  readonly operation: Operation;
  readonly before: Entry<E> | undefined;
  readonly after: Entry<E> | undefined;
  /** The JSON of the entity after it, if it has been made already. */
  readonly json?: string;
  /** The removal of the owner, with which the entity is removed. */
  readonly removedWith?: Edit;
  /** It went along with its owner, and was then put anew in the same draft: it does not belong to that one any more. */
  readonly isFreed?: boolean;
  /** The problems already found while reading the entity. */
  readonly problems: readonly Problem[];
  /** The entity as its sender wrote it, before the server generated an id. */
  readonly sent?: Entity | undefined;
}

/** Tells the compiler of which type the entity of an edit is. */
export function isEditOf<K extends KindName>(name: K, edit: Edit): edit is Edit<EntityNamed<K>> {
  return edit.kind.name === name;
}
