// The database of the servers of tests: the embedded one, or with TEST_DATABASE=postgres one of a PostgreSQL that the run has started.
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { DatabaseSource } from '../../../src/store/source.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';

/** Set by the run. */
const SERVER = process.env.TEST_DATABASE_URL;
/** Whether the database is embedded, for tests of features that only the embedded one has. */
export const isEmbedded = SERVER === undefined;
export const ABOUT_EMBEDDED = { skip: !isEmbedded && 'about the embedded database' };

const ALREADY_THERE = '42P04';

const made = new Map<string, Promise<string>>();

/** The address of the database that belongs to a data directory; undefined: the embedded one. */
export async function databaseUrlOf(dataDir: string): Promise<string | undefined> {
  if (SERVER === undefined) return undefined;
  return made.getOrInsertComputed(resolve(dataDir), (path) => makeDatabase(SERVER, path));
}

/** The variables of the database for a program that is started. */
export async function databaseVariablesOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const url = await databaseUrlOf(dataDir);
  return url === undefined ? {} : { SLIPWAY_DATABASE_URL: url };
}

/** The source from which the database is read beside the server. */
export async function sourceOf(dataDir: string): Promise<DatabaseSource> {
  const url = await databaseUrlOf(dataDir);
  return url === undefined ? { sqlite: join(dataDir, 'slipway.db') } : { postgres: { url, password: undefined } };
}

/** A database without a server, with all tables: a file, or the PostgreSQL database of its path. */
export async function openTestDatabase(path: string): Promise<Database> {
  const url = await databaseUrlOf(path);
  const database = url === undefined ? openSqlite(path) : await openPostgres({ url, password: undefined });
  await migrate(database);
  await database.shared?.loadFirst(async () => {});
  return database;
}

/** Copies a data directory together with its database. Nothing may use either. */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  cpSync(from, to, { recursive: true });
  if (SERVER === undefined) return;
  made.set(resolve(to), makeDatabase(SERVER, resolve(to), `template ${nameOf(resolve(from))}`));
  await databaseUrlOf(to);
}

function nameOf(path: string): string {
  return `of_${createHash('sha256').update(path).digest('hex').slice(0, 24)}`;
}

/** Unless another process of the test has made it. */
async function makeDatabase(server: string, path: string, like = ''): Promise<string> {
  const name = nameOf(path);
  const connection = await Connection.open({ url: server, password: undefined }, { name: 'test' });
  try {
    await connection.runOnce(`create database ${name} ${like}`);
  } catch (failure) {
    if ((failure as { code?: unknown }).code !== ALREADY_THERE) throw failure;
  } finally {
    await connection.close();
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
