// Reads the change log from beside the server: only reads, and never for long.
import type { ChangeRow, EntityRow, RevisionRow } from '../rows/configuration.ts';

export interface LoggedRevision extends Readonly<RevisionRow> {
  readonly changes: readonly Readonly<ChangeRow>[];
}

/** One call after the other. A call that fails leaves nothing behind: the next one begins anew. */
export interface ChangeFeed {
  /** Visits all entities as they are now, and returns the revision that is. */
  now(visit: (entity: Readonly<EntityRow>) => void): Promise<number>;
  /** Revisions after this one, oldest first. */
  after(revision: number, limit: number): Promise<readonly LoggedRevision[]>;
  /** The changes after this revision, newest first, in pages. */
  changesSince(revision: number): AsyncIterable<readonly Readonly<ChangeRow>[]>;
  close(): Promise<void>;
}
