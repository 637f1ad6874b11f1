// Whether a database can be used at all: checked before anything is made in it.
import { databaseOf, describeAddress } from './address.ts';
import type { Connection, PostgresAddress } from './connection.ts';
import { creation } from './connection-errors.ts';

/** The message gives the problem, and the remedy. */
export class UnusableDatabase extends Error {}

interface Locale {
  readonly encoding: string;
  /** c: of the operating system, i: ICU, b: of PostgreSQL itself. */
  readonly provider: string;
  readonly collate: string;
  readonly ctype: string;
  /** Of those that are not of the operating system. */
  readonly locale: string | null;
}

interface Facts extends Locale {
  readonly version: number;
  readonly version_text: string;
  readonly is_read_only: boolean;
  readonly schema: string | null;
}

/** Others keep the version of their tables under the same name. */
const VERSION_TABLE = 'schema_version';
/** In every database that servers share. */
const OUR_TABLE = 'head';
const OLDEST_VERSION = 150_000;

const FACTS = `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
  (pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on') as is_read_only, current_schema() as schema,
  pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datcollate as collate, datctype as ctype,
  to_jsonb(d) ->> 'datlocale' as locale from pg_database as d where datname = current_database()`;

/** Without those of extensions. */
const TABLES = `select relname as name from pg_class as c where relkind in ('r', 'p', 'f') and relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e') order by relname`;

/** The problem in a sentence; undefined: there is none. */
export async function problemWith(connection: Pick<Connection, 'runOnce'>, address: PostgresAddress): Promise<string | undefined> {
  const description = describeAddress(address);
  const { rows } = await connection.runOnce(FACTS);
  const { version, version_text, is_read_only, schema, ...locale } = rows[0] as Facts;
  if (version < OLDEST_VERSION) return `${description} is PostgreSQL ${version_text}. Slipway needs PostgreSQL 15 or later.`;
  if (is_read_only) return `The database ${description} is read-only: it is a standby, or was set so. Give the address of the primary.`;
  const problem = localeProblem(locale, databaseOf(address.url));
  if (problem !== undefined) return `The database ${description} ${problem}`;
  if (schema === null) return `The user may not use a schema of the database ${description}: grant usage, create on schema public to …`;
  return undefined;
}

/** In the schema that is used. */
export async function tableNames(connection: Pick<Connection, 'runOnce'>): Promise<string[]> {
  const { rows } = await connection.runOnce(TABLES);
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** The problem with its encoding or collation; undefined: it compares texts as SQLite does, by their bytes. */
export function localeProblem({ encoding, provider, collate, ctype, locale }: Locale, database: string): string | undefined {
  const how = `Create it as: ${creation(database)}`;
  if (encoding !== 'UTF8') return `keeps texts as ${encoding}, and Slipway needs UTF8. ${how}`;
  const isPlain = (name: string | null) => name === 'C' || name === 'POSIX';
  const isByBytes = provider === 'b' ? isPlain(locale) : provider === 'c' && isPlain(collate) && isPlain(ctype);
  const found = provider === 'c' ? (isPlain(collate) ? ctype : collate) : (locale ?? 'ICU');
  return isByBytes ? undefined : `compares texts by ${found}, and Slipway needs C. ${how}`;
}

/** For a server that starts on it. */
export async function mustBeUsable(connection: Connection, address: PostgresAddress): Promise<void> {
  const problem = await problemWith(connection, address);
  if (problem !== undefined) throw new UnusableDatabase(problem);
  const names = await tableNames(connection);
  const strange = names.find((name) => name !== VERSION_TABLE);
  const isOurs = names.includes(VERSION_TABLE) && names.includes(OUR_TABLE);
  if (strange !== undefined && !isOurs)
    throw new UnusableDatabase(
      `The database ${describeAddress(address)} holds tables of another program, such as ${strange}. Give Slipway a database of its own: ${creation('slipway')}`,
    );
}
