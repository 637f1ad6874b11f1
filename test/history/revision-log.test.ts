// The list of revisions in a long log: every filter finds all that it should, page by page, and none has to read the whole log.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { PastEntities } from '../../src/store/revisions/past-entities.ts';
import { type LoggedRevision, MAX_SCANNED, type RevisionFilter, RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

const COUNT = 2 * MAX_SCANNED + 500;
const END = Number.MAX_SAFE_INTEGER;
const timeOf = (revision: number) => new Date(Date.UTC(2026, 0, 1) + revision * 1000).toISOString();
const actorOf = (revision: number) => (revision % 9 === 0 ? 'Jez' : 'admin');
const tokenOf = (revision: number) => (revision % 7 === 0 ? 3 : null);
const kindOf = (revision: number) => (revision % 5 === 0 ? 'roles' : 'environments');
const keyOf = (revision: number) => `k${revision % 11}`;
const reasonOf = (revision: number) => (revision === 10 ? 'Needle in the hay' : null);

let directory: string;
let database: Database;
let log: RevisionLog;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-log-'));
  const path = join(directory, 'slipway.db');
  database = openSqlite(path);
  await migrate(database);
  const raw = new DatabaseSync(path);
  const addRevision = raw.prepare('insert into revisions (revision, time, actor, token, reason) values (?, ?, ?, ?, ?)');
  const addChange = raw.prepare(
    'insert into changes (revision, position, operation, kind, key, before, after, created) values (?, ?, ?, ?, ?, ?, ?, 1)',
  );
  raw.exec('begin');
  for (let revision = 1; revision <= COUNT; revision++) {
    addRevision.run(revision, timeOf(revision), actorOf(revision), tokenOf(revision), reasonOf(revision));
    addChange.run(revision, 0, 'update', kindOf(revision), keyOf(revision), '{}', JSON.stringify({ revision }));
  }
  raw.exec('commit');
  raw.close();
  log = new RevisionLog(database.query);
});
after(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const FILTERS: readonly [RevisionFilter, (revision: number) => boolean][] = [
  [{}, () => true],
  [{ actor: 'JEZ' }, (revision) => actorOf(revision) === 'Jez'],
  [{ token: 3 }, (revision) => tokenOf(revision) === 3],
  [{ kind: 'roles' }, (revision) => kindOf(revision) === 'roles'],
  [{ entities: [{ kind: 'roles', key: 'k3' }] }, (revision) => kindOf(revision) === 'roles' && keyOf(revision) === 'k3'],
  [
    {
      entities: [
        { kind: 'roles', key: 'k3' },
        { kind: 'environments', key: 'k3' },
        { kind: 'scms', key: 'k3' },
      ],
    },
    (revision) => keyOf(revision) === 'k3',
  ],
  [{ entities: [] }, () => false],
  [
    { kind: 'roles', entities: [{ kind: 'roles', key: 'k3' }], actor: 'jez' },
    (revision) => kindOf(revision) === 'roles' && keyOf(revision) === 'k3' && actorOf(revision) === 'Jez',
  ],
  [{ actor: 'jez', token: 3 }, (revision) => actorOf(revision) === 'Jez' && tokenOf(revision) === 3],
  [{ since: timeOf(100), until: timeOf(200) }, (revision) => revision >= 100 && revision <= 200],
  [{ actor: 'jez', until: timeOf(2000) }, (revision) => actorOf(revision) === 'Jez' && revision <= 2000],
  [{ kind: 'environments', actor: 'nobody' }, () => false],
];

async function allPages(filter: RevisionFilter, size: number): Promise<{ found: number[]; pages: number }> {
  const found: number[] = [];
  let pages = 0;
  let next: number | undefined = END;
  while (next !== undefined) {
    const page: { revisions: readonly LoggedRevision[]; next: number | undefined } = await log.page(filter, next, size);
    assert.ok(page.revisions.length <= size);
    found.push(...page.revisions.map(({ revision }) => revision));
    next = page.next;
    pages++;
  }
  return { found, pages };
}

test('all pages together have exactly the revisions that fit, newest first', async () => {
  const all = Array.from({ length: COUNT }, (_, index) => COUNT - index);
  for (const [filter, fits] of FILTERS) {
    for (const size of [7, 500]) assert.deepEqual((await allPages(filter, size)).found, all.filter(fits), JSON.stringify([filter, size]));
  }
});

test('a query that no index answers looks at a limited number of revisions at a time', async () => {
  const filter = { kind: 'environments', actor: 'nobody' };
  const { revisions, next } = await log.page(filter, END, 50);
  assert.deepEqual(revisions, []);
  assert.equal(next, COUNT - (MAX_SCANNED * 5) / 4 + 1);
  assert.equal((await allPages(filter, 50)).pages, 2);
});

test('revisions with a text in them are found among some', async () => {
  const some = [3, 10, 21, 27, 32];
  const having = async (text: string) => [...(await log.having(text, some))].toSorted((one, other) => one - other);
  assert.deepEqual(await having('NEEDLE in'), [10]);
  assert.deepEqual(await having('jez'), [27]);
  assert.deepEqual(await having('K10'), [10, 21, 32]);
  assert.deepEqual(await having('nowhere'), []);
  assert.deepEqual(await log.having('k', []), new Set());
});

test('no query reads a whole table', async () => {
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  const watched = database.query.withPlugin({
    transformQuery: ({ node }) => {
      const { sql, parameters } = database.query.getExecutor().compileQuery(node as never, { queryId: 'watched' });
      asked.push({ sql, parameters });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const watchedLog = new RevisionLog(watched);
  for (const [filter] of FILTERS) await watchedLog.page(filter, COUNT / 2, 50);
  await watchedLog.find(7);
  await watchedLog.having('needle', [1, 2, 3]);
  await watchedLog.firstChanges([1, 2, 3], 10);
  await watchedLog.changes(7, 0, 10);
  await watchedLog.changesOf('roles', 'k3', END, 10);
  await new PastEntities(watched).lastChange('roles', 17);
  await new PastEntities(watched).page('roles', 17, '');
  const showing = { kind: 'packageRepositories', key: 'k3', members: { kind: 'packages' } };
  await watchedLog.shown.revisions(showing, END, 10);
  await watchedLog.shown.in(showing, 7);
  const ofOne = asked.length;
  await watchedLog.changesOf('roles', 'k3', END, 10);
  await new PastEntities(watched).one('roles', 'k3', 17);
  await new PastEntities(watched).keysOwnedBy('pipelines', 'some');
  const raw = new DatabaseSync(join(directory, 'slipway.db'), { readOnly: true });
  assert.ok(asked.length > 20);
  const plans: string[] = [];
  for (const { sql, parameters } of asked) {
    const plan = raw.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
    const scans = plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN (revisions|changes|one)\b/.test(detail));
    assert.deepEqual(scans, [], `${sql}\n${plan.map(({ detail }) => detail).join('\n')}`);
    plans.push(plan.map(({ detail }) => detail).join('\n'));
  }
  // A query about one entity costs the rows of that entity, not of its kind.
  for (const plan of plans.slice(ofOne, -1)) assert.match(plan, /^SEARCH changes USING INDEX changes_of_entity \(kind=\? AND key=\?/m);
  assert.match(plans.at(-1)!, /^SEARCH changes USING COVERING INDEX changes_by_owner/m);
  raw.close();
});

test('an entity as it was is found in one step, a list by steps from key to key', async () => {
  const entities = new PastEntities(database.query);
  assert.equal((await entities.one('roles', 'k5', 1000))?.after, JSON.stringify({ revision: 995 - ((995 - 5) % 55) }));
  assert.equal(await entities.one('roles', 'k5', 4), undefined);
  assert.equal(await entities.lastChange('roles', 12), 10);
  assert.equal(await entities.lastChange('nothing', 12), 0);
  const { found, lastKey } = await entities.page('roles', 30, '');
  assert.equal(lastKey, undefined);
  assert.deepEqual(
    found.map(({ key, revision }) => [key, revision]),
    [5, 10, 15, 20, 25, 30].map((revision) => [keyOf(revision), revision]).sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
});
