// The facts of a PostgreSQL database for a support bundle.
import { type DatabaseSize, type SupportFacts, supportFacts, type TableSize } from '../../readers/support-facts.ts';
import type { PostgresAddress } from '../connection.ts';
import { type Ask, Reader } from './reader.ts';

const TABLES = `select relname as table, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid)::bigint as bytes from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`;
const WHOLE = `select pg_database_size(current_database())::bigint as bytes, current_setting('server_version') as version`;

/** Undefined: there are no tables. */
export async function readSupportFacts(address: PostgresAddress): Promise<SupportFacts | undefined> {
  const reader = new Reader(address, 'slipway support bundle');
  try {
    return await reader.atOneMoment(async (ask) => {
      const size = await sizeOf(ask);
      return size.tables.length === 0 ? undefined : supportFacts(size, (sql) => ask<object>(sql, []));
    });
  } finally {
    await reader.close();
  }
}

async function sizeOf(ask: Ask): Promise<DatabaseSize> {
  const [whole] = await ask<{ readonly bytes: number | string; readonly version: string }>(WHOLE, []);
  const tables = await ask<TableSize>(TABLES, []);
  const plain = tables.map(({ table, rows, bytes }) => ({ table, rows: Number(rows), bytes: Number(bytes) }));
  return { engine: `PostgreSQL ${whole!.version}`, bytes: Number(whole!.bytes), tables: plain };
}
