// Writes revisions into a history until it is killed, and notes in a database of its own which are in it: for tests that kill it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { HistoryRepository } from '../../../src/kit/git/history.ts';
import { ChangingDocument } from '../configuration/changing-document.ts';

const CHUNKS = 40;
const CHUNK_LINES = 50;

export interface Note {
  readonly revision: number;
  readonly commit_id: string;
}

export function openNotes(directory: string): DatabaseSync {
  const database = new DatabaseSync(join(directory, 'notes.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('create table if not exists notes (revision integer primary key, commit_id text not null, blob text not null)');
  return database;
}

export function lastNote(database: DatabaseSync): Note | undefined {
  return database.prepare('select revision, commit_id from notes order by revision desc limit 1').get() as Note | undefined;
}

/** The document as it was after this revision. */
export function documentAt(revision: number): ChangingDocument {
  const document = new ChangingDocument(CHUNKS, CHUNK_LINES);
  for (let at = 0; at < revision; at++) document.next();
  return document;
}

if (import.meta.main) {
  const [directory = '', maxBatchSize = '', pauseMs = '0'] = process.argv.slice(2);
  const notes = openNotes(directory);
  const insert = notes.prepare('insert into notes values (?, ?, ?)');
  const repository = new HistoryRepository(join(directory, 'history.git'));
  const last = lastNote(notes);
  if (!repository.recover(last?.commit_id)) throw new Error('The history lost what was noted.');
  let revision = last?.revision ?? 0;
  const document = documentAt(revision);
  process.stdout.write('ready\n');
  for (;;) {
    const prepared = repository.prepare(document.many(1 + (revision % Number(maxBatchSize))));
    notes.exec('begin immediate');
    for (const { commit, blob } of prepared.results) insert.run(++revision, commit, blob);
    notes.exec('commit');
    prepared.publish();
    process.stdout.write(`${revision}\n`);
    await pause(Number(pauseMs));
  }
}
