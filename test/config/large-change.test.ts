// A change of very many entities: one revision, seen all at once, in turn with others, with everything found that is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { newUser, Users } from '../../src/access/users/users.ts';
import { Changes } from '../../src/config/change.ts';
import { type Config, loadConfig } from '../../src/config/current.ts';
import type { Draft } from '../../src/config/draft.ts';
import { InvalidChange } from '../../src/config/large-change.ts';
import type { Author } from '../../src/config/revision.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { registry } from '../../src/resources/index.ts';
import { type Entity, kindsOf } from '../../src/shape/resource.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { revisionWriter } from '../../src/store/revisions/changes.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

const AUTHOR: Author = { actor: 'ann', token: null, address: null, reason: null };
const MANY = 3000;
const kinds = kindsOf(registry);
const environments = kinds.find(({ name }) => name === 'environments')!;

let directory: string;
let database: Database;
let config: Config;
let changes: Changes;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-large-'));
  database = openSqlite(join(directory, 'slipway.db'));
  await migrate(database);
  config = await loadConfig(kinds, database.query);
  changes = new Changes(config, revisionWriter(database));
});
after(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

function environment(name: string, pipelines: readonly string[] = []): Entity {
  return { name, pipelines, environmentVariables: [] };
}

function putMany(draft: Draft, count: number): void {
  for (let index = 0; index < count; index++) draft.put(environments, `many-${index}`, environment(`many-${index}`));
}

const size = () => config.of('environments').size;

test('a large change is one revision among others, in the order of the requests', async () => {
  const order: string[] = [];
  const one = (name: string) =>
    changes
      .apply(AUTHOR, (draft) => draft.put(environments, name, environment(name)).revision)
      .then((revision) => order.push(`${name} ${revision}`));
  await Promise.all([
    one('first'),
    changes.applyLarge(AUTHOR, async (draft) => putMany(draft, MANY)).then(() => order.push('large')),
    one('last'),
  ]);
  assert.deepEqual(order, ['first 1', 'large', 'last 3']);
  assert.equal(config.revision, 3);
  const rows = await database.query
    .selectFrom('changes')
    .select(['key', 'created'])
    .where('revision', '=', 2)
    .orderBy('position')
    .execute();
  assert.equal(rows.length, MANY);
  assert.deepEqual({ ...rows[0] }, { key: 'many-0', created: 2 });
  const kept = await loadConfig(kinds, database.query);
  assert.deepEqual([...kept.of('environments').all()], [...config.of('environments').all()]);
});

test('readers see all of a large change or nothing, and are not kept waiting', async () => {
  const sizes = new Set<number>();
  const before = size();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      sizes.add(size());
      await setImmediate();
    }
  })();
  const generation = config.of('environments').generation;
  await changes.applyLarge(AUTHOR, async (draft, pause) => {
    for (let index = 0; index < MANY; index++) {
      draft.remove(environments, `many-${index}`);
      await pause();
    }
  });
  isDone = true;
  await watching;
  assert.deepEqual([...sizes], [before, before - MANY].slice(0, sizes.size));
  assert.equal(size(), before - MANY);
  assert.ok(config.of('environments').generation > generation);
});

test('all problems of a large change are found, and nothing is changed', async () => {
  const revision = config.revision;
  changes.addGuard((draft) => {
    if (draft.edits.length > 2) throw new Refusal('invalid', 'Too many.');
  });
  await assert.rejects(
    changes.applyLarge(AUTHOR, async (draft) => {
      draft.put(environments, 'a', environment('a', ['nowhere']));
      draft.put(environments, 'b', environment('b'), [{ at: ['name'], message: 'Not this one.' }]);
      draft.put(environments, 'c', environment('c', ['elsewhere']));
    }),
    (failure: unknown) => {
      assert.ok(failure instanceof InvalidChange);
      assert.deepEqual(
        failure.findings.map(({ id, problems }) => [id, ...problems.map(({ message }) => message)]),
        [
          ['a', "Environment 'a' refers to an unknown pipeline 'nowhere'."],
          ['b', 'Not this one.'],
          ['c', "Environment 'c' refers to an unknown pipeline 'elsewhere'."],
        ],
      );
      assert.deepEqual(failure.conditions, ['Too many.']);
      return true;
    },
  );
  assert.equal(config.revision, revision);
});

test('a dry run of a large change changes nothing', async () => {
  const before = [config.revision, size()];
  assert.equal(
    await changes.applyLarge(AUTHOR, async (draft) => draft.put(environments, 'dry', environment('dry')).key, { dryRun: true }),
    'dry',
  );
  assert.deepEqual([config.revision, size()], before);
});

test('a large change that the disk refuses changes nothing, and the next change goes on', async () => {
  const broken = new Changes(config, () => Promise.reject(new Error('disk full')));
  const before = [config.revision, size()];
  await assert.rejects(
    broken.applyLarge(AUTHOR, async (draft) => putMany(draft, 1)),
    /disk full/,
  );
  assert.deepEqual([config.revision, size()], before);
});

test('a large write does not block the event loop, and small writes finish before it', async () => {
  const users = await Users.load(database);
  const insert = (index: number) =>
    database.query
      .insertInto('pipeline_pauses')
      .values({ key: `p${index}`, cause: '', by: '', at: '' })
      .compile();
  const ended: string[] = [];
  // Counted, not timed: a thread that is blocked has no turns, however slow or busy the machine is.
  let turns = 0;
  await Promise.all([
    database.writeTransaction(Array.from({ length: 20_000 }, (_, index) => insert(index))).then(() => ended.push('large')),
    users.change(() => [newUser('ann')]).then(() => ended.push('user')),
    database.query
      .deleteFrom('pipeline_pauses')
      .where('key', '=', 'p1')
      .execute()
      .then(() => ended.push('delete')),
    database.query
      .selectFrom('users')
      .selectAll()
      .execute()
      .then(() => ended.push('read')),
    (async () => {
      for (; !ended.includes('large'); turns++) await setImmediate();
    })(),
  ]);
  assert.deepEqual([ended.toSorted(), ended.at(-1)], [['delete', 'large', 'read', 'user'], 'large']);
  assert.ok(turns > 50, `only ${turns} turns while the large write went on`);
  const { count } = await database.query
    .selectFrom('pipeline_pauses')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(count, 20_000);
});

test('a large write that fails leaves nothing behind', async () => {
  const statement = database.query.insertInto('pipeline_pauses').values({ key: 'twice', cause: '', by: '', at: '' }).compile();
  await assert.rejects(database.writeTransaction(Array.from({ length: 5000 }, () => statement)), /UNIQUE/);
  const found = await database.query.selectFrom('pipeline_pauses').select('key').where('key', '=', 'twice').execute();
  assert.deepEqual(found, []);
});
