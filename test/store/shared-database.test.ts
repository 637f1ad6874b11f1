// Several servers on one PostgreSQL, seen from the store: one order of writes, no decision on old data, no wrong outcome reported.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import { Refusal } from '../../src/kit/refusal.ts';
import type { Database } from '../../src/store/database.ts';
import { type DatabaseServer, insertRevision, outcomeOf, revisionsIn, startDatabaseServer } from '../support/database/database-servers.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { Rows } from '../support/database/postgres-rows.ts';
import { withGrowingLimits } from '../support/patience.ts';
import { startTcpProxy } from '../support/services/tcp-proxy.ts';
import { until } from '../support/until.ts';

let postgres: Postgres;
const open: Database[] = [];

before(async () => {
  postgres = await startPostgres();
});

after(async () => {
  for (const database of open) await database.close();
  await postgres.stop();
});

async function serverOn(url: string): Promise<DatabaseServer> {
  const server = await startDatabaseServer(url);
  open.push(server.database);
  return server;
}

function pause(database: Database, key: string): CompiledQuery {
  return database.query.insertInto('pipeline_pauses').values({ key, cause: '', by: '', at: '' }).compile();
}

test('a server that writes in order has taken in the writes of others, and others hear of its own', async () => {
  const url = await postgres.createDatabase();
  const [one, other] = [await serverOn(url), await serverOn(url)];
  await one.database.writeTransaction([insertRevision(one.database, 1), pause(one.database, 'p')]);
  await other.database.serialized(async () => {
    assert.deepEqual(revisionsIn(other.remoteWrites), [1]);
    await other.database.writeTransaction([insertRevision(other.database, 2)]);
  });
  assert.deepEqual([...other.remoteWrites[0]!.touched].toSorted(), ['pipeline_pauses', 'revisions']);
  assert.equal(await one.database.shared!.refresh(), 'current');
  assert.deepEqual(revisionsIn(one.remoteWrites), [2]);
  assert.equal(one.reloads + other.reloads, 0);
});

test('work in order that counts by memory never counts one twice', async () => {
  const url = await postgres.createDatabase();
  const servers = [await serverOn(url), await serverOn(url), await serverOn(url)];
  const own = new Map(servers.map((server) => [server, 0]));
  const highest = (server: DatabaseServer) => Math.max(0, own.get(server)!, ...revisionsIn(server.remoteWrites));
  const add = (server: DatabaseServer) =>
    server.database.serialized(async () => {
      const next = highest(server) + 1;
      await server.database.writeTransaction([insertRevision(server.database, next)]);
      own.set(server, next);
    });
  await Promise.all(servers.flatMap((server) => Array.from({ length: 20 }, () => add(server))));
  const rows = await servers[0]!.database.query.selectFrom('revisions').select('revision').orderBy('revision').execute();
  assert.deepEqual(
    rows.map((row) => row.revision),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
});

test('a refusal in order writes nothing, and lets the next one go on', async () => {
  const server = await serverOn(await postgres.createDatabase());
  const { database } = server;
  await assert.rejects(
    database.serialized(async () => {
      throw new Refusal('stale', 'no');
    }),
    /no/,
  );
  await assert.rejects(database.writeTransaction([insertRevision(database, 1), insertRevision(database, 1)]), /duplicate/);
  await database.writeTransaction([insertRevision(database, 1)]);
  assert.equal((await database.query.selectFrom('head').select('commit').executeTakeFirstOrThrow()).commit, 1);
});

test('work inside of work is part of it, and a second write in it is one of its own', async () => {
  const { database } = await serverOn(await postgres.createDatabase());
  let background: Promise<void> | undefined;
  await database.serialized(() =>
    database.serialized(async () => {
      await database.writeTransaction([insertRevision(database, 1)]);
      background = database.serialized(() => database.writeTransaction([insertRevision(database, 3)]));
      await database.writeTransaction([insertRevision(database, 2)]);
    }),
  );
  await background;
  assert.equal((await database.query.selectFrom('head').select('commit').executeTakeFirstOrThrow()).commit, 3);
});

test('time in order never goes back, and is that of the database', async () => {
  const url = await postgres.createDatabase();
  const { database } = await serverOn(url);
  const ahead = Date.now() + 3_600_000;
  await database.query.updateTable('head').set({ time: ahead }).execute();
  const times: number[] = [];
  for (let count = 1; count <= 3; count++) {
    await database.serialized(async () => {
      times.push(database.now());
      await database.writeTransaction([insertRevision(database, count)]);
    });
  }
  assert.ok(times[0]! > ahead && times[1]! > times[0]! && times[2]! > times[1]!, JSON.stringify(times));
});

test('a commit whose answer is lost is reported as it ended', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  const through = Object.assign(new URL(url), { port: String(proxy.port) }).href;
  const { database } = await serverOn(through);
  const witness = await serverOn(url.href);
  try {
    await database.writeTransaction([insertRevision(database, 1)]);
    const written = database.serialized(() => {
      proxy.swallowAnswers();
      return database.writeTransaction([insertRevision(database, 2)]);
    });
    const settled = outcomeOf(written);
    await until('it is noticed', () => database.shared!.unavailableSince !== undefined);
    await assert.rejects(database.writeTransaction([insertRevision(database, 9)]), /cannot be reached/);
    proxy.heal();
    proxy.reset();
    assert.equal(await settled, 'written');
    await witness.database.shared!.refresh();
    assert.deepEqual(revisionsIn(witness.remoteWrites), [1, 2]);
    await until('it is back', () => database.shared!.unavailableSince === undefined);
    await database.writeTransaction([insertRevision(database, 3)]);
  } finally {
    await proxy.close();
  }
});

