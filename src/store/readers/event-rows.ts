// Reads the events of a database from beside the server: only reads, and never for long.
import type { ChangeRow, RevisionNameRow, RevisionRow } from '../rows/configuration.ts';
import type { EventRow } from '../rows/events.ts';
import type { StateRow } from './state-rows.ts';

export interface EventRows {
  /** False: the database is from before there were events. */
  readonly exists: boolean;
  /** By the revisions, or by the changes: both tables end with the same one. */
  newestRevision(): Promise<number>;
  /** Asked for in their order, they cost least. */
  revision(number: number): Promise<Readonly<RevisionRow> | undefined>;
  /** The changes of a revision, in their order. Asked for in the order of the revisions, they cost least. */
  changes(revision: number): Promise<readonly Readonly<ChangeRow>[]>;
  /** All of them in order, in pages; those that come while it reads, too. */
  all(): AsyncIterable<readonly Readonly<EventRow>[]>;
  /** The names of revisions, and the last event that can have reported them. */
  names(): Promise<{ readonly asOf: number; readonly rows: readonly Readonly<RevisionNameRow>[] }>;
  /** Every entity that there is or ever was, in pages. */
  states(): AsyncIterable<readonly StateRow[]>;
  close(): Promise<void>;
}
