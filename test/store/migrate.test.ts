// Migrations: each once, whole or not at all, and never backwards.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Migration, migrate, NEWEST_SCHEMA } from '../../src/store/migrate.ts';
import { newestSchema } from '../../src/store/newest-schema.ts';
import { openSqlite } from '../../src/store/sqlite.ts';

test('steps run once, a failing step leaves nothing behind, a newer schema is refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-migrate-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    let runs = 0;
    const first: Migration = async ({ schema }) => {
      runs++;
      await schema.createTable('one').addColumn('x', 'integer').execute();
    };
    const failing: Migration = async ({ schema }) => {
      await schema.createTable('two').addColumn('x', 'integer').execute();
      throw new Error('no');
    };
    await assert.rejects(migrate(database.query, [first, failing]), /no/);
    await migrate(database.query, [first]);
    assert.equal(runs, 1);
    const tables = (await database.query.introspection.getTables()).map(({ name }) => name);
    assert.ok(tables.includes('one') && !tables.includes('two'));
    await migrate(database.query, [first, async () => {}]);
    await assert.rejects(migrate(database.query, [first]), /schema 2, and this version of Slipway knows schemas up to 1/);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('statements written at once are all there or none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-store-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    await migrate(database.query);
    const add = (revision: number) =>
      database.query.insertInto('revisions').values({ revision, time: '', actor: '', token: null, address: null, reason: null }).compile();
    await assert.rejects(database.writeAtOnce([add(1), add(2), add(1)]));
    assert.deepEqual(await database.query.selectFrom('revisions').selectAll().execute(), []);
    await database.writeAtOnce([add(1), add(2)]);
    assert.equal((await database.query.selectFrom('revisions').selectAll().execute()).length, 2);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('there are as many migrations as files', () => {
  assert.equal(newestSchema(), NEWEST_SCHEMA);
});
