// Makes a new database file and fills it with rows from elsewhere. It is not synced: a caller that keeps it has to do that.
import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { DatabaseFacts } from '../facts.ts';
import { factsOf } from './database-facts.ts';

export interface NewFile {
  insert(table: string, columns: readonly string[], rows: readonly (readonly SQLInputValue[])[]): void;
  /** No id up to this one is given again. */
  setHighestId(table: string, id: number): void;
  facts(): DatabaseFacts;
  close(): void;
  /** Closes it and takes it away. */
  remove(): void;
}

/** The file must not be there yet. */
export function makeFile(path: string, statements: readonly string[]): NewFile {
  closeSync(openSync(path, 'wx', 0o600));
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  // A new file is deleted when this fails, so it needs no journal.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN');
  for (const statement of statements) database.exec(statement);
  return {
    insert: (table, columns, rows) => {
      const names = columns.map((name) => `"${name}"`).join(', ');
      const statement = database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`);
      for (const row of rows) statement.run(...row);
    },
    setHighestId: (table, id) => {
      database.prepare('delete from sqlite_sequence where name = ?').run(table);
      database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, id);
    },
    facts: () => factsOf(database),
    close: () => {
      database.exec('COMMIT');
      database.close();
    },
    remove: () => {
      database.close();
      rmSync(path, { force: true });
    },
  };
}
