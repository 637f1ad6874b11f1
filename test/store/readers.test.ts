// Readers beside the server read the same from both engines.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ChangeFeed } from '../../src/store/readers/change-feed.ts';
import type { EventRows } from '../../src/store/readers/event-rows.ts';
import type { ChangeRow, EntityRow, RevisionNameRow, RevisionRow } from '../../src/store/rows/configuration.ts';
import type { EventRow } from '../../src/store/rows/events.ts';
import type { UserRow } from '../../src/store/rows/users.ts';
import { openChangeFeed, openEventRows, readOnlyRows } from '../../src/store/source.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from './engines.ts';

/** More than two pages. */
const MANY = 1_203;
const REVISIONS = 1_304;
const NEWEST_COMPACTED = 40;
const MAX_PAGE = 500;

/** Keys whose order by bytes is none that a language has. */
const keyAt = (n: number) => ['a', 'B', '~', 'Ä', '_', '0', '日'][n % 7]! + String(n);

function revision(number: number): RevisionRow {
  const [token, address, reason] = number % 2 === 0 ? [null, null, null] : [number, '10.0.0.1', 'why'];
  return { revision: number, time: `2026-01-01T00:00:${number}`, actor: 'ann', token, address, reason };
}

function change(number: number, position: number, more: Partial<ChangeRow>): ChangeRow {
  const none = { before: null, after: null, owner: null, former_owner: null, label: null };
  return {
    revision: number,
    position,
    operation: 'update',
    kind: 'environments',
    key: keyAt(position),
    created: position,
    ...none,
    ...more,
  };
}

const valueAt = (n: number, at: number) => JSON.stringify({ name: keyAt(n), at });

/** The first revision creates everything; each later one changes or deletes one thing, and some of those are compacted. */
const changes: readonly ChangeRow[] = [
  ...Array.from({ length: MANY }, (_, n) => change(1, n, { operation: 'create', after: valueAt(n, 1) })),
  ...Array.from({ length: REVISIONS - 1 }, (_, n) => {
    const number = n + 2;
    const of = { key: keyAt(n % MANY), created: n % MANY };
    if (number <= NEWEST_COMPACTED) return change(number, 0, { ...of, operation: number % 4 === 0 ? 'delete' : 'update' });
    if (number % 10 === 0) return change(number, 0, { ...of, operation: 'delete', before: valueAt(n % MANY, 1) });
    return change(number, 0, { ...of, before: valueAt(n % MANY, 1), after: valueAt(n % MANY, number) });
  }),
];
const revisions: readonly RevisionRow[] = Array.from({ length: REVISIONS }, (_, n) => revision(n + 1));

const lastChanges = new Map(changes.map((row) => [row.key, row]));
const environments = [...lastChanges.values()].filter(({ operation }) => operation !== 'delete').map(stored);
function stored({ kind, key, created, revision, after }: ChangeRow): EntityRow {
  return { kind, key, created, revision, etag: `etag-${revision}`, value: after ?? '{}' };
}

/** Entities without rows in the change log. */
const others: readonly EntityRow[] = [
  { kind: 'authConfigs', key: 'a', created: 3, revision: 1, etag: '', value: '{"id":"a"}' },
  { kind: 'authConfigs', key: 'b', created: 1, revision: 1, etag: '', value: '{"id":"b"}' },
  { kind: 'authConfigs', key: 'c', created: 2, revision: 1, etag: '', value: '{"id":"c"}' },
  { kind: 'siteUrls', key: '', created: 1, revision: 1, etag: '', value: '{"url":"\\u0000"}' },
];
const entities: readonly EntityRow[] = [...environments, ...others];
const events: readonly EventRow[] = Array.from({ length: MANY }, (_, n) => ({ number: n + 1, body: `{"n":${n}}`, hash: `hash-${n}` }));
const names: readonly RevisionNameRow[] = [7, 3, 1_200].map((of) => ({ revision: of, name: `no ${of}`, named_by: 'ann', named_at: '' }));
const ann: UserRow = {
  key: 'ann',
  login_name: 'Ann',
  display_name: '',
  enabled: 1,
  email: '',
  email_me: 0,
  checkin_aliases: '',
  is_service_account: 0,
  description: '',
  owner: '',
  added_at: 0,
};

async function filled(engine: Engine): Promise<TestDatabase> {
  const database = await engine.create();
  await database.insert('revisions', revisions);
  await database.insert('changes', changes);
  await database.insert('entities', entities);
  await database.insert('events', events);
  await database.insert('revision_names', names);
  await database.insert('users', [ann]);
  return database;
}

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const inKeyOrder = <Row extends Pick<EntityRow, 'kind' | 'key'>>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => byBytes(one.kind, other.kind) || byBytes(one.key, other.key));
/** Rows of an embedded database have no prototype. */
const plain = <Row extends object>(rows: readonly Row[]): readonly Row[] => rows.map((row) => ({ ...row }));

