// The answers of the server about revisions, with only the fields that commands use.
import type { Json, JsonObject } from '../../../shape/json/json.ts';

export interface ChangedThing {
  readonly resource: string;
  readonly id: string;
  readonly operation: 'create' | 'update' | 'delete';
}

export interface Difference {
  readonly words: string;
  readonly after?: Json;
}

export interface Revision {
  readonly revision: number;
  readonly time: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly name: string | null;
  readonly change_count: number;
  /** In the list of all revisions: the first of its changes. */
  readonly changes?: readonly ChangedThing[];
  /** In the history of one thing; null: not kept any more. */
  readonly operation?: ChangedThing['operation'];
  readonly differences?: readonly Difference[] | null;
}

export interface RevisionList {
  readonly _embedded: { readonly revisions: readonly (Revision & JsonObject)[] };
}

export interface Reversal {
  readonly reverted: number;
  readonly changes: readonly (ChangedThing & { readonly differences: readonly Difference[] })[];
  readonly left_out: readonly { readonly resource: string | null; readonly id: string | null; readonly message: string }[];
}
