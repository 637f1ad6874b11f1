// The writes of other servers since this one looked last.
import type { ChangeRow, RevisionRow } from './rows/configuration.ts';
import type { EventRow } from './rows/events.ts';
import type { Tables } from './tables.ts';

export type TableName = keyof Tables;

/** Without `before`: the server that reads this has the former value in memory. */
export type WrittenChange = Readonly<Omit<ChangeRow, 'before'>>;

export interface WrittenRevision extends Readonly<RevisionRow> {
  readonly changes: readonly WrittenChange[];
}

export interface RemoteWrites {
  /** Oldest first, without gaps. */
  readonly revisions: readonly WrittenRevision[];
  /** Oldest first, without gaps. */
  readonly events: readonly Readonly<EventRow>[];
  /** The tables in which something was written. */
  readonly touched: ReadonlySet<TableName>;
}