async function allOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const page of pages) {
    assert.ok(page.length <= MAX_PAGE, `a page has ${page.length} rows`);
    found.push(...page);
  }
  return found;
}

function checkChangeFeed(engine: () => Engine): void {
  let database: TestDatabase;
  let feed: ChangeFeed;
  before(async () => {
    database = await filled(engine());
    feed = await openChangeFeed(database.source);
  });
  after(async () => {
    await feed.close();
    await database.close();
  });

  test('visits all entities, and knows the revision', async () => {
    const visited: EntityRow[] = [];
    assert.equal(await feed.now((row) => visited.push({ ...row })), REVISIONS);
    assert.deepEqual(inKeyOrder(visited), inKeyOrder(entities));
  });

  test('a revision comes with all of its changes, however many', async () => {
    const [first, ...more] = await feed.after(0, 1);
    assert.deepEqual(more, []);
    const { changes: inIt, ...row } = first!;
    assert.deepEqual(row, { ...revision(1) });
    assert.deepEqual(
      plain(inIt),
      changes.filter((one) => one.revision === 1),
    );
  });

  test('revisions come oldest first, as many as are wanted, without compacted changes', async () => {
    const found = await feed.after(1, 200);
    assert.deepEqual(
      found.map((one) => one.revision),
      Array.from({ length: 200 }, (_, n) => n + 2),
    );
    const changesOf = (number: number) =>
      changes.filter((one) => one.revision === number && (one.after !== null || one.operation === 'delete'));
    for (const one of found) assert.deepEqual(plain(one.changes), changesOf(one.revision));
    assert.deepEqual(found[0]!.changes, []);
    assert.equal((await feed.after(REVISIONS - 3, 200)).length, 3);
    assert.deepEqual(await feed.after(REVISIONS, 200), []);
  });

  test('changes since a revision come newest first, without compacted ones', async () => {
    const since = (number: number) =>
      changes.filter((one) => one.revision > number && (one.before !== null || one.operation === 'create')).toReversed();
    assert.deepEqual(plain(await allOf(feed.changesSince(0))), since(0));
    assert.deepEqual(plain(await allOf(feed.changesSince(REVISIONS - 700))), since(REVISIONS - 700));
    assert.deepEqual(await allOf(feed.changesSince(REVISIONS)), []);
  });

  test('a caller that stops in between can go on with something else', async () => {
    for await (const page of feed.changesSince(0)) {
      assert.equal(page.length, MAX_PAGE);
      break;
    }
    assert.equal((await feed.after(0, 2)).length, 2);
  });

  test('entities and their revision are of one moment, also during writes', async () => {
    const visited: EntityRow[] = [];
    const newest = await feed.now((row) => {
      if (visited.length === 0) {
        database.runAtOnce(`insert into revisions values (${REVISIONS + 1}, '', 'bob', null, null, null);
          update entities set etag = 'changed'; insert into entities values ('zzz', 'z', 1, ${REVISIONS + 1}, '', '{}')`);
      }
      visited.push({ ...row });
    });
    assert.equal(newest, REVISIONS);
    assert.deepEqual(inKeyOrder(visited), inKeyOrder(entities));
    const [etags, now] = [new Set<string>(), await feed.now(() => {})];
    await feed.now(({ kind, etag }) => kind !== 'zzz' && etags.add(etag));
    assert.deepEqual([now, [...etags]], [REVISIONS + 1, ['changed']]);
    assert.deepEqual(
      (await feed.after(REVISIONS, 10)).map((one) => one.actor),
      ['bob'],
    );
  });
}

