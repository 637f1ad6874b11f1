// How large a PostgreSQL database would be as a file of the embedded engine, roughly.
import { columnsByTable } from './columns.ts';
import { Connection, type PostgresAddress } from './connection.ts';
import { explainConnectFailure } from './connection-errors.ts';

const RELATIONS = `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`;

/** PostgreSQL compresses long texts, and SQLite does not: so both are counted, the bytes on disk and the bytes of the texts. */
export async function bytesAsFile(address: PostgresAddress): Promise<number> {
  const connection = await Connection.open(address, { name: 'slipway size' }).catch((failure: unknown) => {
    throw new Error(explainConnectFailure(failure, address), { cause: failure });
  });
  const one = async (sql: string) => Number(((await connection.runOnce(sql)).rows[0] as { readonly bytes: number }).bytes);
  try {
    let texts = 0;
    for (const [table, columns] of await columnsByTable(connection)) {
      const lengths = columns.filter(({ type }) => type === 'text').map(({ name }) => `coalesce(octet_length("${name}"), 0)`);
      if (lengths.length > 0) texts += await one(`select coalesce(sum(${lengths.join(' + ')}), 0) as bytes from "${table}"`);
    }
    return Math.max(texts, await one(RELATIONS));
  } finally {
    await connection.close();
  }
}
