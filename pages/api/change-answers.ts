// Changes of the configuration as the API reports them: in revisions, plans and dry runs.
import type { Json } from './json.ts';

/** One field that is different. */
export interface FieldDifference {
  /** A JSON pointer; empty: the whole entity. */
  readonly path: string;
  readonly operation: 'add' | 'remove' | 'replace' | 'move';
  /** What people call the field, by the names of the members of lists; absent: it is the whole entity. */
  readonly field?: string;
  /** Absent: there was nothing. */
  readonly before?: Json;
  /** Absent: there is nothing any more. */
  readonly after?: Json;
  readonly words: string;
}

/** The name of an entity: its kind as in addresses, and its id, which is empty for a singleton. */
export interface EntityName {
  readonly resource: string;
  readonly id: string;
}

export type ChangeOperation = 'create' | 'update' | 'delete';

export interface EntityChange extends EntityName {
  /** What people call it, where its id says little. */
  readonly label?: string;
  readonly operation: ChangeOperation;
  /** null: the values are not kept any more. */
  readonly differences: readonly FieldDifference[] | null;
  /** The user may not view the entity, so there are no differences. */
  readonly is_hidden?: boolean;
}

/** The effects of a write: the member `_plan` of the answer to its dry run. */
export interface DryRunPlan {
  readonly changes: readonly EntityChange[];
  /** How many more there are than listed. */
  readonly more_changes?: number;
  /** Entities that refer to a changed entity. */
  readonly affected: readonly EntityName[];
}
