// Reads the change log from beside the server: a connection of its own that only reads, and never for long.
import { DatabaseSync } from 'node:sqlite';
import type { ChangeFeed } from '../../readers/change-feed.ts';
import type { ChangeRow, EntityRow, RevisionRow } from '../../rows/configuration.ts';

const CHANGES_AT_ONCE = 500;

export function openChangeFeed(path: string): ChangeFeed {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  const lastRevision = database.prepare('select coalesce(max(revision), 0) as revision from revisions');
  const entities = database.prepare('select * from entities');
  const revisions = database.prepare('select * from revisions where revision > ? order by revision limit ?');
  // Compacted changes, which lack the value of the entity, are left out.
  const changes = database.prepare(
    "select * from changes where revision > ? and revision <= ? and (after is not null or operation = 'delete') order by revision, position",
  );
  const since = database.prepare(
    `select * from changes where revision > ? and (revision, position) < (?, ?) and (before is not null or operation = 'create')
    order by revision desc, position desc limit ?`,
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
    now: async (visit) =>
      together(() => {
        for (const entity of entities.iterate()) visit(entity as unknown as EntityRow);
        return (lastRevision.get() as { revision: number }).revision;
      }),
    after: async (revision, limit) =>
      together(() => {
        const found = revisions.all(revision, limit) as unknown as RevisionRow[];
        if (found.length === 0) return [];
        const rows = changes.all(revision, found.at(-1)!.revision) as unknown as ChangeRow[];
        const byRevision = Map.groupBy(rows, (row) => row.revision);
        return found.map((one) => ({ ...one, changes: byRevision.get(one.revision) ?? [] }));
      }),
    async *changesSince(revision) {
      // Reads in several goes: one long open reading would keep the server from tidying up its log.
      for (let last = { revision: Number.MAX_SAFE_INTEGER, position: 0 }; ; ) {
        const rows = since.all(revision, last.revision, last.position, CHANGES_AT_ONCE) as unknown as ChangeRow[];
        yield rows;
        if (rows.length < CHANGES_AT_ONCE) return;
        last = rows.at(-1)!;
      }
    },
    close: async () => database.close(),
  };
}
