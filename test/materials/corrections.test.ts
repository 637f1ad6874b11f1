// A user corrects a faulty material of a real configuration: it is polled again, and the messages about it are right.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SettingValues } from '../../src/contracts/plugins/plugin.ts';
import { HealthMessages } from '../../src/health/messages.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { PeriodicRunner } from '../../src/kit/concurrency/periodic/periodic.ts';
import { MaterialCatalogue } from '../../src/materials/catalogue/catalogue.ts';
import type { MaterialClient, PolledMaterial } from '../../src/materials/clients/client.ts';
import { MaterialPoller } from '../../src/materials/polling/poller.ts';
import { materialTools } from '../../src/server/open/material-tools.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { Materials } from '../../src/store/materials/materials.ts';
import { Modifications } from '../../src/store/materials/modifications.ts';
import { RequestedPolls } from '../../src/store/materials/requested-polls.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { ALLOW_ALL_ADDRESSES } from '../support/server/allow-all-addresses.ts';
import { changeIn, type JsonEdit, pipelineOf } from './support/configured.ts';

const KIND = 'material update';
const MINUTE = 60_000;
const RIGHT = 'open sesame';

let world: TestConfiguration;
let clock: FakeClock;
let health: HealthMessages;
let runner: PeriodicRunner;
let poller: MaterialPoller;
let materials: Materials;
/** The passwords that were tried. */
let tried: unknown[];
let faults: unknown[];
beforeEach(async () => {
  world = await TestConfiguration.open();
  tried = [];
  faults = [];
  clock = new FakeClock();
  health = new HealthMessages();
  runner = new PeriodicRunner({ clock, slots: { [KIND]: 4 }, onFailure: (_, fault) => faults.push(fault) });
  runner.startKeeperJobs();
  materials = new Materials(world.database);
  const catalogue = new MaterialCatalogue(world.config, materialTools(world.cipher, world.plugins));
  world.changes.listen(({ edits }) => catalogue.note(edits));
  poller = new MaterialPoller({
    catalogue,
    runner,
    kind: KIND,
    clients: { git: doorkeeper, svn: doorkeeper, plugin: doorkeeper, package: doorkeeper },
    materials,
    requestedPolls: new RequestedPolls(world.database),
    modifications: new Modifications(world.database),
    health,
    directory: world.dataDir,
    rules: ALLOW_ALL_ADDRESSES,
    intervalMs: MINUTE,
    secrets: { resolve: async (text) => text, resolveAll: async (settings) => settings },
    hasRoom: () => true,
    detailsOf: () => ({}),
    onFailure: (fault) => faults.push(fault),
    now: clock.now,
  });
  await poller.start();
});
afterEach(async () => {
  await runner.stop();
  await poller.stop();
  await world.close();
  assert.deepEqual(faults, []);
});

/** Accepts only the right password, and has nothing new after the first poll. */
const doorkeeper: Pick<MaterialClient<PolledMaterial>, 'poll'> = {
  async *poll({ password, settings, repository }, known) {
    const inSettings = (values: unknown, key: string) => (values as SettingValues | undefined)?.get(key);
    const given = password ?? inSettings(settings, 'password') ?? inSettings(repository, 'PASSWORD');
    tried.push(given);
    if (given !== RIGHT) throw new Error('wrong password');
    if (!known) yield [{ revision: '1', userName: null, email: null, comment: null, modifiedTime: new Date(), files: [] }];
  },
};

async function change(...edits: readonly JsonEdit[]): Promise<void> {
  await changeIn(world, edits);
  await poller.sync();
}

async function forward(milliseconds: number): Promise<void> {
  await clock.forward(milliseconds);
  for (let tries = 0; runner.running().length > 0; tries++) {
    assert.ok(tries < 400, 'polls do not end');
    await pause(5);
  }
}

