// The embedded database: SQLite in write-ahead mode, every commit on disk before it is acknowledged.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type CompiledQuery, Kysely } from 'kysely';
import type { Database } from './database.ts';
import { explained, explainingFullDisk } from './full-disk.ts';
import { moveLogBeside } from './move-log.ts';
import { PatientDialect } from './patient-dialect.ts';
import type { Tables } from './tables.ts';
import { writeBeside } from './write-beside.ts';

const MOST_PREPARED = 200;
const MOST_ON_THIS_THREAD = 500;
const USUAL_LOG_PAGES = 4000;

export function openSqlite(path: string): Database {
  makePrivate(path);
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000');
  // Moving the log into the file takes milliseconds in a large one: less often than once in a hundred writes.
  const moveLogAfter = (pages: number) => raw.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  moveLogAfter(USUAL_LOG_PAGES);
  const prepare = preparer(raw);
  const run = ({ sql, parameters }: CompiledQuery) => prepare(sql).run(...(parameters as SQLInputValue[]));
  const writeNow = (statements: readonly CompiledQuery[]) => {
    run(BEGIN);
    try {
      for (const statement of statements) run(statement);
      run(COMMIT);
    } catch (failure) {
      if (raw.isTransaction) run(ROLLBACK);
      throw explained(failure);
    }
  };
  const noteNow = (statements: readonly CompiledQuery[]) => {
    raw.exec('PRAGMA synchronous = NORMAL');
    try {
      writeNow(statements);
    } finally {
      raw.exec('PRAGMA synchronous = FULL');
    }
  };
  /** A large write that is not done: SQLite would block this thread until it is. */
  let beside: Promise<void> | undefined;
  const threads = new Set<Promise<void>>();
  const waitedFor = (ended: Promise<void>) => {
    threads.add(ended);
    void ended.then(() => threads.delete(ended));
    return ended;
  };
  const inTurn = async (write: () => Promise<void> | void) => {
    while (beside) await beside;
    return write();
  };
  const writeMany = (statements: readonly CompiledQuery[]) => {
    const { written, ended } = writeBeside(path, statements);
    const done = () => {
      beside = undefined;
    };
    beside = written.then(done, done);
    void waitedFor(ended);
    return written;
  };
  // Promise.try turns a failing statement into a rejection; the statements themselves run without giving up the thread,
  // so no other statement can slip into this transaction.
  const writeBy = (writeHere: (statements: readonly CompiledQuery[]) => void, statements: readonly CompiledQuery[]) => {
    const write = statements.length > MOST_ON_THIS_THREAD ? writeMany : writeHere;
    return beside ? inTurn(() => write(statements)) : Promise.try(() => write(statements));
  };
  return {
    query: new Kysely<Tables>({
      dialect: new PatientDialect({ database: asKyselyExpects(raw, prepare) }, () => beside && inTurn(() => {})),
    }),
    writeAtOnce: (statements) => writeBy(writeNow, statements),
    noteAtOnce: (statements) => writeBy(noteNow, statements),
    holdLog: () => {
      moveLogAfter(0);
      return { release: () => moveLogAfter(USUAL_LOG_PAGES) };
    },
    moveLog: () => waitedFor(moveLogBeside(path)),
    close: async () => {
      await Promise.all(threads);
      raw.close();
    },
  };
}

/** A new database is for this user only, whatever the umask; SQLite gives the files beside it the same mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
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
        all: (parameters: readonly unknown[]) => explainingFullDisk(() => statement.all(...(parameters as SQLInputValue[]))),
        run: (parameters: readonly unknown[]) => explainingFullDisk(() => statement.run(...(parameters as SQLInputValue[]))),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
  };
}
