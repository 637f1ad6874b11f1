// Copies an embedded database into an empty PostgreSQL: all of it in one transaction, compared before it is committed, or nothing.
import { countDifferences, type DatabaseFacts } from '../facts.ts';
import { migrate, NEWEST_SCHEMA } from '../migrate.ts';
import { describeAddress } from '../postgres/address.ts';
import { type Column, columnsByTable } from '../postgres/columns.ts';
import type { Connection, PostgresAddress } from '../postgres/connection.ts';
import { factsOf } from '../postgres/database-facts.ts';
import { POSTGRES_TABLES } from '../postgres/newest-schema.ts';
import { openSqlite } from '../sqlite/open.ts';
import { openWholeTables, type WholeTables } from '../sqlite/whole-tables.ts';
import { batchesOf } from './batches.ts';
import { headOf } from './head.ts';
import { CopyRefused } from './refused.ts';
import { inTransaction } from './session.ts';
import { COPIED_TABLES, MAKE_VERSION_TABLE, POSTGRES_NAMES, quoted } from './tables.ts';
import { checkTarget } from './target.ts';

/** Of the lock that keeps two copies into one database apart. */
const LOCK = 1_936_615_777;

export interface CopyToPostgres {
  /** The path of the embedded database. No server runs on it. */
  readonly from: string;
  readonly to: PostgresAddress;
  /** Called again and again, with how many of the rows of a table are copied. */
  onRows?(table: string, done: number, all: number): void;
}

export interface DatabaseCopy {
  /** How many rows each table has. */
  readonly tables: Readonly<Record<string, number>>;
  /** How many NUL characters, which PostgreSQL does not take, were replaced by U+FFFD. */
  readonly replaced: number;
}

/** Throws `CopyRefused` when the database cannot take it. */
export async function copyToPostgres({ from, to, onRows = () => {} }: CopyToPostgres): Promise<DatabaseCopy> {
  return inTransaction(to, 'read write', async (connection) => {
    const { rows } = await connection.runOnce(`select pg_try_advisory_xact_lock(${LOCK}) as is_ours`);
    if (!(rows[0] as { readonly is_ours: boolean }).is_ours)
      throw new CopyRefused(`Another copy into the database ${describeAddress(to)} is under way. Wait for its end.`);
    const before = await checkTarget(connection, to);
    // The file is migrated only now: a refused copy leaves it as it was.
    await migrateFile(from);
    const source = openWholeTables(from);
    try {
      await makeTables(connection, before);
      return await copyAll({ connection, source, onRows });
    } finally {
      source.close();
    }
  });
}

/** Refuses like `copyToPostgres`, and changes nothing. */
export async function checkCopyTo(address: PostgresAddress): Promise<void> {
  await inTransaction(address, 'read write', (connection) => checkTarget(connection, address));
}

/** Whether the database holds the same data as the file, and nothing was written to it since it was copied. */
export async function isCopyOf(from: string, address: PostgresAddress): Promise<boolean> {
  const source = openWholeTables(from);
  try {
    // Before a copy both have the newest tables.
    if (source.counts().schema !== NEWEST_SCHEMA) return false;
    return await inTransaction(address, 'read only', async (connection) => {
      const present = await columnsByTable(connection);
      if (!POSTGRES_NAMES.every((name) => present.has(name))) return false;
      const { rows } = await connection.runOnce('select commit, event_hash from head');
      const head = rows[0] as { readonly commit: number; readonly event_hash: string } | undefined;
      const wanted = headOf(source.ends(), 0);
      if (head?.commit !== wanted.commit || head.event_hash !== wanted.eventHash) return false;
      return differences(await factsOf(connection, COPIED_TABLES), source.facts()).length === 0;
    });
  } finally {
    source.close();
  }
}

/** As a server does at its start. */
async function migrateFile(path: string): Promise<void> {
  const database = openSqlite(path);
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

/** The tables that are there are empty, and may be of an older version. */
async function makeTables(connection: Connection, before: readonly string[]): Promise<void> {
  if (before.length > 0) await connection.runOnce(`drop table ${before.map(quoted).join(', ')}`);
  for (const statement of [...POSTGRES_TABLES, MAKE_VERSION_TABLE]) await connection.runOnce(statement);
  await connection.runOnce(`insert into schema_version values (${NEWEST_SCHEMA})`);
}

interface Parts {
  readonly connection: Connection;
  readonly source: WholeTables;
  readonly onRows: NonNullable<CopyToPostgres['onRows']>;
}

async function copyAll(parts: Parts): Promise<DatabaseCopy> {
  const { connection, source } = parts;
  const wanted = source.facts();
  const columns = await columnsByTable(connection);
  const highestIds = source.highestIds();
  let replaced = 0;
  for (const table of COPIED_TABLES) {
    const ofTable = columns.get(table)!;
    replaced += await copyTable(parts, table, ofTable, wanted.tables[table]!);
    for (const { name } of ofTable.filter(({ isIdentity }) => isIdentity)) await raise(connection, table, name, highestIds.get(table) ?? 0);
    await connection.runOnce(`analyze ${quoted(table)}`);
  }
  await fillHead(parts, wanted);
  const found = differences(await factsOf(connection, COPIED_TABLES), wanted);
  if (found.length > 0) throw new CopyRefused(`The copy is not what was copied: ${found.join(', ')}. Nothing was changed.`);
  return { tables: copiedOnly(wanted).tables, replaced };
}

async function copyTable({ connection, source, onRows }: Parts, table: string, columns: readonly Column[], all: number): Promise<number> {
  const names = columns.map(({ name }) => name);
  const lists = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const sql = `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) select * from unnest(${lists.join(', ')})`;
  let [done, replaced] = [0, 0];
  onRows(table, done, all);
  for (const batch of batchesOf(source.rows(table, names), columns)) {
    await connection.run({ sql, parameters: batch.columns });
    done += batch.rows;
    replaced += batch.replaced;
    onRows(table, done, all);
  }
  return replaced;
}

/** Ids that were given once are not given again, be it that their rows have gone. */
async function raise(connection: Connection, table: string, column: string, given: number): Promise<void> {
  const highest = `greatest(${given}, (select max(${quoted(column)}) from ${quoted(table)}))`;
  await connection.runOnce(`select setval(pg_get_serial_sequence('${quoted(table)}', '${column}'), ${highest}) where ${highest} > 0`);
}

async function fillHead({ connection, source }: Parts, { revision, tables }: DatabaseFacts): Promise<void> {
  const head = headOf(source.ends(), revision);
  await connection.run({
    sql: 'update head set commit = $1, revision = $2, event = $3, event_hash = $4, time = $5',
    parameters: [head.commit, head.revision, head.event, head.eventHash, head.time],
  });
  const touched = COPIED_TABLES.filter((table) => tables[table]! > 0);
  await connection.run({
    sql: 'insert into commits (number, revision, event, touched) values ($1, $2, $3, $4)',
    parameters: [head.commit, head.revision, head.event, touched.join(' ')],
  });
}

function differences(found: DatabaseFacts, wanted: DatabaseFacts): string[] {
  const isSame = found.etags === wanted.etags;
  return [...countDifferences(found, copiedOnly(wanted)), ...(isSame ? [] : ['the ETags of the entities are others'])];
}

function copiedOnly(facts: DatabaseFacts): DatabaseFacts {
  return { ...facts, tables: Object.fromEntries(COPIED_TABLES.map((table) => [table, facts.tables[table]!])) };
}
