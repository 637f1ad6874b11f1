// Migrations: each once, all that are missing or none, and never backwards.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ConfigRepoParses } from '../../src/store/config-repos/parses.ts';
import { ConfigRepoStates } from '../../src/store/config-repos/states.ts';
import { MIGRATIONS, type Migration, migrate, NEWEST_SCHEMA } from '../../src/store/migrate.ts';
import { shortTexts } from '../../src/store/migrations/016-short-texts.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

test('steps run once, a failing step leaves nothing behind, a newer schema is refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-migrate-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    const tableNames = async () => (await database.query.introspection.getTables()).map(({ name }) => name);
    let runs = 0;
    const first: Migration = async ({ schema }) => {
      runs++;
      await schema.createTable('one').addColumn('x', 'integer').execute();
    };
    const failing: Migration = async ({ schema }) => {
      await schema.createTable('two').addColumn('x', 'integer').execute();
      throw new Error('no');
    };
    await assert.rejects(migrate(database, [first, failing]), /no/);
    assert.deepEqual(await tableNames(), ['schema_version']);
    await migrate(database, [first]);
    assert.equal(runs, 2);
    assert.deepEqual((await tableNames()).toSorted(), ['one', 'schema_version']);
    await migrate(database, [first, async () => {}]);
    assert.equal(runs, 2);
    await assert.rejects(migrate(database, [first]), /schema 2, and this version of Slipway knows schemas up to 1/);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('statements written at once are all there or none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-store-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    await migrate(database);
    const add = (revision: number) =>
      database.query.insertInto('revisions').values({ revision, time: '', actor: '', token: null, address: null, reason: null }).compile();
    await assert.rejects(database.writeTransaction([add(1), add(2), add(1)]));
    assert.deepEqual(await database.query.selectFrom('revisions').selectAll().execute(), []);
    await database.writeTransaction([add(1), add(2)]);
    assert.equal((await database.query.selectFrom('revisions').selectAll().execute()).length, 2);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('messages of config repos from before they had a limit are made short', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-store-'));
  const database = openSqlite(join(directory, 'test.db'));
  try {
    await migrate(database);
    const [parses, states] = [new ConfigRepoParses(database), new ConfigRepoStates(database)];
    const long = 'x'.repeat(1_100_000);
    const attempt = { at: new Date(), revision: 'r', outcome: 'refused', matched: 1, parsed: 1, durationMs: 1 };
    const nothing = { settings: null, cursor: null, inForce: '', rules: '', revision: null, goodRevision: null };
    const state = { ...nothing, outcome: 'refused', message: 'no', modification: null, goodModification: null } as const;
    await database.writeTransaction([
      ...parses.add('a', { ...attempt, errors: [{ message: long }], warnings: [{ message: 'kept' }] }),
      states.put({ ...state, repo: 'a', detail: long }),
      states.put({ ...state, repo: 'b', detail: 'kept' }),
    ]);
    await shortTexts(database.query);
    const [{ errors, warnings }] = (await parses.page('a', 10)) as [Awaited<ReturnType<typeof parses.page>>[number]];
    assert.match(JSON.stringify(errors), /too long to be kept/);
    assert.deepEqual(warnings, [{ message: 'kept' }]);
    const details = (await states.all()).map(({ message, detail }) => [message, detail.length]);
    assert.deepEqual(details, [
      ['no', 100_001],
      ['no', 4],
    ]);
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('changes from before they had owners get those that their values name', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-store-'));
  const path = join(directory, 'test.db');
  const database = openSqlite(path);
  try {
    await migrate(database, MIGRATIONS.slice(0, 16));
    const raw = new DatabaseSync(path);
    raw.exec("insert into revisions (revision, time, actor) values (1, '', '')");
    const add = raw.prepare(
      "insert into changes (revision, position, operation, kind, key, before, after) values (1, ?, 'update', ?, ?, ?, ?)",
    );
    add.run(0, 'pipelines', 'web', '{"group":"Old"}', '{"group":"New"}');
    add.run(1, 'scms', 'id-1', null, '{"name":"Tools"}');
    add.run(2, 'roles', 'a', '{"name":"a"}', null);
    raw.close();
    await migrate(database);
    const rows = await database.query.selectFrom('changes').select(['owner', 'former_owner', 'label']).orderBy('position').execute();
    assert.deepEqual(
      rows.map((row) => Object.values(row)),
      [
        ['new', 'old', null],
        [null, null, 'Tools'],
        [null, null, null],
      ],
    );
  } finally {
    await database.close();
    rmSync(directory, { recursive: true });
  }
});

test('a new database has the tables that all steps would have made', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-migrate-'));
  const schemaAfter = async (name: string, migrations?: readonly Migration[]) => {
    const database = openSqlite(join(directory, name));
    await migrate(database, migrations);
    await database.close();
    const made = new DatabaseSync(join(directory, name));
    const rows = made.prepare('select name, sql from sqlite_master order by name').all();
    const version = made.prepare('select version from schema_version').get()!.version;
    made.close();
    return { version, rows: rows.map((row) => [row.name, String(row.sql).replaceAll(/\s+/g, ' ')]) };
  };
  try {
    assert.deepEqual(await schemaAfter('new.db'), await schemaAfter('steps.db', [...MIGRATIONS]));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('there are as many migrations as files', () => {
  const files = globSync('**/*.ts', { cwd: join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations') });
  assert.equal(files.length, NEWEST_SCHEMA);
});
