// The difference that a row of the change log records for one entity.
import type { Kind } from '../shape/resource.ts';
import { isCompacted } from '../store/revisions/compaction.ts';
import type { LoggedChange } from '../store/revisions/revision-log.ts';
import { type Difference, difference } from './difference/entity-difference.ts';
import { entityFrom } from './stored-value.ts';

/** Undefined: the values are not kept any more. */
export async function differenceOf(kind: Kind, change: LoggedChange): Promise<Difference | undefined> {
  if (isCompacted(change)) return undefined;
  const entity = (stored: string | null) => (stored === null ? undefined : entityFrom(kind, stored));
  return difference(kind, entity(change.before), entity(change.after));
}
