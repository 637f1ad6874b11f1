// Reads all rows of all tables of an embedded database, for a copy of it.
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseFacts } from '../facts.ts';
import { countsOf, factsOf } from './database-facts.ts';

export type Value = string | number | bigint | null | Uint8Array;

export interface WholeTables {
  /** One after the other, each with its values in the order of the columns. */
  rows(table: string, columns: readonly string[]): Iterable<readonly Value[]>;
  /** The highest ids that were ever given, by table: none of them is given again. */
  highestIds(): ReadonlyMap<string, number>;
  /** The newest event, and the time of the newest revision. */
  ends(): Ends;
  facts(): DatabaseFacts;
  counts(): Omit<DatabaseFacts, 'etags'>;
  close(): void;
}

export interface Ends {
  readonly revisionTime: string | undefined;
  readonly event: { readonly number: number; readonly body: string; readonly hash: string } | undefined;
}

/** As they are now, without later writes. */
export function openWholeTables(path: string): WholeTables {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000; BEGIN');
  const one = <Row>(sql: string) => database.prepare(sql).get() as Row | undefined;
  return {
    rows(table, columns) {
      const statement = database.prepare(`select ${columns.map((name) => `"${name}"`).join(', ')} from "${table}"`);
      statement.setReturnArrays(true);
      return statement.iterate() as Iterable<unknown> as Iterable<readonly Value[]>;
    },
    highestIds: () => {
      const rows = database.prepare('select name, seq from sqlite_sequence').all() as { name: string; seq: number }[];
      return new Map(rows.map(({ name, seq }) => [name, seq]));
    },
    ends: () => ({
      revisionTime: one<{ time: string }>('select time from revisions order by revision desc limit 1')?.time,
      event: one<NonNullable<Ends['event']>>('select number, body, hash from events order by number desc limit 1'),
    }),
    facts: () => factsOf(database),
    counts: () => countsOf(database),
    close: () => database.close(),
  };
}
