// One number for all that a revision did: what the change log says of it can be compared with its event.
import { sha256 } from '../kit/bytes/hash.ts';
import { etagOf } from '../shape/json/etag.ts';
import type { Entity } from '../shape/resource.ts';
import type { ChangeRow } from '../store/rows/configuration.ts';

export interface TouchedInShort {
  readonly operation: string;
  readonly kind: string;
  readonly key: string;
  /** The ETag it has since; null: it is gone. */
  readonly etag: string | null;
}

/** What a revision did to one entity, as the change log has it. */
export type LoggedEntity = Readonly<Pick<ChangeRow, 'operation' | 'kind' | 'key' | 'before' | 'after'>>;

export function digestOf(touched: readonly TouchedInShort[]): string {
  return sha256(JSON.stringify(touched.map(({ operation, kind, key, etag }) => [operation, kind, key, etag])));
}

/** Undefined: some of what it is made from is not kept any more. */
export function digestOfLogged(changes: readonly LoggedEntity[]): string | undefined {
  if (!changes.every(isAfterKept)) return undefined;
  return digestOf(changes.map(({ after, ...rest }) => ({ ...rest, etag: after === null ? null : etagOfText(after) })));
}

/** Whether the change log still says what the entity became. */
export function isAfterKept({ operation, after }: Pick<LoggedEntity, 'operation' | 'after'>): boolean {
  return after !== null || operation === 'delete';
}

/** What cannot be read is not what was written. */
export function etagOfText(value: string): string {
  try {
    return etagOf(JSON.parse(value) as Entity);
  } catch {
    return 'unreadable';
  }
}
