// An embedded database as it is at one instant, beside a server that goes on writing: which bytes of which files are it.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The first `bytes` of a file. */
export interface SnapshotFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

export interface Snapshot {
  /** The files that together are the database, in a copy of any speed, until `close`. */
  readonly files: readonly SnapshotFile[];
  /** Reads their content. */
  readonly reader: DatabaseSync;
  /** Lets the log go back into the file, here and not in the next commit of the server, which would wait for it. */
  close(): void;
}

const MAX_ATTEMPTS = 1000;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Needs no help of the writer thread. As long as the transaction of the reader is open, SQLite neither starts the log anew nor moves
 * frames into the file that are not in the snapshot; and a page that is moved from the part of the log that belongs to the
 * snapshot is read from there, no matter which half of it the copy of the file holds. When all of the log is in the file already, the
 * reader needs no log: then it may be started anew, and the file stays as it is.
 *
 * A process that has a snapshot must not close any other handle to its files before it closes the snapshot: the locks of SQLite
 * would be gone with it.
 */
export function openSnapshot(path: string): Snapshot {
  const watch = new DatabaseSync(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    watch.exec('PRAGMA busy_timeout = 5000; PRAGMA wal_autocheckpoint = 0');
    reader.exec('PRAGMA busy_timeout = 5000');
    const bytesOfLog = beginTogether(watch, reader);
    const file = { path, name: basename(path), bytes: statSync(path).size };
    const log = { path: `${path}-wal`, name: `${basename(path)}-wal`, bytes: bytesOfLog };
    return {
      files: bytesOfLog === 0 ? [file] : [file, log],
      reader,
      close: () => {
        reader.close();
        watch.exec('PRAGMA wal_checkpoint(PASSIVE)');
        watch.close();
      },
    };
  } catch (failure) {
    reader.close();
    watch.close();
    throw failure;
  }
}

/** Begins the transaction of the reader at an instant at which the length of the log is known. */
function beginTogether(watch: DatabaseSync, reader: DatabaseSync): number {
  const version = () => (watch.prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = version();
    reader.exec('BEGIN');
    reader.prepare('select count(*) from sqlite_schema').get(); // a transaction begins with the first thing it reads
    const { log, checkpointed } = watch.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };
    if (version() === before) {
      const pageSize = (reader.prepare('PRAGMA page_size').get() as { page_size: number }).page_size;
      return log <= 0 || log === checkpointed ? 0 : LOG_HEADER_BYTES + log * (FRAME_HEADER_BYTES + pageSize);
    }
    reader.exec('COMMIT');
  }
  throw new Error('The database is written to so often that no snapshot could be taken.');
}
