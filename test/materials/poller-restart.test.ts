// The poller of a server that is the keeper, then not, then again: the work of other servers counts, and nothing is done twice.
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HealthMessages } from '../../src/health/messages.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { KeeperRoleLost, NotKeeper } from '../../src/kit/concurrency/periodic/keeper.ts';
import { PeriodicRunner } from '../../src/kit/concurrency/periodic/periodic.ts';
import type { Material } from '../../src/materials/catalogue/material.ts';
import type { Clients } from '../../src/materials/polling/poll-material.ts';
import { MaterialPoller } from '../../src/materials/polling/poller.ts';
import type { Database } from '../../src/store/database.ts';
import { Materials } from '../../src/store/materials/materials.ts';
import { Modifications, type ModificationToRecord } from '../../src/store/materials/modifications.ts';
import { RequestedPolls } from '../../src/store/materials/requested-polls.ts';
import { writtenGit } from '../support/configuration/written-material.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { ALLOW_ALL_ADDRESSES } from '../support/server/allow-all-addresses.ts';
import { until } from '../support/until.ts';
import { Lab } from './support/polling.ts';

const KIND = 'material update';
const MINUTE = 60_000;
const FIRST_POLL = 10_000;

const lab = new Lab();
after(() => lab.remove());

let clock: FakeClock;
let runner: PeriodicRunner;
let database: Database;
let materials: Materials;
let modifications: Modifications;
let health: HealthMessages;
let configured: ReadonlyMap<string, Material>;
let changed: Set<string>;
let poller: MaterialPoller;
/** The address and the known revision of each poll. */
let polls: [url: unknown, known: string | undefined][];
let ended: string[];
let faults: unknown[];
/** Answers a poll. */
let answer: (signal: AbortSignal) => Promise<readonly ModificationToRecord[]>;

beforeEach(async () => {
  clock = new FakeClock();
  configured = new Map();
  changed = new Set();
  polls = [];
  ended = [];
  faults = [];
  answer = async () => [modification(`own ${polls.length}`)];
  health = new HealthMessages();
  database = await openTestDatabase(lab.newPath('database'));
  materials = new Materials(database);
  modifications = new Modifications(database);
  runner = new PeriodicRunner({ clock, slots: { [KIND]: 4 }, onFailure: (_, failure) => faults.push(failure) });
  poller = new MaterialPoller({
    catalogue: {
      current: async () => configured,
      takeChanged: () => {
        const taken = changed;
        changed = new Set();
        return taken;
      },
      get hasChanged() {
        return changed.size > 0;
      },
    },
    runner,
    kind: KIND,
    clients,
    materials,
    requestedPolls: new RequestedPolls(database),
    modifications,
    health,
    directory: lab.newPath('flyweight'),
    rules: ALLOW_ALL_ADDRESSES,
    intervalMs: MINUTE,
    secrets: { resolve: async (text) => text, resolveAll: async (settings) => settings },
    hasRoom: () => true,
    detailsOf: () => ({}),
    onFailure: (failure) => faults.push(failure),
    now: clock.now,
  });
  poller.listen(({ material: { fingerprint } }) => ended.push(fingerprint));
});
afterEach(async () => {
  await stop();
  await runner.stop();
  await database.close();
  assert.deepEqual(faults, []);
});

const clients: Clients = {
  git: {
    async *poll({ url }, known, { signal }) {
      polls.push([url, known?.revision]);
      yield await answer(signal);
    },
  },
};

function modification(revision: string): ModificationToRecord {
  return { revision, userName: null, email: null, comment: null, modifiedTime: new Date(), files: [] };
}

function material(url: string, more: Partial<Material> = {}): Material {
  const written = writtenGit(url);
  const fingerprint = `fingerprint of ${url}`;
  const toPoll = () => ({ type: 'git', fingerprint, url, branch: 'main' });
  return { fingerprint, type: 'git', autoUpdate: true, written, definition: undefined, uses: [], configRepos: [], toPoll, ...more };
}

function configure(...all: readonly Material[]): void {
  const before = configured;
  configured = new Map(all.map((one) => [one.fingerprint, one]));
  for (const fingerprint of [...before.keys(), ...configured.keys()]) changed.add(fingerprint);
  poller.configurationChanged();
}

async function start(): Promise<void> {
  await poller.start();
  runner.startKeeperJobs();
  await poller.sync();
}

async function stop(): Promise<void> {
  await runner.stopKeeperJobs();
  await poller.stop();
}

async function forward(milliseconds: number): Promise<void> {
  await clock.forward(milliseconds);
  await until('the end', () => runner.running().length === 0);
  await pause(5);
}

const rows = () => database.query.selectFrom('modifications').select(['id', 'revision', 'ordinal']).orderBy('id').execute();
const requested = () => database.query.selectFrom('material_wishes').selectAll().execute();
const urls = () => polls.map(([url]) => url);