test('a commit that did not reach the database is refused, though part of it may be on its way', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  const { database } = await serverOn(Object.assign(new URL(url), { port: String(proxy.port) }).href);
  const witness = await serverOn(url.href);
  try {
    const written = database.serialized(() => {
      proxy.swallow();
      return database.writeTransaction([insertRevision(database, 1)]);
    });
    const settled = outcomeOf(written);
    await until('it is noticed', () => database.shared!.unavailableSince !== undefined);
    proxy.heal();
    assert.equal(await settled, 'unavailable');
    await witness.database.writeTransaction([insertRevision(witness.database, 1)]);
  } finally {
    await proxy.close();
  }
});

test('while the database does not answer, the server that does background work does not try to reach it for each read', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  const { database } = await serverOn(Object.assign(url, { port: String(proxy.port) }).href);
  const fenced = database.shared!.fencedBy(() => undefined);
  const read = () => fenced.query.selectFrom('pipeline_pauses').select('key').execute();
  assert.deepEqual(await read(), []);
  proxy.swallow();
  await until('it is noticed', () => database.shared!.unavailableSince !== undefined);
  try {
    await withGrowingLimits(async (factor) => {
      const began = performance.now();
      assert.equal(await outcomeOf(read()), 'unavailable');
      assert.ok(performance.now() - began < 500 * factor);
    });
  } finally {
    await proxy.close();
  }
});

test('a server that hangs while it decides lets the others go on', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  const hung = await serverOn(Object.assign(new URL(url), { port: String(proxy.port) }).href);
  const other = await serverOn(url.href);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const stuck = hung.database.serialized(async () => {
    proxy.swallow();
    await released;
    await hung.database.writeTransaction([insertRevision(hung.database, 1)]);
  });
  const outcome = outcomeOf(stuck);
  await delay(100);
  const began = performance.now();
  await other.database.writeTransaction([insertRevision(other.database, 1)]);
  assert.ok(performance.now() - began < 5000);
  release();
  proxy.heal();
  assert.equal(await outcome, 'unavailable');
  await proxy.close();
});

test('a database that has gone back in time is noticed, and memory is loaded anew', async () => {
  const url = await postgres.createDatabase();
  const [one, other] = [await serverOn(url), await serverOn(url)];
  const event = one.database.query.insertInto('events').values({ number: 1, body: '{}', hash: 'a' });
  await one.database.writeTransaction([event.compile()]);
  await other.database.shared!.refresh();
  await one.database.query.updateTable('events').set({ hash: 'b' }).execute();
  await until('it is loaded anew', () => other.reloads > 0);
});

test('after the database has gone back, a server knows no more than it has loaded anew, also when it has written before', async () => {
  const url = await postgres.createDatabase();
  const [one, other] = [await serverOn(url), await serverOn(url)];
  for (const number of [1, 2, 3]) await one.database.writeTransaction([insertRevision(one.database, number)]);
  const rows = new Rows(url);
  await rows.ask(`with commit as (delete from commits where number > 1), revision as (delete from revisions where revision > 1)
    update head set commit = 1, revision = 1`);
  await rows.close();
  await until('it is loaded anew', () => one.reloads > 0 && other.reloads > 0);
  const refused = one.database.serialized(async () => {
    throw new Refusal('stale', 'no');
  });
  await assert.rejects(refused, /no/);
  assert.equal(one.database.shared!.commit, 1);
  for (const number of [2, 3]) await other.database.writeTransaction([insertRevision(other.database, number)]);
  await one.database.shared!.refresh();
  assert.deepEqual(revisionsIn(one.remoteWrites), [2, 3]);
});

test('a commit that a crash of the database has undone is refused, also when another got the number of its transaction', async () => {
  const crashing = await startPostgres({ fsync: true });
  try {
    const url = await crashing.createDatabase();
    const [one, other] = [await serverOn(url), await serverOn(url)];
    await one.database.writeTransaction([insertRevision(one.database, 1)]);
    const written = one.database.serialized(async () => {
      await crashing.restart('immediate');
      await until('the other is back', () =>
        other.database.writeTransaction([insertRevision(other.database, 2)]).then(
          () => true,
          () => false,
        ),
      );
      for (let count = 0; count < 20; count++) await other.database.writeRelaxed([pause(other.database, `p${count}`)]);
      await one.database.writeTransaction([insertRevision(one.database, 3)]);
    });
    assert.equal(await outcomeOf(written), 'unavailable');
  } finally {
    for (const database of open.splice(-2)) await database.close();
    await crashing.stop();
  }
});
