// A data directory of every earlier schema opens: its tables get the newest form, nothing in it is lost, and a copy from before is kept.
// TEST_SCHEMAS=all also starts a server on each of them, not only on a few.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { MIGRATIONS, migrate, NEWEST_SCHEMA } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { entriesOfTar } from '../../tools/release/tar.ts';
import { fixtureOf } from '../../tools/schema-fixtures.ts';
import { TestServer } from '../support/server/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-schemas-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const SCHEMAS = MIGRATIONS.map((_, index) => index + 1);
const STARTED = process.env.TEST_SCHEMAS === 'all' ? SCHEMAS : [1, 9, 18];
const COPIES = 'before-migration';

function unpack(schema: number, target = join(folder, String(schema))): string {
  mkdirSync(target, { recursive: true });
  for (const { name, content } of entriesOfTar(gunzipSync(readFileSync(fixtureOf(schema))))) writeFileSync(join(target, name), content);
  return target;
}

function read(path: string, sql: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const TABLES = "select name, sql from sqlite_master where name not like 'sqlite_%' order by name";
const ENTITIES = 'select kind, key, value from entities order by kind, key';
const schemaOf = (path: string) => read(path, 'select version from schema_version')[0]?.version;

test('there is a data directory of every schema', () => {
  const missing = SCHEMAS.filter((schema) => !existsSync(fixtureOf(schema)));
  assert.deepEqual(missing, [], 'node tools/schema-fixtures.ts writes them');
});

test('a data directory of any schema gets the newest tables, keeps its entities, and has a copy from before', async () => {
  const newest = join(unpack(NEWEST_SCHEMA), 'slipway.db');
  const normal = (rows: ReturnType<typeof read>) => rows.map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')]);
  for (const schema of SCHEMAS) {
    const directory = unpack(schema);
    const path = join(directory, 'slipway.db');
    const before = read(path, ENTITIES);
    assert.equal(schemaOf(path), schema);
    const database = openSqlite(path);
    const migrated = await migrate(database);
    await database.close();
    assert.deepEqual(normal(read(path, TABLES)), normal(read(newest, TABLES)), `schema ${schema}`);
    assert.deepEqual(read(path, ENTITIES), before);
    assert.ok(before.length >= 5);
    if (schema === NEWEST_SCHEMA) {
      assert.equal(migrated, undefined);
      assert.ok(!existsSync(join(directory, COPIES)), 'nothing is copied where nothing changes');
      continue;
    }
    const { from, to, copy = '' } = migrated!;
    assert.deepEqual([from, to, schemaOf(copy)], [schema, NEWEST_SCHEMA, schema]);
    assert.deepEqual(read(copy, ENTITIES), before);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
  }
});

test('the last three copies are kept, and one that cannot be made changes nothing', async () => {
  const directory = unpack(24, join(folder, 'copies'));
  const path = join(directory, 'slipway.db');
  const copies = join(directory, COPIES);
  mkdirSync(copies);
  for (const year of [2021, 2022, 2023, 2024]) writeFileSync(join(copies, `slipway-schema-3-${year}0101T000000Z.db`), '');
  writeFileSync(join(copies, 'mine.txt'), '');
  const database = openSqlite(path);
  await migrate(database);
  await database.close();
  const left = readdirSync(copies).toSorted();
  assert.deepEqual([left.length, left[0], left[1]], [4, 'mine.txt', 'slipway-schema-24-'.concat(left[1]!.slice(18))]);
  assert.ok(!left.includes('slipway-schema-3-20220101T000000Z.db'));

  const other = join(unpack(24, join(folder, 'no-copy')), 'slipway.db');
  writeFileSync(join(folder, 'no-copy', COPIES), 'a file where the folder should be');
  const refused = openSqlite(other);
  try {
    await assert.rejects(migrate(refused), /could not be copied to .* so nothing was changed\. E/);
  } finally {
    await refused.close();
  }
  assert.equal(schemaOf(other), 24);
});

test('a server starts on old data: logins, secrets and pipelines work', async () => {
  const server = await TestServer.startEmbedded();
  try {
    for (const schema of STARTED) {
      await server.restart(() => {
        rmSync(server.dataDir, { recursive: true });
        unpack(schema, server.dataDir);
      });
      const { status, json } = await server.get('/api/admin/pipelines/shop');
      assert.equal(status, 200, `schema ${schema}`);
      assert.match(json.materials[0].attributes.encrypted_password, /^v2:/);
      if (schema < NEWEST_SCHEMA) assert.match(server.log, new RegExp(`"from":${schema},"to":${NEWEST_SCHEMA},"copy":"`));
      const changed = await server.post('/api/admin/environments', { name: 'test' });
      assert.equal(changed.status, 200, changed.text);
    }
  } finally {
    await server.stop();
  }
});

test('the copy from before works with the earlier version, and the history is made anew', async () => {
  const server = await TestServer.startEmbedded();
  try {
    await server.restart(() => {
      rmSync(server.dataDir, { recursive: true });
      unpack(NEWEST_SCHEMA - 1, server.dataDir);
    });
    assert.equal((await server.post('/api/admin/environments', { name: 'test' })).status, 200);
    const copies = join(server.dataDir, COPIES);
    await server.restart(() => {
      for (const name of readdirSync(server.dataDir))
        if (/^slipway\.db|^history$/.test(name)) rmSync(join(server.dataDir, name), { recursive: true });
      writeFileSync(join(server.dataDir, 'slipway.db'), readFileSync(join(copies, readdirSync(copies)[0]!)));
    });
    assert.equal((await server.get('/api/admin/environments/test')).status, 404);
    assert.equal((await server.get('/api/admin/config.xml')).status, 200);
  } finally {
    await server.stop();
  }
});
