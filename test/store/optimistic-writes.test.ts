// Optimistic writes: a server that writes alone does without the lock, and writes of other servers in between are noticed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import { StaleDecision } from '../../src/store/write-order.ts';
import { type DatabaseServer, insertRevision, outcomeOf, revisionsIn, startDatabaseServer } from '../support/database/database-servers.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
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

/** A server whose first write has taken the lock, and which is known to be alone since then. */
async function serverThatWrites(url: string): Promise<DatabaseServer> {
  const server = await serverOn(url);
  await server.database.writeTransaction([insertRevision(server.database, 1)]);
  return server;
}

async function revisionsOn({ database }: DatabaseServer): Promise<number[]> {
  const rows = await database.query.selectFrom('revisions').select('revision').orderBy('revision').execute();
  return rows.map(({ revision }) => revision);
}

test('a server that has written a moment ago writes again without the lock, and times grow', async () => {
  const { database } = await serverOn(await postgres.createDatabase());
  const calls: boolean[] = [];
  const times: number[] = [];
  for (let number = 1; number <= 4; number++) {
    await database.serializedWithRetry(async (isExclusive) => {
      calls.push(isExclusive);
      times.push(database.now());
      await database.writeTransaction([insertRevision(database, number)]);
    });
  }
  assert.deepEqual(calls, [true, false, false, false]);
  assert.ok(
    times.every((time, at) => at === 0 || time > times[at - 1]!),
    JSON.stringify(times),
  );
  const head = await database.query.selectFrom('head').select(['commit', 'revision', 'time']).executeTakeFirstOrThrow();
  assert.deepEqual(head, { commit: 4, revision: 4, time: times.at(-1) });
});

test('work is done again with the newest rows if another server has written meanwhile', async () => {
  const url = await postgres.createDatabase();
  const [one, other] = [await serverThatWrites(url), await serverOn(url)];
  const calls: boolean[] = [];
  await one.database.serializedWithRetry(async (isExclusive) => {
    calls.push(isExclusive);
    if (!isExclusive) await other.database.writeTransaction([insertRevision(other.database, 2)]);
    assert.deepEqual(revisionsIn(one.remoteWrites), isExclusive ? [2] : []);
    await one.database.writeTransaction([insertRevision(one.database, isExclusive ? 3 : 2)]);
  });
  assert.deepEqual(calls, [false, true]);
  assert.deepEqual(await revisionsOn(one), [1, 2, 3]);
});

test('a server that wants the lock while it is free for the moment waits for the one that has taken it', async () => {
  const url = await postgres.createDatabase();
  const [one, other] = [await serverThatWrites(url), await serverOn(url)];
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  const others = other.database.serialized(async () => {
    locked();
    await isSent;
    await other.database.writeTransaction([insertRevision(other.database, 2)]);
  });
  await isLocked;
  const calls: boolean[] = [];
  await one.database.serializedWithRetry(async (isExclusive) => {
    calls.push(isExclusive);
    const writing = one.database.writeTransaction([insertRevision(one.database, isExclusive ? 3 : 2)]);
    sent();
    await writing;
  });
  await others;
  assert.deepEqual(calls, [false, true]);
  assert.deepEqual(await revisionsOn(one), [1, 2, 3]);
});

test('work that throws because its data may be old is done again with the lock', async () => {
  const { database } = await serverThatWrites(await postgres.createDatabase());
  const answer = await database.serializedWithRetry(async (isExclusive) => {
    if (!isExclusive) throw new StaleDecision();
    return 'certain';
  });
  assert.equal(answer, 'certain');
  await assert.rejects(
    database.serializedWithRetry(async () => database.writeTransaction([insertRevision(database, 1)])),
    { code: '23505' },
  );
  await database.writeTransaction([insertRevision(database, 2)]);
});

test('servers that count by memory never count one twice', async () => {
  const url = await postgres.createDatabase();
  const servers = [await serverOn(url), await serverOn(url), await serverOn(url)];
  const own = new Map(servers.map((server) => [server, 0]));
  const add = (server: DatabaseServer) =>
    server.database.serializedWithRetry(async () => {
      const next = Math.max(0, own.get(server)!, ...revisionsIn(server.remoteWrites)) + 1;
      await server.database.writeTransaction([insertRevision(server.database, next)]);
      own.set(server, next);
    });
  // Each for itself at first, so that it assumes to be alone, and then all at once.
  for (let count = 0; count < 3; count++) await add(servers[0]!);
  await Promise.all(servers.flatMap((server) => Array.from({ length: 20 }, () => add(server))));
  assert.deepEqual(
    await revisionsOn(servers[0]!),
    Array.from({ length: 63 }, (_, index) => index + 1),
  );
});

for (const [what, cut, expected] of [
  ['answers', 'swallowAnswers', 'written'],
  ['statements', 'swallow', 'unavailable'],
] as const) {
  test(`where the ${what} of a write without the lock are lost, the outcome is reported as it was`, async () => {
    const url = new URL(await postgres.createDatabase());
    const proxy = await startTcpProxy(postgres.port);
    try {
      const { database } = await serverThatWrites(Object.assign(new URL(url), { port: String(proxy.port) }).href);
      const witness = await serverOn(url.href);
      const outcome = outcomeOf(
        database.serializedWithRetry((isExclusive) => {
          assert.equal(isExclusive, false);
          proxy[cut]();
          return database.writeTransaction([insertRevision(database, 2)]);
        }),
      );
      await until('it is noticed', () => database.shared!.unavailableSince !== undefined);
      proxy.heal();
      proxy.reset();
      assert.equal(await outcome, expected);
      assert.deepEqual(await revisionsOn(witness), expected === 'written' ? [1, 2] : [1]);
      await until('it is back', () => database.shared!.unavailableSince === undefined);
      await database.writeTransaction([insertRevision(database, 3)]);
    } finally {
      await proxy.close();
    }
  });
}
