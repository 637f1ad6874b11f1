// Compacting the history: kept versions show as before, others say that they are gone, and the authors of changes stay in any case.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Past } from '../../src/history/past.ts';
import { Retention } from '../../src/history/retention.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import type { Entity } from '../../src/shape/resource.ts';
import { Compaction } from '../../src/store/revisions/compaction.ts';
import { PastEntities } from '../../src/store/revisions/past-entities.ts';
import { RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { RevisionNames } from '../../src/store/revisions/revision-names.ts';
import { seededRandom } from '../stories/hostile/random.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { changeRows } from '../support/database/sql.ts';
import { healthOf } from '../support/server/health.ts';
import { TestServer } from '../support/server/server.ts';

const DAY_MS = 86_400_000;
const REVISIONS = 500;
const KEYS = ['one', 'two', 'three', 'four'];
const AUTHOR = { actor: 'ann', token: null, address: null, reason: null };
const never = new AbortController().signal;

/** Revision n was made on the n-th day of this year. */
const dayOf = (revision: number) => new Date(Date.UTC(2020, 0, 1) + revision * DAY_MS);

class TestHistory {
  readonly configuration: TestConfiguration;
  readonly names: RevisionNames;
  readonly retention: Retention;
  readonly past: Past;
  /** The environments after each revision. */
  readonly states: ReadonlyMap<string, Entity>[];

  private constructor(configuration: TestConfiguration, states: ReadonlyMap<string, Entity>[], retention: Retention) {
    const { config, database } = configuration;
    this.configuration = configuration;
    this.states = states;
    this.retention = retention;
    this.names = new RevisionNames(database);
    this.past = new Past({ config, entities: new PastEntities(database.query), log: new RevisionLog(database.query), retention });
  }

  static async make(): Promise<TestHistory> {
    const configuration = await TestConfiguration.open();
    const { config, changes, database } = configuration;
    const kind = config.kind('environments');
    const { below, pick } = seededRandom(7);
    const states: ReadonlyMap<string, Entity>[] = [new Map()];
    while (config.revision < REVISIONS) {
      const id = pick(KEYS);
      const value = String(config.revision);
      await changes.apply(AUTHOR, (draft) => {
        if (below(8) === 0 && draft.find(kind, id)) draft.remove(kind, id);
        else draft.put(kind, id, { name: id, pipelines: [], environmentVariables: [{ name: 'V', value }] });
      });
      states.push(new Map(Array.from(config.of(kind.name).all(), (entry) => [entry.key, entry.value])));
    }
    for (let revision = 1; revision <= REVISIONS; revision++) {
      await database.query
        .updateTable('revisions')
        .set({ time: dayOf(revision).toISOString() })
        .where('revision', '=', revision)
        .execute();
    }
    const names = new RevisionNames(database);
    const retention = await Retention.load({ compaction: new Compaction(database), names, log: new RevisionLog(database.query) });
    return new TestHistory(configuration, states, retention);
  }

  compactBefore(revision: number, signal = never): Promise<void> {
    return this.retention.compact(10, dayOf(revision).getTime() + 10 * DAY_MS, signal);
  }

  name(revision: number): Promise<void> {
    return this.names.put({ revision, name: `number ${revision}`, named_by: 'ann', named_at: dayOf(revision).toISOString() });
  }

  async mustShow(isKept: (revision: number) => boolean): Promise<void> {
    const kind = this.configuration.config.kind('environments');
    for (let revision = 1; revision <= REVISIONS; revision++) {
      if (!isKept(revision)) {
        await assert.rejects(
          this.past.revisionAt(String(revision)),
          (failure: Refusal) => failure instanceof Refusal && failure.kind === 'gone',
        );
        continue;
      }
      assert.equal(await this.past.revisionAt(String(revision)), revision);
      for (const key of KEYS) {
        assert.deepEqual((await this.past.entry(kind, key, revision))?.value, this.states[revision]!.get(key), `${key} at ${revision}`);
      }
    }
  }

  async values(): Promise<number> {
    const rows = await this.configuration.database.query.selectFrom('changes').select(['before', 'after']).execute();
    assert.equal(rows.length, REVISIONS);
    return rows.reduce((sum, { before, after }) => sum + Number(before !== null) + Number(after !== null), 0);
  }
}

describe('compaction', () => {
  test('keeps young revisions and those with a name, and nothing else', async (t) => {
    const history = await TestHistory.make();
    t.after(() => history.configuration.close());
    await history.mustShow(() => true);
    const all = await history.values();
    for (const revision of [100, 150]) await history.name(revision);
    await history.compactBefore(200);
    assert.equal(history.retention.keptFrom, 200);
    await history.mustShow((revision) => revision >= 200 || revision === 100 || revision === 150);
    const some = await history.values();
    assert.ok(some < all * 0.7, `${some} of ${all} values`);

    // Again, further on; and once more, with nothing to do.
    await history.compactBefore(400);
    await history.compactBefore(400);
    await history.compactBefore(300);
    assert.equal(history.retention.keptFrom, 400);
    await history.mustShow((revision) => revision >= 400 || revision === 100 || revision === 150);
    const few = await history.values();
    // At most one value of each entity for each state that can be seen, and the changes of the named ones.
    const since = 2 * (REVISIONS - 399);
    assert.ok(few <= since + 3 * KEYS.length + 2, `${few} values, ${since} of them young`);

    // A name that is taken away keeps nothing.
    await history.names.remove(100);
    await history.mustShow((revision) => revision >= 400 || revision === 150);
    await history.compactBefore(400);
    await history.mustShow((revision) => revision >= 400 || revision === 150);
    assert.ok((await history.values()) < few);
  });

  test('a compaction by another server is noticed by this one', async (t) => {
    const history = await TestHistory.make();
    t.after(() => history.configuration.close());
    const { database } = history.configuration;
    const { names } = history;
    const other = await Retention.load({ compaction: new Compaction(database), names, log: new RevisionLog(database.query) });
    await other.compact(10, dayOf(400).getTime() + 10 * DAY_MS, never);
    await history.compactBefore(300);
    assert.equal(history.retention.keptFrom, 400);
    await history.mustShow((revision) => revision >= 400);
  });

  test('a compaction that was cut off goes on where it was', async (t) => {
    const history = await TestHistory.make();
    t.after(() => history.configuration.close());
    const stopped = new AbortController();
    stopped.abort();
    await history.compactBefore(450, stopped.signal);
    const before = await history.values();
    await history.mustShow((revision) => revision >= 450);
    await history.compactBefore(450);
    await history.mustShow((revision) => revision >= 450);
    assert.ok((await history.values()) < before / 3);
  });

  test('leaves everything that is younger than the limit', async (t) => {
    const history = await TestHistory.make();
    t.after(() => history.configuration.close());
    const all = await history.values();
    await history.retention.compact(10, Date.UTC(2020, 0, 5), never);
    assert.equal(history.retention.keptFrom, 0);
    assert.equal(await history.values(), all);
  });
});

test('a history in git that was lost is written anew from the revisions that are kept', async (t) => {
  const server = await TestServer.start();
  t.after(() => server.stop());
  const path = '/api/admin/environments';
  for (const name of ['gone', 'stays']) await server.post(path, { name, environment_variables: [{ name: 'A', value: '1' }] });
  await server.delete(`${path}/gone`);
  for (const value of ['2', '3']) await server.put(`${path}/stays`, { name: 'stays', environment_variables: [{ name: 'A', value }] }, '*');
  const now = await server.get('/api/admin/config.xml');
  const then = await server.get('/api/admin/config.xml?at=5');
  await server.restart(async () => {
    await changeRows(server.dataDir, 'insert into compaction (kept_from, done_to) values (5, 4)');
    await changeRows(server.dataDir, 'update changes set before = null where revision < 5');
    await changeRows(server.dataDir, "update changes set after = null where kind = 'environments' and revision < 5");
    rmSync(join(server.dataDir, 'history'), { recursive: true });
  });
  assert.equal((await server.get('/api/admin/config.xml')).text, now.text);
  assert.equal((await server.get('/api/admin/config.xml?at=5')).etag, then.etag);
  assert.deepEqual(await healthOf(server), []);
});

test('the server says which values are not kept any more, and still who changed them', async (t) => {
  const server = await TestServer.start();
  t.after(() => server.stop());
  const path = '/api/admin/environments';
  for (const value of ['1', '2', '3', '4']) {
    const body = { name: 'prod', environment_variables: [{ name: 'A', value }] };
    if (value === '1') await server.post(path, body);
    else await server.put(`${path}/prod`, body, '*', { headers: { 'X-Svc-Reason': `to ${value}` } });
  }
  await server.restart(async () => {
    await changeRows(server.dataDir, 'insert into compaction (kept_from, done_to) values (4, 3)');
    await changeRows(server.dataDir, 'update changes set before = null where revision < 4');
    await changeRows(server.dataDir, 'update changes set after = null where revision < 3');
  });
  const message = (revision: number) =>
    `The configuration as of revision ${revision} is no longer kept: the history before revision 4 was compacted.`;
  for (const shown of [
    path,
    `${path}/prod`,
    '/api/admin/config.xml',
    '/api/config/mailserver',
    '/api/admin/pipelines',
    '/api/admin/templates',
  ]) {
    const reply = await server.get(`${shown}?at=3`);
    assert.equal(reply.status, 410, shown);
    assert.equal(reply.json.message, message(3));
  }
  assert.equal((await server.get(`${path}/prod?at=4`)).json.environment_variables[0].value, '3');
  assert.equal((await server.patch('/api/admin/config/revisions/2', { name: 'x' })).status, 410);
  const old = (await server.get('/api/admin/config/revisions/3')).json;
  assert.equal(old.reason, 'to 2');
  assert.deepEqual(old.changes, [{ resource: 'environments', id: 'prod', operation: 'update', differences: null, patch: null }]);
  const history = (await server.get('/api/admin/config/entities/environments/prod/history')).json._embedded.revisions;
  assert.deepEqual(
    history.map(({ differences }: { differences: unknown }) => differences !== null),
    [true, true, false, false],
  );
  const fields = (await server.get('/api/admin/config/entities/environments/prod/blame')).json._embedded.fields;
  assert.deepEqual(
    fields.map(({ field, revision }: { field: string; revision: number | null }) => [field, revision]),
    [
      ['name', null],
      ['pipelines', null],
      ["environment variable 'A', secure", null],
      ["environment variable 'A', name", null],
      ["environment variable 'A', value", 5],
    ],
  );
});
