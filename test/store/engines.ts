// Databases of both engines that tests fill with the same rows.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NEWEST_TABLES } from '../../src/store/newest-schema.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { POSTGRES_TABLES } from '../../src/store/postgres/newest-schema.ts';
import type { DatabaseSource } from '../../src/store/source.ts';
import type { Tables } from '../../src/store/tables.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { findProgram } from '../support/services/debian.ts';

type TableRow = Readonly<Record<string, string | number | null>>;

export interface TestDatabase {
  readonly source: DatabaseSource;
  insert(table: keyof Tables, rows: readonly object[]): Promise<void>;
  /** These become all rows of these tables, in one commit. A table comes after those that its rows refer to. */
  replace(tables: ReadonlyMap<keyof Tables, readonly object[]>): Promise<void>;
  /** Statements without parameters, as another client: they are committed when it returns, and it blocks this process meanwhile. */
  runAtOnce(sql: string): void;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A database with all tables and no rows. */
  create(): Promise<TestDatabase>;
  stop(): Promise<void>;
}

export function sqlite(): Engine {
  const create = async (): Promise<TestDatabase> => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-engines-'));
    const path = join(folder, 'slipway.db');
    const database = new DatabaseSync(path);
    database.exec(['PRAGMA journal_mode = WAL', ...NEWEST_TABLES].join(';\n'));
    return {
      source: { sqlite: path },
      insert: async (table, rows) => {
        database.exec('begin');
        for (const row of rows) insertInto(database, table, row as TableRow);
        database.exec('commit');
      },
      replace: async (tables) => {
        database.exec(['begin', ...emptying(tables)].join(';\n'));
        for (const [table, rows] of tables) for (const row of rows) insertInto(database, table, row as TableRow);
        database.exec('commit');
      },
      runAtOnce: (sql) => database.exec(sql),
      close: async () => {
        database.close();
        rmSync(folder, { recursive: true });
      },
    };
  };
  return { name: 'SQLite', create, stop: async () => {} };
}

function emptying(tables: ReadonlyMap<keyof Tables, unknown>): readonly string[] {
  return [...tables.keys()].reverse().map((table) => `delete from ${table}`);
}

function insertInto(database: DatabaseSync, table: string, row: TableRow): void {
  const columns = Object.keys(row);
  const placeholders = columns.map(() => '?');
  database.prepare(`insert into ${table} (${columns.join(', ')}) values (${placeholders.join(', ')})`).run(...Object.values(row));
}

export interface PostgresEngine extends Engine {
  readonly server: Postgres;
}

export async function postgres(): Promise<PostgresEngine> {
  const server = await startPostgres();
  const psql = (await findProgram('psql'))!;
  const create = async (): Promise<TestDatabase> => {
    const address = { url: await server.createDatabase(), password: undefined };
    const connection = await Connection.open(address, { name: 'test' });
    await connection.runOnce(POSTGRES_TABLES.join(';\n'));
    const insert = async (table: keyof Tables, rows: readonly object[]) => {
      const sql = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
      await connection.run({ sql, parameters: [JSON.stringify(rows)] });
    };
    return {
      source: { postgres: address },
      insert,
      replace: async (tables) => {
        await connection.runOnce(['begin', ...emptying(tables)].join(';\n'));
        for (const [table, rows] of tables) await insert(table, rows);
        await connection.runOnce('commit');
      },
      runAtOnce: (sql) => {
        const { status, stderr } = spawnSync(psql, [address.url, '--quiet', '--set=ON_ERROR_STOP=1', '-c', sql], { encoding: 'utf8' });
        if (status !== 0) throw new Error(stderr);
      },
      close: () => connection.close(),
    };
  };
  return { name: 'PostgreSQL', server, create, stop: () => server.stop() };
}
