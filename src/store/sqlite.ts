// The embedded database: SQLite in write-ahead mode, every commit on disk before it is acknowledged.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

const MOST_PREPARED = 200;

export function openSqlite(path: string): Database {
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000');
  // Moving the log into the file takes milliseconds in a large one: less often than once in a hundred writes.
  raw.exec('PRAGMA wal_autocheckpoint = 4000');
  const prepare = preparer(raw);
  const run = ({ sql, parameters }: CompiledQuery) => prepare(sql).run(...(parameters as SQLInputValue[]));
  return {
    query: new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKyselyExpects(raw, prepare) }) }),
    // Promise.try turns a failing statement into a rejection; the statements themselves run without giving up the thread,
    // so no other statement can slip into this transaction.
    writeAtOnce: (statements) =>
      Promise.try(() => {
        run(BEGIN);
        try {
          for (const statement of statements) run(statement);
          run(COMMIT);
        } catch (failure) {
          if (raw.isTransaction) run(ROLLBACK);
          throw failure;
        }
      }),
    close: async () => raw.close(),
  };
}

const BEGIN = { sql: 'BEGIN IMMEDIATE', parameters: [] } as unknown as CompiledQuery;
const COMMIT = { sql: 'COMMIT', parameters: [] } as unknown as CompiledQuery;
const ROLLBACK = { sql: 'ROLLBACK', parameters: [] } as unknown as CompiledQuery;

function preparer(raw: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= MOST_PREPARED) prepared.clear();
    const statement = raw.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/** kysely's dialect speaks to another SQLite driver; this gives it the few methods it calls. */
function asKyselyExpects(raw: DatabaseSync, prepare: (sql: string) => StatementSync) {
  return {
    close: () => raw.close(),
    prepare: (sql: string) => {
      const statement = prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters: readonly unknown[]) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}
