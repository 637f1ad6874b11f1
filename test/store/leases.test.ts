// Leases on both engines, and the keeper that has one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Keeper } from '../../src/server/sharing/keeper.ts';
import type { Database } from '../../src/store/database.ts';
import { Leases } from '../../src/store/leases.ts';
import { migrate } from '../../src/store/migrate.ts';
import { LeaseLost } from '../../src/store/postgres/fence.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { until } from '../support/until.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-leases-'));
let postgres: Postgres;
const databases = new Map<string, Database>();

before(async () => {
  postgres = await startPostgres();
  databases.set('SQLite', openSqlite(join(directory, 'test.db')));
  databases.set('PostgreSQL', await openPostgres({ url: await postgres.createDatabase(), password: undefined }));
  for (const database of databases.values()) await migrate(database);
});

after(async () => {
  for (const database of databases.values()) await database.close();
  await postgres.stop();
  rmSync(directory, { recursive: true });
});

for (const engine of ['SQLite', 'PostgreSQL']) {
  describe(engine, () => {
    test('one server has a lease at a time, for as long as it renews it', async () => {
      const leases = new Leases(databases.get(engine)!);
      assert.equal((await leases.take('work', 'ann', 300))?.epoch, 1);
      assert.equal(await leases.take('work', 'bob', 300), undefined);
      assert.equal((await leases.take('work', 'ann', 300))?.epoch, 1);
      assert.equal(await leases.holder('work'), 'ann');
      await delay(350);
      assert.equal(await leases.holder('work'), undefined);
      const second = await leases.take('work', 'bob', 60_000);
      assert.equal(second?.epoch, 2);
      assert.equal(await leases.take('work', 'ann', 300), undefined);
      await leases.release(second!);
      assert.equal((await leases.take('work', 'ann', 300))?.epoch, 3);
    });

    test('one of many servers gets the lease that all take at the same moment', async () => {
      const leases = new Leases(databases.get(engine)!);
      const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => leases.take('race', `server ${index}`, 60_000)));
      assert.equal(taken.filter(Boolean).length, 1);
    });
  });
}

test('a server that has lost the lease writes nothing', async () => {
  const database = databases.get('PostgreSQL')!;
  const leases = new Leases(database);
  const lease = (await leases.take('fence', 'ann', 60_000))!;
  const fenced = database.shared!.fencedBy(() => lease);
  const pause = (key: string) => database.query.insertInto('pipeline_pauses').values({ key, cause: '', by: '', at: '' }).compile();
  await fenced.writeTransaction([pause('one')]);
  await fenced.writeRelaxed([pause('two')]);
  await fenced.query.updateTable('pipeline_pauses').set({ cause: 'x' }).execute();
  await leases.release(lease);
  await leases.take('fence', 'bob', 60_000);
  await assert.rejects(fenced.writeTransaction([pause('three')]), LeaseLost);
  await assert.rejects(fenced.writeRelaxed([pause('three')]), LeaseLost);
  await assert.rejects(fenced.query.deleteFrom('pipeline_pauses').execute(), LeaseLost);
  const rows = await fenced.query.selectFrom('pipeline_pauses').select('key').orderBy('key').execute();
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['one', 'two'],
  );
});

test('the work begins with the lease, ends with it, and goes on elsewhere', async () => {
  const leases = new Leases(databases.get('PostgreSQL')!);
  const steps: string[] = [];
  let isCut = false;
  const keeperNamed = (name: string) =>
    new Keeper({
      take: async (milliseconds) => {
        if (name === 'ann' && isCut) throw new Error('the database is away');
        return leases.take('keeper', name, milliseconds);
      },
      release: (lease) => leases.release(lease),
      start: async () => void steps.push(`${name} starts`),
      stop: async () => void steps.push(`${name} stops`),
      onChanged: () => {},
      onFailure: () => {},
    });
  const [ann, bob] = [keeperNamed('ann'), keeperNamed('bob')];
  await ann.start();
  await bob.start();
  assert.deepEqual([ann.isKeeper, bob.isKeeper], [true, false]);
  isCut = true;
  const began = performance.now();
  await until('the other takes over', () => bob.isKeeper);
  assert.ok(performance.now() - began < 7000);
  assert.equal(ann.isKeeper, false);
  assert.deepEqual(steps, ['ann starts', 'ann stops', 'bob starts'], 'never both');
  isCut = false;
  await bob.stop();
  await until('it comes back', () => ann.isKeeper);
  await ann.stop();
  assert.deepEqual(steps.slice(3), ['bob stops', 'ann starts', 'ann stops']);
});