test('modifications, requests and failures that other servers have recorded meanwhile count', async () => {
  const quiet = material('quiet', { autoUpdate: false });
  configure(material('a'), material('b'), quiet);
  await start();
  await forward(FIRST_POLL);
  assert.deepEqual(urls(), ['a', 'b']);
  await stop();

  const other = new Modifications(database);
  await other.load();
  const [a, b] = [(await materials.find('fingerprint of a'))!, (await materials.find('fingerprint of b'))!];
  await other.record(a.id, [modification('other 1'), modification('other 2')]);
  const otherMaterials = new Materials(database);
  otherMaterials.polled(b.id, { at: new Date(clock.now()), failure: 'no answer' });
  await otherMaterials.writePolls();
  const requestedPolls = new RequestedPolls(database);
  await requestedPolls.load();
  await requestedPolls.add(quiet.fingerprint);
  polls = [];

  await start();
  assert.deepEqual(
    health.all().map(({ detail }) => detail),
    ['no answer'],
  );
  await forward(FIRST_POLL);
  assert.deepEqual(
    polls.toSorted(([one], [two]) => (String(one) < String(two) ? -1 : 1)),
    [
      ['a', 'other 2'],
      ['b', 'own 2'],
      ['quiet', undefined],
    ],
  );
  await until('the end of the request', async () => (await requested()).length === 0);
  assert.deepEqual(health.all(), []);
  const recorded = await rows();
  assert.deepEqual(
    recorded.map(({ id }) => id),
    recorded.map((_, index) => index + 1),
  );
  assert.deepEqual(
    recorded.slice(0, 4).map(({ revision, ordinal }) => [revision, ordinal]),
    [
      ['own 1', 1],
      ['own 2', 1],
      ['other 1', 2],
      ['other 2', 3],
    ],
  );
});

test('materials that have come into the configuration meanwhile are polled, and removed ones are not', async () => {
  configure(material('stays'), material('goes'));
  await start();
  await forward(FIRST_POLL);
  await stop();
  configure(material('stays'), material('comes'));
  changed.clear(); // another reader has taken the list of changes
  polls = [];
  await start();
  await forward(FIRST_POLL);
  assert.deepEqual(urls().toSorted(), ['comes', 'stays']);
  await forward(MINUTE);
  assert.equal(polls.length, 4, 'each of them once more, not twice');
});

test('between a stop and a start nothing runs, nothing is known, and there is no health message', async () => {
  answer = () => Promise.reject(new Error('no answer'));
  configure(material('a'));
  await assert.rejects(poller.requestPoll('fingerprint of a'), NotKeeper);
  await start();
  await forward(FIRST_POLL);
  assert.equal(health.all().length, 1);
  await stop();
  assert.deepEqual(health.all(), []);
  configure(material('a'), material('b'));
  await forward(60 * MINUTE);
  assert.equal(polls.length, 1);
  assert.equal(clock.alarms, 0, 'no job is left');
  await assert.rejects(poller.requestPoll('fingerprint of a'), NotKeeper);
  await assert.rejects(poller.findExternal('fingerprint of a'), NotKeeper);
  assert.throws(() => poller.stateOf('fingerprint of a'), NotKeeper);
  assert.deepEqual(await requested(), []);
});

test('a stop waits for a poll that is under way, and the next start repeats it', async () => {
  const quiet = material('quiet', { autoUpdate: false });
  const gate = Promise.withResolvers<void>();
  let reason: unknown;
  answer = async (signal) => {
    signal.addEventListener('abort', () => (reason = signal.reason));
    await gate.promise;
    signal.throwIfAborted();
    return [modification('own')];
  };
  configure(quiet);
  await start();
  await poller.requestPoll(quiet.fingerprint);
  await clock.forward(0);
  await until('the poll', () => polls.length === 1);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await pause(20);
  assert.ok(reason instanceof KeeperRoleLost);
  assert.equal(isStopped, false);
  gate.resolve();
  await stopped;
  assert.deepEqual([ended, await rows()], [[], []], 'nobody is notified of a poll that was stopped');
  assert.equal((await requested()).length, 1);
  await start();
  await forward(0);
  assert.deepEqual(
    (await rows()).map(({ revision }) => revision),
    ['own'],
  );
  assert.deepEqual([ended, await requested()], [[quiet.fingerprint], []]);
});

test('a stop waits for a requested update that is not on disk yet', async () => {
  const quiet = material('quiet', { autoUpdate: false });
  configure(quiet);
  await start();
  const asked = poller.requestPoll(quiet.fingerprint);
  await stop();
  assert.equal((await requested()).length, 1);
  assert.equal(await asked, 'scheduled');
});

test('unsaved poll results are dropped when another server becomes the keeper', async (t) => {
  configure(material('a'));
  await start();
  await forward(FIRST_POLL);
  await materials.writePolls();
  await forward(MINUTE);
  const broken = t.mock.method(database, 'writeRelaxed', () => Promise.reject(new Error('not the keeper any more')));
  await runner.stopKeeperJobs();
  await assert.rejects(poller.stop(), /not the keeper any more/);
  broken.mock.restore();
  const before = (await materials.find('fingerprint of a'))!.pollCount;
  await start();
  await materials.writePolls();
  assert.equal((await materials.find('fingerprint of a'))!.pollCount, before);
});