function checkEventRows(engine: () => Engine): void {
  let database: TestDatabase;
  let rows: EventRows;
  before(async () => {
    database = await filled(engine());
    rows = (await openEventRows(database.source))!;
  });
  after(async () => {
    await rows.close();
    await database.close();
  });

  test('knows whether there are events', async () => {
    assert.ok(rows.exists);
    const older = await engine().create();
    older.runAtOnce('drop table events');
    const none = (await openEventRows(older.source))!;
    assert.equal(none.exists, false);
    await none.close();
    await older.close();
  });

  test('knows the newest revision, also when there is none', async () => {
    assert.equal(await rows.newestRevision(), REVISIONS);
    const bare = await engine().create();
    const none = (await openEventRows(bare.source))!;
    assert.equal(await none.newestRevision(), 0);
    assert.deepEqual(await none.names(), { asOf: 0, rows: [] });
    assert.deepEqual(await allOf(none.all()), []);
    assert.deepEqual(await allOf(none.states()), []);
    await none.close();
    await bare.close();
  });

  const sameAt = async (number: number) => {
    assert.deepEqual({ ...(await rows.revision(number)) }, { ...revisions[number - 1] }, `revision ${number}`);
    const logged = changes.filter((one) => one.revision === number);
    assert.deepEqual(plain(await rows.changes(number)), logged, `changes of revision ${number}`);
  };

  test('revisions and their changes are read in order', async () => {
    for (let number = 0; number <= REVISIONS + 1; number++) await sameAt(number);
  });

  test('revisions and their changes are read in any order', async () => {
    for (const number of [REVISIONS, 1, 700, 2, 1, 699, 701, REVISIONS + 5, REVISIONS - 1, 1_000_000, -1, 0, 1, 3]) await sameAt(number);
  });

  test('a number that no revision can have gives nothing', async () => {
    for (const number of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, 1e300]) {
      assert.equal(await rows.revision(number), undefined);
      assert.deepEqual(await rows.changes(number), []);
    }
  });

  test('all events are read in order', async () => {
    assert.deepEqual(plain(await allOf(rows.all())), events);
  });

  test('names are read with the last event before them', async () => {
    const { asOf, rows: found } = await rows.names();
    assert.equal(asOf, events.length);
    assert.deepEqual(
      plain(found),
      names.toSorted((one, other) => one.revision - other.revision),
    );
  });

  test('every entity is read beside its last change', async () => {
    const logged = new Map(
      [...lastChanges].map(([key, { revision, operation, after, created }]) => [key, { revision, operation, after, created }]),
    );
    const there = new Map(entities.map((row) => [`${row.kind} ${row.key}`, row]));
    const all = inKeyOrder([...lastChanges.values(), ...others]).map(({ kind, key }) => {
      const { revision, etag, value, created } = there.get(`${kind} ${key}`) ?? {};
      const isStored = revision !== undefined;
      return {
        kind,
        key,
        logged: kind === 'environments' ? logged.get(key) : undefined,
        stored: isStored ? { revision, etag, value, created } : undefined,
      };
    });
    assert.ok(all.some((one) => one.logged && !one.stored) && all.some((one) => one.stored && !one.logged));
    assert.deepEqual(await allOf(rows.states()), all);
  });

  test('rows that are written during the reading are read, too', async () => {
    const read = rows.all()[Symbol.asyncIterator]();
    assert.equal((await read.next()).value?.length, MAX_PAGE);
    await sameAt(REVISIONS);
    database.runAtOnce(`insert into events values (${MANY + 1}, '{}', 'new');
      insert into revisions values (${REVISIONS + 1}, '', 'bob', null, null, null);
      insert into changes (revision, position, operation, kind, key, after, created) values (${REVISIONS + 1}, 0, 'create', 'k', 'n', '{}', 1)`);
    const rest: EventRow[] = [];
    for (let next = await read.next(); !next.done; next = await read.next()) rest.push(...next.value);
    assert.equal(rest.at(-1)!.hash, 'new');
    assert.equal((await rows.revision(REVISIONS + 1))?.actor, 'bob');
    assert.deepEqual(
      (await rows.changes(REVISIONS + 1)).map(({ key }) => key),
      ['n'],
    );
  });
}

function checkReadOnlyRows(engine: () => Engine): void {
  test('entities are read in the order of their creation, and users in any letter case', async () => {
    const database = await filled(engine());
    const found = await readOnlyRows(database.source, async (rows) => ({
      some: await rows.entities('authConfigs'),
      one: await rows.entities('siteUrls'),
      many: (await rows.entities('environments')).length,
      none: await rows.entities('pipelines'),
      users: [await rows.knowsUser('aNN'), await rows.knowsUser('bob')],
    }));
    assert.deepEqual(found, {
      some: [{ id: 'b' }, { id: 'c' }, { id: 'a' }],
      one: [{ url: '\u0000' }],
      many: environments.length,
      none: [],
      users: [true, false],
    });
    await database.close();
  });

  test('a failure of the callback is passed on', async () => {
    const database = await engine().create();
    const reading = readOnlyRows(database.source, async () => {
      throw new Error('on purpose');
    });
    await assert.rejects(reading, /on purpose/);
    await database.close();
  });
}

const engines: Record<Engine['name'], () => Engine | Promise<Engine>> = { SQLite: sqlite, PostgreSQL: postgres };
for (const [name, start] of Object.entries(engines)) {
  describe(name, () => {
    let engine: Engine;
    before(async () => {
      engine = await start();
    });
    after(() => engine?.stop());
    describe('change feed', () => checkChangeFeed(() => engine));
    describe('event rows', () => checkEventRows(() => engine));
    describe('read-only rows', () => checkReadOnlyRows(() => engine));
  });
}

test('a missing file gives nothing', async () => {
  const source = { sqlite: '/does/not/exist/slipway.db' };
  assert.equal(await openEventRows(source), undefined);
  assert.equal(await readOnlyRows(source, async () => assert.fail('there is nothing to read')), undefined);
});
