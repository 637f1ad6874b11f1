// The log of commits keeps what some server may still need; one that comes back after longer loads everything anew.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteKnownCommits, KEPT_COMMITS } from '../../src/server/sharing/commit-retention.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { Rows } from '../support/database/postgres-rows.ts';

const COMMITS = 25_000;
const HOUR_MS = 3_600_000;
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint';
const signal = new AbortController().signal;

let postgres: Postgres;
let database: Database;
let rows: Rows;
let reloads = 0;

before(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  rows = new Rows(url);
  database = await openPostgres({ url, password: undefined });
  await migrate(database);
  // It knows the beginning, and does not follow.
  await database.shared!.loadFirst(async () => {});
  database.shared!.onRemoteWrites({ follow: async () => {}, reload: async () => void reloads++ });
  await rows.ask(`insert into commits select number, 0, 0, '' from generate_series(1, ${COMMITS}) as number`);
  await rows.ask('update head set commit = $1', [COMMITS]);
});

after(async () => {
  await database?.close();
  await rows?.close();
  await postgres?.stop();
});

async function addServer(id: string, commit: number, silentMs: number): Promise<void> {
  await rows.ask(
    `insert into replicas (id, url, host, version, plugins, started_at, seen_at, commit) values ($1, '', '', '', '', '', ${NOW} - $2, $3)`,
    [id, silentMs, commit],
  );
}

async function keptCommits(): Promise<unknown> {
  const [kept] = await rows.ask('select min(number) as first, max(number) as last, count(*) as count from commits');
  return kept;
}

test('commits that a running server does not know yet are kept', async () => {
  await addServer('behind', 3, 0);
  await deleteKnownCommits(database, signal);
  assert.deepEqual(await keptCommits(), { first: 1, last: COMMITS, count: COMMITS });
});

test('commits that all running servers know are deleted, except the last ones', async () => {
  await rows.ask('update replicas set commit = $1', [COMMITS - 500]);
  await addServer('gone', 7, 2 * HOUR_MS);
  await deleteKnownCommits(database, AbortSignal.abort());
  assert.deepEqual(await keptCommits(), { first: 1, last: COMMITS, count: COMMITS });
  await deleteKnownCommits(database, signal);
  const first = COMMITS - 500 - KEPT_COMMITS;
  assert.deepEqual(await keptCommits(), { first, last: COMMITS, count: COMMITS - first + 1 });
  await deleteKnownCommits(database, signal);
  assert.deepEqual(await keptCommits(), { first, last: COMMITS, count: COMMITS - first + 1 });
});

test('a server that lacks deleted commits loads everything anew', async () => {
  assert.equal(reloads, 0);
  await database.shared!.refresh();
  assert.equal(reloads, 1);
});
