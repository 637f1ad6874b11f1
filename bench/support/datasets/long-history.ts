// A server with an artifact store that was changed very many times.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ServerWithStore, startServerWithStore } from '../get-store.ts';
import type { Lab } from '../lab.ts';
import { historyCaughtUp } from './document.ts';

const STORE_KEY = 'release-bucket';

export interface LongHistory extends ServerWithStore {
  /** The revision that made the store. */
  readonly first: number;
}

/** The changes are written past the server, because so many would take minutes through it. In the end the store is as before. */
export async function startServerWithHistory(lab: Lab, revisions: number): Promise<LongHistory> {
  const dataDir = lab.newPath();
  const made = await startServerWithStore(lab, dataDir);
  await historyCaughtUp(made.url, lab.basic);
  await made.stop();
  const first = addRevisions(dataDir, revisions);
  const server = await lab.startServer(dataDir);
  return { ...server, bearer: made.bearer, etag: made.etag, first };
}

function addRevisions(dataDir: string, count: number): number {
  const database = new DatabaseSync(join(dataDir, 'slipway.db'));
  const { revision: first, value } = database
    .prepare("select revision, value from entities where kind = 'artifactStores' and key = ?")
    .get(STORE_KEY) as { revision: number; value: string };
  const valueAt = (number: number) => (number === count ? value : value.replace('eu-north-1', `eu-north-${number}`));
  const addRevision = database.prepare('insert into revisions (revision, time, actor, reason) values (?, ?, ?, ?)');
  const addChange = database.prepare(
    "insert into changes (revision, position, operation, kind, key, before, after, created) values (?, 0, 'update', 'artifactStores', ?, ?, ?, 1)",
  );
  database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
  for (let number = 1; number <= count; number++) {
    const time = new Date(Date.now() - (count - number) * 1000).toISOString();
    addRevision.run(first + number, time, number % 10 === 0 ? 'jez' : 'admin', `Change number ${number}`);
    addChange.run(first + number, STORE_KEY, valueAt(number - 1), valueAt(number));
  }
  database.prepare("update entities set revision = ? where kind = 'artifactStores' and key = ?").run(first + count, STORE_KEY);
  database.exec('COMMIT');
  database.close();
  indexRevisions(dataDir, first, count);
  return first;
}

/** Otherwise the server would write the document of each into its history, for minutes. */
function indexRevisions(dataDir: string, first: number, count: number): void {
  const index = new DatabaseSync(join(dataDir, 'history', 'index.db'));
  index.exec(`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into indexed (revision, md5, blob, commit_id)
    select ${first} + n, md5, blob, commit_id from numbers, indexed where revision = ${first}`);
  index.close();
}
