// The thread that moves the write-ahead log into the file.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string);
try {
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA wal_checkpoint(PASSIVE)');
} finally {
  database.close();
}
