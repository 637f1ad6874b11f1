// Whether a PostgreSQL database can take all the data of an installation: what is asked of it, and what is said when it cannot.
import { databaseOf, describeAddress } from '../postgres/address.ts';
import type { Connection, PostgresAddress } from '../postgres/connection.ts';
import { creation } from '../postgres/trouble.ts';
import { CopyRefused, TargetNotEmpty } from './refused.ts';
import { POSTGRES_NAMES, quoted, VERSION_TABLE } from './tables.ts';

const OLDEST_VERSION = 150000;
const MAX_NAMED = 3;
const ANOTHER = 'Give the address of an empty one.';

interface Locale {
  readonly encoding: string;
  /** c: of the operating system, i: ICU, b: of PostgreSQL itself. */
  readonly provider: string;
  readonly collate: string;
  readonly ctype: string;
  /** Of those that are not of the operating system. */
  readonly locale: string | null;
}

const LOCALE = `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datcollate as collate, datctype as ctype,
  to_jsonb(d) ->> 'datlocale' as locale from pg_database as d where datname = current_database()`;

/** Without those of extensions. */
const TABLES = `select relname as name from pg_class as c where relkind in ('r', 'p', 'f') and relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e') order by relname`;

/** Refuses, or returns the tables of ours that are there and empty. */
export async function checkTarget(connection: Pick<Connection, 'runOnce'>, address: PostgresAddress): Promise<readonly string[]> {
  const what = describeAddress(address);
  const ask = async <Row>(sql: string) => (await connection.runOnce(sql)).rows as readonly Row[];
  const [version] = await ask<{ server_version_num: string; server_version: string }>(
    "select current_setting('server_version_num') as server_version_num, current_setting('server_version') as server_version",
  );
  if (Number(version!.server_version_num) < OLDEST_VERSION)
    throw new CopyRefused(`${what} is PostgreSQL ${version!.server_version}. Slipway needs PostgreSQL 15 or later.`);
  const [mode] = await ask<{ is_read: boolean }>(
    "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read",
  );
  if (mode!.is_read)
    throw new CopyRefused(`The database ${what} is read-only: it is a standby, or was set so. Give the address of the primary.`);
  const [locale] = await ask<Locale>(LOCALE);
  const problem = localeProblem(locale!, databaseOf(address.url));
  if (problem !== undefined) throw new CopyRefused(`The database ${what} ${problem}`);
  const [schema] = await ask<{ name: string | null }>('select current_schema() as name');
  if (schema!.name === null)
    throw new CopyRefused(`The user may not use a schema of the database ${what}: grant usage, create on schema public to …`);
  const names = (await ask<{ name: string }>(TABLES)).map(({ name }) => name);
  const strange = names.filter((name) => !POSTGRES_NAMES.includes(name));
  if (strange.length > 0) throw new CopyRefused(`The database ${what} holds tables of another program (${listed(strange)}). ${ANOTHER}`);
  const filled: string[] = [];
  for (const name of names) if ((await ask(firstRowOf(name))).length > 0) filled.push(name);
  if (filled.length > 0) throw new TargetNotEmpty(`The database ${what} is not empty: there are rows in ${listed(filled)}. ${ANOTHER}`);
  return names;
}

/** What is wrong with how it keeps and compares texts; undefined: it does as SQLite does, by their bytes. */
export function localeProblem({ encoding, provider, collate, ctype, locale }: Locale, database: string): string | undefined {
  const how = `Create it as: ${creation(database)}`;
  if (encoding !== 'UTF8') return `keeps texts as ${encoding}, and Slipway needs UTF8. ${how}`;
  const isPlain = (name: string | null) => name === 'C' || name === 'POSIX';
  const isByBytes = provider === 'b' ? isPlain(locale) : provider === 'c' && isPlain(collate) && isPlain(ctype);
  const found = provider === 'c' ? (isPlain(collate) ? ctype : collate) : (locale ?? 'ICU');
  return isByBytes ? undefined : `compares texts by ${found}, and Slipway needs C. ${how}`;
}

/** A database that was only prepared has one row for its version, and one that says that nothing was written yet. */
function firstRowOf(name: string): string {
  const hasCome: Readonly<Record<string, string>> = { [VERSION_TABLE]: 'where false', head: 'where commit > 0' };
  return `select 1 from ${quoted(name)} ${hasCome[name] ?? ''} limit 1`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
}
