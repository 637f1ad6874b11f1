// A server that does not fit to a database, or to the others on it, refuses to start with a sentence, and leaves everything as it is.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
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

test('one with another key', async () => {
  const before = await sharedState();
  const incompatible = await replicas.prepare({ flags: ['--cipher-key-file', replicas.writeKey('other.key')] });
  await assert.rejects(
    incompatible.start(),
    /could not start\. The key file \S+ is not the one with which the secrets of this server were encrypted/,
  );
  assert.deepEqual(await sharedState(), before);
});

test('one with other plugins', async () => {
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

test('one that is older than the tables, also when it runs already', async () => {
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
  assert.match(running!.output, /a newer version has changed the tables of the database, so this server stops/);
  assert.deepEqual(await written(), before);
  assert.deepEqual(await replicas.rows.ask('select id from replicas'), [], 'it has said goodbye');
});
