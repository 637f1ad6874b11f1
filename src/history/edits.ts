// What a draft changes, entity by entity, in words.
import type { Draft, Edit } from '../config/draft.ts';
import { shownEtag } from '../config/shown.ts';
import { addressOf, resourceName } from '../shape/resource.ts';
import type { FieldChange } from './difference/difference.ts';
import { difference } from './difference/entity-difference.ts';

export interface ChangedByEdit {
  /** The kind, as addresses about the history have it. */
  readonly resource: string;
  /** What stands for it in addresses; empty where there is only one. */
  readonly id: string;
  readonly operation: Edit['operation'];
  /** The ETag it has then; absent: it is gone. */
  readonly etag?: string;
  /** Field by field; of secrets it is only told that they change. */
  readonly differences: readonly FieldChange[];
}

export function realEdits(edits: readonly Edit[]): Edit[] {
  return edits.filter((edit) => edit.before !== edit.after);
}

/** Those that change nothing are left out. The tags are those that answers show in this draft. */
export function changesBy(edits: readonly Edit[], { seen }: Pick<Draft, 'seen'>): ChangedByEdit[] {
  return realEdits(edits).map(({ kind, operation, before, after }) => ({
    resource: resourceName(kind),
    id: kind.shape === 'singleton' ? '' : addressOf(kind, (after ?? before)!.value),
    operation,
    ...(after && { etag: shownEtag(kind, after, seen) }),
    differences: difference(kind, before?.value, after?.value).changes,
  }));
}
