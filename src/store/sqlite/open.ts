// The embedded database: SQLite in write-ahead mode. A thread of its own writes, with every commit on disk before it is acknowledged;
// this one only reads, and never waits for a lock or for the disk to take a write.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, sql } from 'kysely';
import type { Database } from '../database.ts';
import { NEWEST_TABLES } from '../newest-schema.ts';
import type { Tables } from '../tables.ts';
import { timedCommits } from '../timed-commits.ts';
import { SINGLE_PROCESS } from '../write-order.ts';
import { copyBeforeMigration } from './copy-before-migration.ts';
import { SqliteThreadsDialect } from './waiting-dialect.ts';
import { Writer, type WriterLost } from './writer.ts';

export interface SqliteOptions {
  /** Called when nothing can be written any more, and the result of the last write is not known. */
  readonly onWriterLost?: (failure: WriterLost) => void;
}

const READS_ONLY = 'PRAGMA query_only = ON; PRAGMA busy_timeout = 0';
const MAY_WRITE = 'PRAGMA query_only = OFF; PRAGMA busy_timeout = 5000';

export function openSqlite(path: string, { onWriterLost = () => {} }: SqliteOptions = {}): Database {
  makePrivate(path);
  const reader = new DatabaseSync(path, { timeout: 5000 });
  // Changes of the schema at the start need not wait for the disk: the first commit after them does, for both.
  reader.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0');
  reader.exec(READS_ONLY);
  const writer = new Writer(path, onWriterLost);
  const openStream = () => new DatabaseSync(path, { readOnly: true });
  return {
    query: new Kysely<Tables>({ dialect: new SqliteThreadsDialect({ reader, writer, openStream }) }),
    ...timedCommits(async (statements) => void (await writer.write(statements, { isDurable: true, wantsResults: false }))),
    writeRelaxed: async (statements) => void (await writer.write(statements, { isDurable: false, wantsResults: false })),
    ...SINGLE_PROCESS,
    clock: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    // All at once, in the transaction that `query` has begun on the same connection: one by one takes four times as long.
    makeNewestTables: async () => reader.exec(NEWEST_TABLES.join(';\n')),
    shared: undefined,
    copyBeforeMigration: (schema) => copyBeforeMigration(path, schema, new Date()),
    changeSchema: async (work) => {
      reader.exec(MAY_WRITE);
      try {
        await work(new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKyselyExpects(reader) }) }));
      } finally {
        reader.exec(READS_ONLY);
      }
    },
    holdLog: () => {
      writer.holdLog(true);
      return { release: () => writer.holdLog(false) };
    },
    close: async () => {
      await writer.idle();
      // The last one to close moves the log into the file: that is left to the thread.
      reader.close();
      await writer.close();
    },
  };
}

/** A new database is for this user only, with any umask; SQLite gives the files beside it the same mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

/** kysely's dialect speaks to another SQLite driver; this gives it the few methods it calls. */
function asKyselyExpects(connection: DatabaseSync) {
  return {
    close: () => connection.close(),
    prepare: (sql: string) => {
      const statement = connection.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters: readonly unknown[]) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}
