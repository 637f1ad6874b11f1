// Which document each revision gave: its own small database, written only by the thread that follows the change log.
import { DatabaseSync } from 'node:sqlite';

export interface IndexedRevision {
  readonly revision: number;
  /** The MD5 of the document. */
  readonly md5: string;
  /** The git objects that hold it. */
  readonly blob: string;
  readonly commit: string;
}

export interface HistoryIndex {
  last(): IndexedRevision | undefined;
  findByMd5(md5: string): IndexedRevision | undefined;
  findByRevision(revision: number): IndexedRevision | undefined;
  /** All of them are on disk when it returns, or none. */
  add(revisions: readonly IndexedRevision[]): void;
  clear(): void;
  close(): void;
}

const ROW = 'select revision, md5, blob, commit_id as "commit" from indexed';

/** The newest revision of an index to which the server may be writing. */
export function lastIndexed(path: string): IndexedRevision | undefined {
  const index = new DatabaseSync(path, { readOnly: true });
  try {
    return index.prepare(`${ROW} order by revision desc limit 1`).get() as IndexedRevision | undefined;
  } finally {
    index.close();
  }
}

export function openHistoryIndex(path: string): HistoryIndex {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(`create table if not exists indexed
    (revision integer primary key, md5 text not null, blob text not null, commit_id text not null) strict`);
  database.exec('create index if not exists indexed_md5 on indexed (md5)');
  const last = database.prepare(`${ROW} order by revision desc limit 1`);
  const byMd5 = database.prepare(`${ROW} where md5 = ? order by revision desc limit 1`);
  const byRevision = database.prepare(`${ROW} where revision = ?`);
  const insert = database.prepare('insert into indexed (revision, md5, blob, commit_id) values (?, ?, ?, ?)');
  const found = (row: unknown) => row as IndexedRevision | undefined;
  return {
    last: () => found(last.get()),
    findByMd5: (md5) => found(byMd5.get(md5)),
    findByRevision: (revision) => found(byRevision.get(revision)),
    add: (revisions) => {
      database.exec('begin immediate');
      try {
        for (const { revision, md5, blob, commit } of revisions) insert.run(revision, md5, blob, commit);
        database.exec('commit');
      } catch (failure) {
        if (database.isTransaction) database.exec('rollback');
        throw failure;
      }
    },
    clear: () => database.exec('delete from indexed'),
    close: () => database.close(),
  };
}
