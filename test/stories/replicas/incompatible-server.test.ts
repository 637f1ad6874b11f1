// A server that does not fit to a database, or to the others on it, refuses to start with a sentence, and leaves everything as it is.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { START_LOCK } from '../../../src/store/postgres/open.ts';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { Rows } from '../../support/database/postgres-rows.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { until } from '../../support/until.ts';

const PLUGIN = 'slipway.example.ini';
const EXAMPLES = join(import.meta.dirname, '..', '..', '..', 'examples', 'config-repo-plugin');
let postgres: Postgres;
let replicas: Replicas;

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 1);
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

async function sharedState(): Promise<unknown> {
  const head = await replicas.rows.ask('select * from head');
  const others = await replicas.rows.ask('select id, url from replicas');
  const keeper = await replicas.rows.ask('select holder, epoch from leases');
  const files = await replicas.rows.ask('select * from shared_files');
  return { head, others, keeper, files };
}

test('a server with another key is refused', async () => {
  const before = await sharedState();
  const incompatible = await replicas.prepare({ flags: ['--cipher-key-file', replicas.writeKey('other.key')] });
  await assert.rejects(
    incompatible.start(),
    /could not start\. The key file \S+ is not the one with which the secrets of this server were encrypted/,
  );
  assert.deepEqual(await sharedState(), before);
});

test('a server with other plugins is refused', async () => {
  const before = await sharedState();
  const incompatible = await replicas.prepare();
  mkdirSync(join(incompatible.dataDir, 'plugins'));
  cpSync(join(EXAMPLES, PLUGIN), join(incompatible.dataDir, 'plugins', PLUGIN), { recursive: true });
  await assert.rejects(
    incompatible.start(),
    /could not start\. The server on \S+ \(http\S+\) has other plugins than this one\. All servers/,
  );
  assert.deepEqual(await sharedState(), before);
  assert.equal((await replicas.all[0]!.post(ENVIRONMENTS, { name: 'still-there' })).status, 200);
});

/** Starts them on a new database so that each has looked at it before another has written. */
async function startTogether(prepare: (database: readonly string[]) => Promise<readonly Replica[]>): Promise<string[]> {
  const url = await postgres.createDatabase();
  const rows = new Rows(url);
  const waiting = "select from pg_locks where locktype = 'advisory' and objid = $1 and not granted";
  await rows.ask(`select pg_advisory_lock(${START_LOCK})`);
  const together = await prepare(['--database-url', url]);
  const starts = Promise.allSettled(together.map((replica) => replica.start()));
  await until('all wait', async () => (await rows.ask(waiting, [START_LOCK])).length === together.length);
  await rows.ask(`select pg_advisory_unlock(${START_LOCK})`);
  const ends = await starts;
  await rows.close();
  return ends.map((end) => (end.status === 'fulfilled' ? 'started' : String(end.reason)));
}

test('only one of two servers with different keys starts on a new database', async () => {
  const ends = await startTogether((database) =>
    Promise.all(
      ['first.key', 'second.key'].map((key) => replicas.prepare({ flags: [...database, '--cipher-key-file', replicas.writeKey(key)] })),
    ),
  );
  const refused = ends.filter((end) => end !== 'started');
  assert.equal(refused.length, 1, refused.join('\n'));
  assert.match(
    refused[0]!,
    /The key file \S+ is not the one .* All servers on one database need the same key: copy that of another server/,
  );
});

test('a server older than the tables is refused, also while it runs', async () => {
  const [running] = replicas.all;
  await replicas.rows.ask('update schema_version set version = version + 1');
  const written = () => replicas.rows.ask('select revision, event, event_hash from head');
  const before = await written();
  const incompatible = await replicas.prepare();
  await assert.rejects(
    incompatible.start(),
    /could not start\. The database has schema \d+, and this version of Slipway knows schemas up to/,
  );
  await until('the other stops', () => running!.hasEnded);
  assert.equal(running!.exitCode, 1, 'a supervisor starts it again');
  assert.match(running!.output, /a newer version has changed the tables of the database, so this server stops/);
  assert.deepEqual(await written(), before);
  assert.deepEqual(await replicas.rows.ask('select id from replicas'), [], 'it has said goodbye');
});
