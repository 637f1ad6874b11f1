// Reads the events of a database from beside the server: a connection of its own that only reads, and never for long.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ChangeRow, RevisionNameRow, RevisionRow } from '../rows/configuration.ts';
import type { EventRow } from '../rows/events.ts';
import { type StateRow, stateRows } from './state-rows.ts';

export interface EventRows {
  /** False: the database is from before there were events. */
  readonly isThere: boolean;
  /** By the revisions, or by the changes: both tables end with the same one. */
  newestRevision(): number;
  revision(number: number): Readonly<RevisionRow> | undefined;
  /** What a revision did, in its order. */
  changes(revision: number): readonly Readonly<ChangeRow>[];
  /** All of them in order; those that come while it reads, too. */
  all(): Iterable<Readonly<EventRow>>;
  /** The names of revisions, and the last event that can have told of them. */
  names(): { readonly asOf: number; readonly rows: readonly Readonly<RevisionNameRow>[] };
  /** Every entity that there is or ever was, one at a time. */
  states(): Iterable<StateRow>;
  close(): void;
}

const ROWS_AT_ONCE = 1000;

/** Undefined: there is no such file. */
export function openEventRows(path: string): EventRows | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  const table = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  const isThere = table.get('events') !== undefined;
  const newest = database.prepare(`select coalesce(max(revision), 0) as revision
    from (select max(revision) as revision from revisions union all select max(revision) from changes)`);
  const one = database.prepare('select * from revisions where revision = ?');
  const touched = database.prepare('select * from changes where revision = ? order by position');
  return {
    isThere,
    newestRevision: () => (newest.get() as { revision: number }).revision,
    revision: (number) => one.get(number) as RevisionRow | undefined,
    changes: (revision) => touched.all(revision) as unknown as ChangeRow[],
    *all() {
      const some = database.prepare('select * from events where number > ? order by number limit ?');
      // Not in one go: an open reading would keep the server from tidying up its log.
      for (let last = Number.MIN_SAFE_INTEGER; ; ) {
        const rows = some.all(last, ROWS_AT_ONCE) as unknown as EventRow[];
        yield* rows;
        if (rows.length < ROWS_AT_ONCE) return;
        last = rows.at(-1)!.number;
      }
    },
    names() {
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
    close: () => database.close(),
  };
}
