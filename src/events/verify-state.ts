// Whether the present configuration matches the change log. Values are never shown: there may be secrets in them.
import type { LastLogged, StateRow, StoredEntity } from '../store/readers/state-rows.ts';
import { etagOfText, hasStoredAfter } from './change-digest.ts';

/** The faults, row by row. */
export async function* stateFaults(pages: AsyncIterable<readonly StateRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) {
    for (const { kind, key, logged, stored } of rows) {
      const reason = faultBetween(logged, stored);
      if (reason !== undefined) yield `Table entities, kind ${kind}, key ${JSON.stringify(key)}: ${reason}`;
    }
  }
}

function faultBetween(logged: LastLogged | undefined, stored: StoredEntity | undefined): string | undefined {
  if (!logged) return 'it is there, and the change log knows nothing of it.';
  const { revision, operation, after, created } = logged;
  if (operation === 'delete') return stored && `it is there, and revision ${revision} deleted it.`;
  if (!stored) return `it is missing: its last change, in revision ${revision}, did not delete it.`;
  // The last value of an entity is never compacted.
  if (!hasStoredAfter(logged)) return `its value in the change log, of revision ${revision}, is missing.`;
  if (stored.revision !== revision) return `its revision is ${stored.revision}, and it was last changed in revision ${revision}.`;
  if (stored.value !== after) return `its value is not the one it got in revision ${revision}.`;
  if (stored.etag !== etagOfText(after!)) return 'its ETag is not the one of its value.';
  if (stored.created !== created) return `its place among its kind is ${stored.created}, and was ${created} in revision ${revision}.`;
  return undefined;
}
