// One number for all that a revision did: what the change log says of it can be compared with its event.
import { sha256 } from '../kit/hash.ts';
import { etagOf } from '../shape/etag.ts';
import type { Entity } from '../shape/resource.ts';

export interface TouchedInShort {
  readonly operation: string;
  readonly kind: string;
  readonly key: string;
  /** The ETag it has since; null: it is gone. */
  readonly etag: string | null;
}

/** A change as the change log has it. */
export interface LoggedEntity {
  readonly operation: string;
  readonly kind: string;
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

export function digestOf(touched: readonly TouchedInShort[]): string {
  return sha256(JSON.stringify(touched.map(({ operation, kind, key, etag }) => [operation, kind, key, etag])));
}

/** Undefined: some of it is not kept any more. */
export function digestOfLogged(changes: readonly LoggedEntity[]): string | undefined {
  if (changes.some(isCompacted)) return undefined;
  return digestOf(changes.map(({ after, ...rest }) => ({ ...rest, etag: after === null ? null : etagOfText(after) })));
}

function isCompacted({ operation, before, after }: LoggedEntity): boolean {
  return (before === null && operation !== 'create') || (after === null && operation !== 'delete');
}

/** What cannot be read is not what was written. */
function etagOfText(value: string): string {
  try {
    return etagOf(JSON.parse(value) as Entity);
  } catch {
    return 'unreadable';
  }
}
