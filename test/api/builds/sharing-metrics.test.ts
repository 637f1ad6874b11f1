// The figures of servers that share a database: which does the background work, how far each is behind, how long writes have waited.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

let postgres: Postgres;
let url: string;
let first: TestServer;
let second: TestServer;

before(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  first = await TestServer.start({ 'database-url': url });
  second = await TestServer.start({ 'database-url': url, 'cipher-key-file': join(first.dataDir, 'cipher.key') });
});
after(async () => {
  await second.stop();
  await first.stop();
  await postgres.stop();
});

async function metricsOf(server: TestServer): Promise<Record<string, number>> {
  const { text } = accepted(await server.get('/metrics', { accept: null }));
  const lines = text.split('\n').filter((line) => /^slipway_(replica|keeper|order)/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, value]) => [name!, Number(value)]));
}

test('each server reports its own figures', async () => {
  const [one, two] = [await metricsOf(first), await metricsOf(second)];
  assert.deepEqual([one.slipway_keeper, one.slipway_keeper_changes_total], [1, 1]);
  assert.deepEqual([two.slipway_keeper, two.slipway_keeper_changes_total], [0, 0]);
  assert.deepEqual([one.slipway_replica_lag_commits, two.slipway_replica_lag_commits], [0, 0]);
});

test('a write counts as waiting from the moment it asks for the order', async () => {
  const earlier = await metricsOf(second);
  const holder = await Connection.open({ url, password: undefined }, { name: 'holder' });
  await holder.runOnce('begin');
  await holder.runOnce('select from head for update');
  const writing = second.post('/api/admin/environments', { name: 'later' });
  await new Promise((resolve) => setTimeout(resolve, 400));
  await holder.runOnce('rollback');
  await holder.close();
  accepted(await writing);
  const now = await metricsOf(second);
  assert.ok(now.slipway_order_waits_total! > earlier.slipway_order_waits_total!);
  const seconds = now.slipway_order_wait_seconds_total! - earlier.slipway_order_wait_seconds_total!;
  assert.ok(seconds > 0.3, `${seconds} s`);
});

test('the metrics change when another server takes the work over', async () => {
  await first.restart(async () => {
    await until('the second one does the background work', async () => (await metricsOf(second)).slipway_keeper === 1);
  });
  // It is counted when all of the work has begun.
  await until('the change is counted', async () => (await metricsOf(second)).slipway_keeper_changes_total === 1);
  const { slipway_keeper, slipway_keeper_changes_total } = await metricsOf(first);
  assert.deepEqual([slipway_keeper, slipway_keeper_changes_total], [0, 0]);
});

test('a server with a database of its own has no metrics of sharing', async () => {
  const alone = await TestServer.start();
  try {
    const { text } = accepted(await alone.get('/metrics', { accept: null }));
    assert.match(text, /slipway_config_revision/);
    if (!process.env.TEST_DATABASE_URL) assert.doesNotMatch(text, /slipway_(?:replica|keeper|order)/);
  } finally {
    await alone.stop();
  }
});
