// Copies a PostgreSQL database, as it is at one moment, into a new file of the embedded engine, while servers go on with it.
import { countDifferences } from '../facts.ts';
import { NEWEST_SCHEMA } from '../migrate.ts';
import { NEWEST_TABLES } from '../newest-schema.ts';
import { describeAddress } from '../postgres/address.ts';
import { type Column, columnsByTable } from '../postgres/columns.ts';
import type { Connection, PostgresAddress } from '../postgres/connection.ts';
import { factsOf } from '../postgres/database-facts.ts';
import { makeFile, type NewFile } from '../sqlite/new-file.ts';
import { nextPage } from './page-size.ts';
import { CopyRefused } from './refused.ts';
import { inTransaction } from './session.ts';
import { COPIED_TABLES, MAKE_VERSION_TABLE, quoted } from './tables.ts';

const FIRST_PAGE = 50;

export interface CopyToSqlite {
  readonly from: PostgresAddress;
  /** The path of a file that is not there yet. */
  readonly to: string;
}

/** Throws `CopyRefused` when the database cannot be read; then there is no file. */
export async function copyToSqlite({ from, to }: CopyToSqlite): Promise<void> {
  await inTransaction(from, 'read only', async (connection) => {
    await mustBeNewest(connection, from);
    const file = makeFile(to, [...NEWEST_TABLES, MAKE_VERSION_TABLE, `insert into schema_version values (${NEWEST_SCHEMA})`]);
    try {
      await copyAll(connection, file);
      file.close();
    } catch (failure) {
      file.remove();
      throw failure;
    }
  });
}

/** An older server meets a newer schema while servers are upgraded one after the other. */
async function mustBeNewest(connection: Connection, address: PostgresAddress): Promise<void> {
  const { rows } = await connection.runOnce("select to_regclass('schema_version') is not null as is_there");
  const exists = (rows[0] as { readonly is_there: boolean }).is_there;
  const found = exists ? (await connection.runOnce('select version from schema_version')).rows[0] : undefined;
  const version = (found as { readonly version: number } | undefined)?.version ?? 0;
  if (version === NEWEST_SCHEMA) return;
  throw new CopyRefused(
    `The database ${describeAddress(address)} has schema ${version}, and this version of Slipway copies schema ${NEWEST_SCHEMA}. Use the version that runs on it.`,
  );
}

async function copyAll(connection: Connection, file: NewFile): Promise<void> {
  const columns = await columnsByTable(connection);
  for (const table of COPIED_TABLES) {
    const ofTable = columns.get(table)!;
    await copyTable(connection, file, table, ofTable);
    for (const { name } of ofTable.filter(({ isIdentity }) => isIdentity)) {
      const highest = await highestId(connection, table, name);
      if (highest > 0) file.setHighestId(table, highest);
    }
  }
  const [found, { etags, ...wanted }] = [file.facts(), await factsOf(connection, COPIED_TABLES)];
  const tables = Object.fromEntries(COPIED_TABLES.map((table) => [table, found.tables[table]!]));
  const differences = countDifferences({ ...found, tables }, wanted);
  if (found.etags !== etags) differences.push('the ETags of the entities are others');
  if (differences.length > 0) throw new CopyRefused(`The copy is not what was copied: ${differences.join(', ')}.`);
}

async function copyTable(connection: Connection, file: NewFile, table: string, columns: readonly Column[]): Promise<void> {
  const names = columns.map(({ name }) => name);
  await connection.runOnce(`declare rows no scroll cursor for select ${names.map(quoted).join(', ')} from ${quoted(table)}`);
  for (let page = FIRST_PAGE; ; ) {
    const { rows } = await connection.runOnce(`fetch ${page} from rows`);
    const values = (rows as readonly Readonly<Record<string, string | number | null>>[]).map((row) => names.map((name) => row[name]!));
    file.insert(table, names, values);
    if (rows.length < page) break;
    page = nextPage(values);
  }
  await connection.runOnce('close rows');
}

/** The highest that was ever given, be it that its row has gone. */
async function highestId(connection: Connection, table: string, column: string): Promise<number> {
  const { rows } = await connection.runOnce(`select pg_get_serial_sequence('${quoted(table)}', '${column}') as sequence`);
  const { sequence } = rows[0] as { readonly sequence: string };
  const { rows: last } = await connection.runOnce(`select case when is_called then last_value else 0 end as id from ${sequence}`);
  return (last[0] as { readonly id: number }).id;
}
