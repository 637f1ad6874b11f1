// A database that answers and takes no writes, as after a failover to a standby: the server says so, and comes back by itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import type { Replica } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { until } from '../../support/until.ts';

const READY = '/api/v1/ready';
/** Only the server that does background work answers it. */
const OF_KEEPER = '/api/backups';
let postgres: Postgres;
let replicas: Replicas;
let server: Replica;

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 1);
  server = replicas.all[0]!;
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

const write = () => server.put(`${ENVIRONMENTS}/own`, { name: 'own' }, '*');

async function assertIsBack(): Promise<void> {
  await until('it is ready', async () => (await server.get(READY)).status === 200);
  await until('it writes', async () => (await write()).status === 200);
  await until('it does background work', async () => (await server.get(OF_KEEPER)).status === 200);
}

test('a database that was set read-only is reported, and the server comes back by itself', async () => {
  assert.equal((await server.post(ENVIRONMENTS, { name: 'own' })).status, 200);
  await replicas.rows.ask('alter system set default_transaction_read_only = on');
  await replicas.rows.ask('select pg_reload_conf()');
  try {
    const { json } = await until('it is not ready', async () => {
      const reply = await server.get(READY);
      return reply.status === 503 && reply;
    });
    assert.deepEqual(json, { ready: false, reason: 'The database is read-only.' });
    const read = await server.get(`${ENVIRONMENTS}/own`);
    assert.deepEqual([read.status, read.headers['x-svc-stale-ms']], [200, undefined]);
    assert.equal((await write()).status, 503);
    const message = 'The database is read-only, so no server can do background work. Try again in a moment.';
    await until('it does no background work', async () => (await server.get(OF_KEEPER)).status === 503);
    assert.deepEqual((await server.get(OF_KEEPER)).json, { message });
  } finally {
    await replicas.rows.ask('alter system reset default_transaction_read_only');
    await replicas.rows.ask('select pg_reload_conf()');
  }
  await assertIsBack();
});

test('a database that has become a standby is reported, and the server comes back by itself', async () => {
  await postgres.becomeStandby();
  await until('it is not ready', async () => (await server.get(READY)).status === 503);
  assert.equal((await write()).status, 503);
  await replicas.rows.ask('select pg_promote()');
  await assertIsBack();
});
