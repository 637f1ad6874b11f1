// A whole server that takes the background work over, loses it, and takes it over again, in one process.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { KeeperRoleLost, NotKeeper } from '../../src/kit/concurrency/periodic/keeper.ts';
import { PeriodicRunner } from '../../src/kit/concurrency/periodic/periodic.ts';
import { RecentLines } from '../../src/kit/telemetry/recent-lines.ts';
import { registry } from '../../src/resources/index.ts';
import { type BackgroundWork, backgroundWork } from '../../src/server/background.ts';
import { type OpenParts, openAllParts } from '../../src/server/open/all-parts.ts';
import { CONFIG_REPO_LANES } from '../../src/server/open/config-repos.ts';
import { MATERIAL_LANES } from '../../src/server/open/materials.ts';
import { readSettings } from '../../src/server/settings.ts';
import { readVersion } from '../../src/server/version.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { readEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import type { Database } from '../../src/store/database.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { yaml } from '../config-repos/support/config-repo-server.ts';
import { ANYTHING } from '../config-repos/support.ts';
import { GitOrigin } from '../materials/support/git-origin.ts';
import { until } from '../support/until.ts';

const AUTHOR = { actor: 'ada', token: null, address: null, reason: null };
const folder = mkdtempSync(join(tmpdir(), 'slipway-background-'));
const dataDir = join(folder, 'data');

let database: Database;
let runner: PeriodicRunner;
let parts: OpenParts;
let background: BackgroundWork;
let origin: GitOrigin;
const errors: unknown[] = [];

before(async () => {
  mkdirSync(dataDir);
  origin = await GitOrigin.make(join(folder, 'origin'));
  const flags = ['--data-dir', dataDir, '--material-interval', '1', '--local-repositories', folder, '--local-agents', '0'];
  const verdict = readSettings(flags, {});
  assert.ok('settings' in verdict);
  database = openSqlite(join(dataDir, 'slipway.db'));
  runner = new PeriodicRunner({ slots: { ...MATERIAL_LANES, ...CONFIG_REPO_LANES }, onFailure: (_, failure) => errors.push(failure) });
  const log = { info: () => {}, warn: () => {}, error: (facts: object) => errors.push(facts) };
  parts = await openAllParts({
    settings: verdict.settings,
    registry,
    version: readVersion(),
    database,
    runner,
    log,
    recentLines: new RecentLines(),
  });
  background = backgroundWork({ ...parts, runner, log });
});
after(async () => {
  await background.stop();
  await runner.stop();
  await parts.configRepos.close();
  await parts.materials.close();
  await parts.document.close();
  await parts.events.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function put(kindName: KindName, body: JsonObject): Promise<void> {
  const { config, changes, tools } = parts.resourceParts;
  const kind = config.kind(kindName);
  await changes.apply(AUTHOR, (draft) => {
    const { entity, problems } = readEntity(kind, body, { ruleView: draft.ruleView }, tools);
    draft.put(kind, String(body.id), entity, problems);
  });
}

const pipelines = () => [...parts.resourceParts.config.of('pipelines').all()].map(({ value }) => String(value.name)).toSorted();
const commit = (name: string) => origin.commit(name, { [`${name}.gocd.yaml`]: yaml('g', { [name]: undefined }) });
const modificationIds = async () =>
  (await database.query.selectFrom('modifications').select('id').orderBy('id').execute()).map(({ id }) => id);

test('work that comes while another server is the keeper waits for the next start, and is done once', async () => {
  const running: AbortSignal[] = [];
  runner.add({
    name: 'long work',
    when: { every: 3_600_000, firstAfter: 0 },
    run: (signal) => {
      running.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  await commit('one');
  await put('configRepos', {
    id: 'repo',
    plugin_id: 'yaml.config.plugin',
    material: { type: 'git', attributes: { url: origin.path, branch: 'main' } },
    rules: ANYTHING,
  });
  await assert.rejects(parts.configRepos.updateConfigRepo('repo'), NotKeeper);
  assert.deepEqual([running.length, pipelines()], [0, []]);

  await background.start();
  await until('its pipeline', () => pipelines().length === 1);
  await until(
    'the end of the update',
    async () => (await database.query.selectFrom('config_repo_parses').selectAll().execute()).length > 0,
  );
  assert.equal(running.length, 1);

  await background.stop();
  assert.ok(running[0]!.reason instanceof KeeperRoleLost);
  assert.deepEqual(
    runner
      .running()
      .map(({ name }) => name)
      .filter((name) => name === 'long work'),
    [],
  );
  await commit('two');
  await assert.rejects(parts.materials.requestPoll('any'), NotKeeper);
  await assert.rejects(parts.backup.backups.request('ada', 'USER'), NotKeeper);
  assert.deepEqual([pipelines(), await modificationIds()], [['one'], [1]]);
  // Another server has recorded something of another repository.
  const material = { fingerprint: 'other', type: 'git', description: 'other', directory: 'other', modification_count: 1 };
  await database.query
    .insertInto('materials')
    .values({ id: 99, ...material, poll_count: 1, failures: 0 })
    .execute();
  const modification = { id: 7, material_id: 99, ordinal: 1, revision: 'r', modified_time: 0 };
  const unsaid = { user_name: null, email: null, comment: null, pipeline_label: null, pipeline_id: null, additional_data: null };
  await database.query
    .insertInto('modifications')
    .values({ ...modification, ...unsaid })
    .execute();

  await background.start();
  await parts.configRepos.updateConfigRepo('repo');
  await until('both pipelines', () => pipelines().length === 2);
  assert.deepEqual(await modificationIds(), [1, 7, 8]);
  const parses = () => database.query.selectFrom('config_repo_parses').select('outcome').execute();
  await until('the end of the update', async () => (await parses()).length > 1);
  assert.deepEqual(
    (await parses()).map(({ outcome }) => outcome),
    ['published', 'published'],
  );
  assert.equal(running.length, 2);
  assert.deepEqual(errors, []);
});
