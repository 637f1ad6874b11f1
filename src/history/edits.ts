// The changes of a draft, entity by entity, in words.
import type { Draft } from '../config/draft.ts';
import type { Edit } from '../config/edit.ts';
import { presentedEtag } from '../config/presentation.ts';
import { pause } from '../kit/concurrency/time-slices.ts';
import { addressOf, resourceName } from '../shape/resource.ts';
import type { FieldChange } from './difference/difference.ts';
import { changesBetween } from './difference/entity-difference.ts';

export interface ChangedByEdit {
  /** The kind, as addresses about the history have it. */
  readonly resource: string;
  /** Its id in addresses; empty where there is only one. */
  readonly id: string;
  /** The name that users know the entity by, where its id says little. */
  readonly label?: string;
  readonly operation: Edit['operation'];
  /** The ETag of the entity after the edit; absent: it was deleted, or is hidden. */
  readonly etag?: string;
  /** The changes, field by field; of secrets only that they change. */
  readonly differences: readonly FieldChange[];
  /** Whether the user may not see the entity: then there are no differences. */
  readonly is_hidden?: boolean;
}

export function realEdits(edits: readonly Edit[]): Edit[] {
  return edits.filter((edit) => edit.before !== edit.after);
}

/** No-op edits are left out. The ETags are those that answers show for this draft. Of hidden entities only the operation is shown. */
export async function changesBy(
  edits: readonly Edit[],
  { ruleView }: Pick<Draft, 'ruleView'>,
  isHidden: (edit: Edit) => boolean = () => false,
): Promise<ChangedByEdit[]> {
  // First: the other entities may change during a pause.
  const shown = realEdits(edits).map((edit) => {
    const { kind, operation, before, after } = edit;
    const id = kind.shape === 'singleton' ? '' : addressOf(kind, (after ?? before)!.value);
    const named = { resource: resourceName(kind), id, operation };
    if (isHidden(edit)) return { edit, named, isHidden: true };
    return { edit, named: { ...named, ...(after && { etag: presentedEtag(kind, after, ruleView) }) }, isHidden: false };
  });
  const changes: ChangedByEdit[] = [];
  for (const { edit, named, isHidden } of shown) {
    const { kind, before, after } = edit;
    await pause();
    if (isHidden) changes.push({ ...named, differences: [], is_hidden: true });
    else changes.push({ ...named, differences: await changesBetween(kind, before?.value, after?.value) });
  }
  return changes;
}
