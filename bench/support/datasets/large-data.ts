// A data directory whose database is large, as one is after years: its change log holds all that ever changed.
import { DatabaseSync } from 'node:sqlite';

const ROW_BYTES = 12_000;

/** Fills the change log of a server that does not run with changes that its history has seen already. */
export function growDatabase(path: string, bytes: number): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const insert = database.prepare(
    "insert into changes (revision, position, operation, kind, key, before, after, created) values (1, ?, 'update', 'artifactStores', ?, ?, ?, 0)",
  );
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(ROW_BYTES / 36 + 2);
  for (let position = 1000; position * ROW_BYTES < bytes + 1000 * ROW_BYTES; position++) {
    const text = letters.slice(position % 36, (position % 36) + ROW_BYTES / 2);
    insert.run(position, `filler-${position}`, text, text);
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
