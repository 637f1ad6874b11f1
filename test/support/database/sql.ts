// Plain SQL on the database of a data directory, whichever engine keeps it. Parameters are written `?`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { databaseUrlOf } from './database.ts';

type Value = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

const FILES = ['slipway.db', 'slipway.db-wal'];

export async function rowsIn(dataDir: string, sql: string, ...parameters: readonly Value[]): Promise<readonly SqlRow[]> {
  const url = await databaseUrlOf(dataDir);
  if (url !== undefined) return withConnection(url, async (connection) => (await ask(connection, sql, parameters)) as readonly SqlRow[]);
  using database = new DatabaseSync(join(dataDir, FILES[0]!), { readOnly: true });
  return database.prepare(sql).all(...parameters);
}

/** Makes a change that no request makes: a server that runs on the database does not hear of it. */
export async function changeRows(dataDir: string, sql: string, ...parameters: readonly Value[]): Promise<void> {
  const url = await databaseUrlOf(dataDir);
  if (url !== undefined) return withConnection(url, async (connection) => void (await ask(connection, sql, parameters)));
  using database = new DatabaseSync(join(dataDir, FILES[0]!));
  database.prepare(sql).run(...parameters);
}

/** Whether a text is anywhere in it. */
export async function isStored(dataDir: string, text: string): Promise<boolean> {
  const url = await databaseUrlOf(dataDir);
  if (url === undefined) return FILES.some((name) => readFileSync(join(dataDir, name)).includes(text));
  return withConnection(url, async (connection) => {
    const { rows } = await connection.runOnce("select tablename as name from pg_tables where schemaname = 'public'");
    for (const { name } of rows as readonly { readonly name: string }[]) {
      const found = await ask(connection, `select 1 from ${name} as held where strpos(held::text, ?) > 0 limit 1`, [text]);
      if (found.length > 0) return true;
    }
    return false;
  });
}

async function ask(connection: Connection, sql: string, parameters: readonly Value[]): Promise<readonly unknown[]> {
  let count = 0;
  return (await connection.run({ sql: sql.replaceAll('?', () => `$${++count}`), parameters })).rows;
}

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
