// Whether a database can be used at all: told at the start, before anything is made in it.
import type { Connection, PostgresAddress } from './connection.ts';

const OLDEST_VERSION = 150_000;
const HOW_TO_CREATE = `Create it so: create database slipway encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0;`;

interface Facts {
  readonly version: number;
  readonly version_text: string;
  readonly encoding: string;
  readonly collation: string;
  readonly is_read_only: boolean;
  readonly has_ours: boolean;
  readonly foreign_table: string | null;
}

const FACTS = `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
  pg_encoding_to_char(encoding) as encoding, datcollate as collation,
  (pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on') as is_read_only,
  to_regclass('schema_version') is not null as has_ours,
  (select min(tablename) from pg_tables where schemaname = current_schema()) as foreign_table
  from pg_database where datname = current_database()`;

/** Throws an error with a sentence that says what to do. */
export async function mustBeUsable(_address: PostgresAddress, connect: (use: string) => Promise<Connection>): Promise<void> {
  const connection = await connect('checks');
  try {
    const { rows } = await connection.runOnce(FACTS);
    const problem = problemWith(rows[0] as Facts);
    if (problem !== undefined) throw new Error(problem);
  } finally {
    await connection.close();
  }
}

function problemWith(facts: Facts): string | undefined {
  const { version, version_text, encoding, collation, is_read_only, has_ours, foreign_table } = facts;
  if (version < OLDEST_VERSION) return `The database is PostgreSQL ${version_text}. Slipway needs 15 or later.`;
  if (encoding !== 'UTF8') return `The database has the encoding ${encoding}, and Slipway needs UTF8. ${HOW_TO_CREATE}`;
  if (collation !== 'C' && collation !== 'POSIX')
    return `The database sorts by the locale ${collation}, and Slipway needs C. ${HOW_TO_CREATE}`;
  if (is_read_only) return 'The database is read-only: it may be a standby. Give the address of the primary in SLIPWAY_DATABASE_URL.';
  if (!has_ours && foreign_table !== null)
    return `The database holds tables of something else, such as '${foreign_table}'. Give Slipway a database of its own. ${HOW_TO_CREATE}`;
  return undefined;
}