const inClear = (settings: Readonly<Record<string, string>>) => Object.entries(settings).map(([key, value]) => ({ key, value }));
const pipelineWith = (...written: readonly JsonObject[]): JsonEdit => ['pipelines', 'p', pipelineOf('p', 'g', written)];
const scm = (id: string, password: string, more: JsonObject = {}): JsonEdit => [
  'scms',
  id,
  {
    id,
    name: id,
    plugin_metadata: { id: 'git-path', version: '1' },
    configuration: inClear({ url: 'https://git.example.com/a', path: 'docs', password }),
    ...more,
  },
];

const SETTLED: Readonly<Record<string, { readonly before: readonly JsonEdit[]; put(password: string): JsonEdit }>> = {
  git: {
    before: [],
    put: (password) =>
      pipelineWith({ type: 'git', attributes: { url: 'https://git.example.com/a', branch: 'main', username: 'bob', password } }),
  },
  svn: {
    before: [],
    put: (password) => pipelineWith({ type: 'svn', attributes: { url: 'https://svn.example.com/a', username: 'bob', password } }),
  },
  'an SCM': {
    before: [pipelineWith({ type: 'plugin', attributes: { ref: 'scm' } })],
    put: (password) => scm('scm', password),
  },
  'a package': {
    before: [
      ['packages', 'one', { id: 'one', name: 'one', package_repo: { id: 'repo' }, configuration: inClear({ PACKAGE_NAME: 'one' }) }],
      pipelineWith({ type: 'package', attributes: { ref: 'one' } }),
    ],
    put: (password) => {
      const configuration = inClear({ REPO_URL: 'https://npm.example.com/', USERNAME: 'bob', PASSWORD: password });
      const plugin_metadata = { id: 'slipway.package.npm', version: '1' };
      return ['packageRepositories', 'repo', { repo_id: 'repo', name: 'repo', plugin_metadata, configuration }];
    },
  },
};

describe('a new password', () => {
  for (const [what, { before, put }] of Object.entries(SETTLED)) {
    test(`a new password of ${what} leads to a poll at once`, async () => {
      await change(['pipelineGroups', 'g', { name: 'g' }], put('guess'), ...before);
      await forward(10_000);
      assert.deepEqual([tried, health.all().length], [['guess'], 1]);
      await change(['pipelines', 'other', pipelineOf('other', 'g', [{ type: 'git', attributes: { url: 'x' } }])]);
      await change(['pipelines', 'other', null]);
      await forward(1);
      assert.deepEqual(tried, ['guess'], 'a change elsewhere is no reason');
      await change(put(RIGHT));
      await forward(1);
      assert.deepEqual([tried, health.all()], [['guess', RIGHT], []]);
    });
  }
});

describe('the health message of a material', () => {
  const shared = { type: 'git', attributes: { url: 'https://git.example.com/shared' } };

  test('names those that use it now', async () => {
    await change(
      ['pipelineGroups', 'g', { name: 'g' }],
      ['pipelines', 'first', pipelineOf('first', 'g', [shared])],
      ['pipelines', 'second', pipelineOf('second', 'g', [shared])],
    );
    await forward(10_000);
    const affected = () => health.all().map(({ message }) => message.split('\n')[1]);
    assert.deepEqual(affected(), ['Affected pipelines are first, second.']);
    await change(['pipelines', 'first', null]);
    assert.deepEqual(affected(), ['Affected pipelines are second.']);
    await forward(1);
    assert.equal(tried.length, 1, 'that is no reason to poll again');
  });

  test('describes it in the words of now', async () => {
    const named = (name: string): readonly JsonEdit[] => [
      ['packageRepositories', 'repo', { ...(SETTLED['a package']!.put(RIGHT)[2] as JsonObject), name }],
    ];
    await change(['pipelineGroups', 'g', { name: 'g' }], ...named('old'), ...SETTLED['a package']!.before);
    await forward(10_000);
    await forward(MINUTE);
    const described = async () => (await materials.all()).map(({ description }) => description);
    assert.deepEqual(await described(), ['Package: [old: one]']);
    await change(...named('new'));
    await forward(MINUTE);
    assert.deepEqual(await described(), ['Package: [new: one]']);
  });
});
