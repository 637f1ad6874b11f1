// The facts of a PostgreSQL database, in numbers: the same as `sqlite/database-facts.ts` gives of an embedded one.
import { type DatabaseFacts, etagDigest } from '../facts.ts';
import type { Connection } from './connection.ts';

const LINES_AT_ONCE = 5000;

/** Within a transaction, so that all of it is of one moment. */
export async function factsOf(connection: Connection, tables: readonly string[]): Promise<DatabaseFacts> {
  const one = async (sql: string) => Number(((await connection.runOnce(sql)).rows[0] as { value: number } | undefined)?.value ?? 0);
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = await one(`select count(*) as value from "${table}"`);
  return {
    schema: await one('select version as value from schema_version'),
    revision: await one('select max(revision) as value from revisions'),
    tables: counts,
    etags: await etagsOf(connection),
  };
}

async function etagsOf(connection: Connection): Promise<string> {
  const etags = etagDigest();
  await connection.runOnce('declare etags no scroll cursor for select kind, key, etag from entities order by kind, key');
  for (;;) {
    const { rows } = await connection.runOnce(`fetch ${LINES_AT_ONCE} from etags`);
    for (const { kind, key, etag } of rows as readonly { kind: string; key: string; etag: string }[]) etags.add(kind, key, etag);
    if (rows.length < LINES_AT_ONCE) break;
  }
  await connection.runOnce('close etags');
  return etags.digest();
}
