// The facts of the embedded database for a support bundle, over a connection that only reads, whether the server runs or not.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { nextSlice } from '../../../kit/concurrency/time-slices.ts';
import { type DatabaseSize, type SupportFacts, supportFacts } from '../../readers/support-facts.ts';

const BUSY_MS = 5000;

/** Undefined: there is no such file. */
export async function readSupportFacts(path: string): Promise<SupportFacts | undefined> {
  if (!existsSync(path)) return undefined;
  using database = new DatabaseSync(path, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  return await supportFacts(sizeOf(database), async (sql) => {
    const rows = database.prepare(sql).all();
    // Other requests come between two questions.
    await nextSlice();
    return rows;
  });
}

/** Counting would read whole tables: the highest number of a row is known at once, and no less. */
function sizeOf(database: DatabaseSync): DatabaseSize {
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
  const names = database.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name").all();
  const tables = names.map(({ name }) => ({ table: String(name), rows: number(`select max(rowid) from "${name}"`), bytes: null }));
  const version = database.prepare('select sqlite_version() as version').get()?.version;
  return { engine: `SQLite ${version}`, bytes: number('PRAGMA page_count') * number('PRAGMA page_size'), tables };
}
