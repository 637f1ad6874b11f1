// One digest for all changes of a revision: its rows in the change log can be compared with its event.
import { sha256 } from '../kit/bytes/hash.ts';
import { etagOf } from '../shape/json/etag.ts';
import type { Entity } from '../shape/resource.ts';
import type { ChangeRow } from '../store/rows/configuration.ts';

export interface TouchedSummary {
  readonly operation: string;
  readonly kind: string;
  readonly key: string;
  /** The ETag it has since; null: it is gone. */
  readonly etag: string | null;
}

/** The change of one entity by a revision, as a row of the change log. */
export type LoggedEntity = Readonly<Pick<ChangeRow, 'operation' | 'kind' | 'key' | 'before' | 'after'>>;

export function digestOf(touched: readonly TouchedSummary[]): string {
  return sha256(JSON.stringify(touched.map(({ operation, kind, key, etag }) => [operation, kind, key, etag])));
}

/** Undefined: some of the values it is made from are not kept any more. */
export function digestOfLogged(changes: readonly LoggedEntity[]): string | undefined {
  if (!changes.every(hasStoredAfter)) return undefined;
  return digestOf(changes.map(({ after, ...rest }) => ({ ...rest, etag: after === null ? null : etagOfText(after) })));
}

/** Whether the change log still has the new value of the entity. */
export function hasStoredAfter({ operation, after }: Pick<LoggedEntity, 'operation' | 'after'>): boolean {
  return after !== null || operation === 'delete';
}

/** A value that is no JSON is not the one that was written. */
export function etagOfText(value: string): string {
  try {
    return etagOf(JSON.parse(value) as Entity);
  } catch {
    return 'unreadable';
  }
}
