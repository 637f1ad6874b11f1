// The disk of PostgreSQL runs full: what needs room is refused with 507 and administrators are notified, until there is room again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { smallDisk } from '../support/database/small-disk.ts';
import { TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const ENVIRONMENTS = '/api/admin/environments';
const DISK_MB = 48;
const MAX_WRITES = 300;
const FULL = 'The disk of the database is full, so nothing was written. Reading still works. Try again when there is more space.';
const REFUSED =
  'The disk of the database is full, so the server refuses everything that needs space. Reading still works. Try again when there is more space.';
const TITLE = 'Slipway Server has run out of database disk space. Scheduling has been stopped';

let postgres: Postgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

/** PostgreSQL would make it smaller where it can. */
const value = () => randomBytes(50_000).toString('base64');
const environment = (name: string) => ({ name, environment_variables: [{ name: 'A', value: value() }] });

/** A database whose tables have a small disk for themselves; its log is on another. */
async function databaseOn(folder: string): Promise<string> {
  const place = join(folder, 'tablespace');
  mkdirSync(place);
  chmodSync(folder, 0o755);
  execFileSync('chown', ['postgres', place]);
  const url = await postgres.createDatabase();
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  await connection.runOnce(`create tablespace small location '${place}'`);
  await connection.runOnce('create database small tablespace small template template0');
  await connection.close();
  return url.replace(/[^/]+$/, 'small');
}

async function startOn(context: TestContext, folder: string): Promise<TestServer> {
  const server = await TestServer.start({ 'database-url': await databaseOn(folder) });
  context.after(() => server.stop());
  return server;
}

test('a server whose PostgreSQL runs out of disk refuses what needs room, until there is room again', async (context) => {
  const folder = smallDisk(context, DISK_MB);
  if (!folder) return;
  const server = await startOn(context, folder);
  const reported = async () => {
    const { json } = await server.get('/api/server_health_messages');
    return (json as { readonly message: string; readonly level: string; readonly detail: string }[]).filter(
      ({ message }) => message === TITLE,
    );
  };
  const readiness = async () => (await server.get('/api/v1/ready')).status;
  assert.equal((await server.post(ENVIRONMENTS, environment('first'))).status, 200);
  const filler = join(folder, 'filler');
  assert.throws(() => writeFileSync(filler, Buffer.alloc(DISK_MB * 1024 * 1024)), /ENOSPC/);

  let accepted = 0;
  let refused = await server.post(ENVIRONMENTS, environment('n0'));
  while (refused.status === 200 && accepted < MAX_WRITES) refused = await server.post(ENVIRONMENTS, environment(`n${++accepted}`));
  assert.deepEqual([refused.status, refused.json.message], [507, FULL]);
  const again = await server.post(ENVIRONMENTS, { name: 'small' });
  assert.deepEqual([again.status, again.json.message, again.headers.get('retry-after')], [507, REFUSED, '60']);
  const [message, ...others] = await until('the health message', async () => ((await reported()).length > 0 ? reported() : undefined));
  assert.deepEqual([message!.level, others.length], ['ERROR', 0]);
  assert.match(message!.detail, /^The disk of the database server is full\. Make room there: /);
  // Reads go on, so load balancers keep the server, as they do when the disk of an embedded database is full.
  assert.equal(await readiness(), 200);
  assert.equal((await server.get(ENVIRONMENTS)).json._embedded.environments.length, accepted + 1);
  assert.doesNotMatch(server.log, /a fault of the server/);

  rmSync(filler);
  await until('the end of the health message', async () => (await reported()).length === 0);
  assert.equal((await server.post(ENVIRONMENTS, environment(`n${accepted}`))).status, 200);
  assert.equal(await readiness(), 200);
  for (const line of ['the disk of the database is full', 'the disk of the database has space again'])
    assert.equal(server.log.split(line).length - 1, 1, line);
});
