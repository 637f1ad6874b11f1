// The thread that writes very many statements in one transaction.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Batch, ToWriter } from './write-beside.ts';

const port = parentPort!;
const batches: Batch[] = [];

port.on('message', (message: ToWriter) => {
  // Nothing is begun before everything is here: others that want to write wait for the end of it.
  if ('batch' in message) {
    batches.push(message.batch);
    return;
  }
  const database = new DatabaseSync(workerData as string);
  write(database);
  port.postMessage('written');
  moveLogIntoFile(database);
  database.close();
  port.close();
});

function write(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000; PRAGMA wal_autocheckpoint = 0');
  const prepared = new Map<string, StatementSync>();
  database.exec('BEGIN IMMEDIATE');
  for (const { sql, parameters } of batches.flat()) {
    prepared.getOrInsertComputed(sql, () => database.prepare(sql)).run(...(parameters as SQLInputValue[]));
  }
  database.exec('COMMIT');
}

/** Here, and not in the next commit of the server, which would take the longer for it. */
function moveLogIntoFile(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // What is written is written; the server tries again.
  }
}
