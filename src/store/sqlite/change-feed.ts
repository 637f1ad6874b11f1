// Reads the change log from beside the server: a connection of its own that only reads, and never for long.
import { DatabaseSync } from 'node:sqlite';
import type { ChangeRow, EntityRow, RevisionRow } from '../rows/configuration.ts';

export interface LoggedRevision extends Readonly<RevisionRow> {
  readonly changes: readonly Readonly<ChangeRow>[];
}

export interface ChangeFeed {
  /** Visits all entities as they are now, and returns the revision that is. */
  now(visit: (entity: Readonly<EntityRow>) => void): number;
  /** Revisions after this one, oldest first. */
  after(revision: number, most: number): LoggedRevision[];
  /** What changed after this revision, newest first. */
  changesSince(revision: number): IterableIterator<Readonly<ChangeRow>>;
  close(): void;
}

export function openChangeFeed(path: string): ChangeFeed {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  const lastRevision = database.prepare('select coalesce(max(revision), 0) as revision from revisions');
  const entities = database.prepare('select * from entities');
  const revisions = database.prepare('select * from revisions where revision > ? order by revision limit ?');
  // Changes whose values were compacted say nothing of what the entity was.
  const changes = database.prepare(
    "select * from changes where revision > ? and revision <= ? and (after is not null or operation = 'delete') order by revision, position",
  );
  const since = database.prepare(
    "select * from changes where revision > ? and (before is not null or operation = 'create') order by revision desc, position desc",
  );
  /** One view of the database for several statements. */
  const together = <T>(read: () => T): T => {
    database.exec('begin');
    try {
      return read();
    } finally {
      database.exec('commit');
    }
  };
  return {
    now: (visit) =>
      together(() => {
        for (const entity of entities.iterate()) visit(entity as unknown as EntityRow);
        return (lastRevision.get() as { revision: number }).revision;
      }),
    after: (revision, most) =>
      together(() => {
        const found = revisions.all(revision, most) as unknown as RevisionRow[];
        if (found.length === 0) return [];
        const rows = changes.all(revision, found.at(-1)!.revision) as unknown as ChangeRow[];
        const byRevision = Map.groupBy(rows, (row) => row.revision);
        return found.map((one) => ({ ...one, changes: byRevision.get(one.revision) ?? [] }));
      }),
    changesSince: (revision) => since.iterate(revision) as IterableIterator<ChangeRow>,
    close: () => database.close(),
  };
}
