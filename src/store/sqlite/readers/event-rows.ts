// Reads the events of a database from beside the server: a connection of its own that only reads, and never for long.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { EventRows } from '../../readers/event-rows.ts';
import type { ChangeRow, RevisionNameRow, RevisionRow } from '../../rows/configuration.ts';
import type { EventRow } from '../../rows/events.ts';
import { stateRows } from './state-rows.ts';

const ROWS_AT_ONCE = 500;

/** Undefined: there is no such file. */
export function openEventRows(path: string): EventRows | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  const table = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  const exists = table.get('events') !== undefined;
  const newest = database.prepare(`select coalesce(max(revision), 0) as revision
    from (select max(revision) as revision from revisions union all select max(revision) from changes)`);
  const one = database.prepare('select * from revisions where revision = ?');
  const touched = database.prepare('select * from changes where revision = ? order by position');
  return {
    exists,
    newestRevision: async () => (newest.get() as { revision: number }).revision,
    revision: async (number) => one.get(number) as RevisionRow | undefined,
    changes: async (revision) => touched.all(revision) as unknown as ChangeRow[],
    async *all() {
      const some = database.prepare('select * from events where number > ? order by number limit ?');
      // Reads in several goes: one long open reading would keep the server from tidying up its log.
      for (let last = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = some.all(last, ROWS_AT_ONCE) as unknown as EventRow[];
        yield rows;
        if (rows.length < ROWS_AT_ONCE) return;
        last = rows.at(-1)!.number;
      }
    },
    async names() {
      if (!table.get('revision_names')) return { asOf: 0, rows: [] };
      // One reading, so that both are of the same moment.
      database.exec('BEGIN');
      try {
        const { last } = database.prepare('select coalesce(max(number), 0) as last from events').get() as { last: number };
        const rows = database.prepare('select * from revision_names order by revision').all() as unknown as RevisionNameRow[];
        return { asOf: last, rows };
      } finally {
        database.exec('COMMIT');
      }
    },
    states: () => stateRows(database),
    close: async () => database.close(),
  };
}
