// The poller with a real database and a clock that is put forward by hand: its times, its records and its messages.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HealthMessages } from '../../src/health/messages.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { PeriodicRunner } from '../../src/kit/concurrency/periodic/periodic.ts';
import type { Material } from '../../src/materials/catalogue/material.ts';
import type { ExternalLocation, MaterialClient, NewModification, PolledMaterial } from '../../src/materials/clients/client.ts';
import type { Clients } from '../../src/materials/polling/poll-material.ts';
import { MaterialPoller } from '../../src/materials/polling/poller.ts';
import { gitClient } from '../../src/materials/types/git/git-client.ts';
import { svnClient } from '../../src/materials/types/svn/svn-client.ts';
import type { Database } from '../../src/store/database.ts';
import { Materials } from '../../src/store/materials/materials.ts';
import { Modifications } from '../../src/store/materials/modifications.ts';
import { RequestedPolls } from '../../src/store/materials/requested-polls.ts';
import { writtenGit } from '../support/configuration/written-material.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { ALLOW_ALL_ADDRESSES } from '../support/server/allow-all-addresses.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';
import { until } from '../support/until.ts';
import { GitOrigin } from './support/git-origin.ts';
import { Lab, listenDuring } from './support/polling.ts';

const KIND = 'material update';
const MINUTE = 60_000;

const lab = new Lab();
after(() => lab.remove());

let clock: FakeClock;
let runner: PeriodicRunner;
let database: Database;
let materials: Materials;
let modifications: Modifications;
let health: HealthMessages;
let directory: string;
let configured: ReadonlyMap<string, Material>;
let changed: Set<string>;
let poller: MaterialPoller;
let faults: unknown[];
beforeEach(async () => {
  clock = new FakeClock();
  configured = new Map();
  changed = new Set();
  directory = lab.newPath('flyweight');
  database = await openTestDatabase(lab.newPath('database'));
  materials = new Materials(database);
  modifications = new Modifications(database);
  await modifications.load();
  faults = [];
});
afterEach(async () => {
  await runner.stop();
  await poller.stop();
  await database.close();
  assert.deepEqual(faults, []);
});

async function open(clients: Clients, { isPolling = true, slots = 4, hasRoom = true } = {}): Promise<void> {
  health = new HealthMessages();
  runner = new PeriodicRunner({ clock, slots: { [KIND]: slots }, onFailure: (_, failure) => faults.push(failure) });
  runner.startKeeperJobs();
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
    directory,
    rules: ALLOW_ALL_ADDRESSES,
    intervalMs: isPolling ? MINUTE : undefined,
    secrets: { resolve: async (text) => text, resolveAll: async (settings) => settings },
    hasRoom: () => hasRoom,
    detailsOf: ({ type }) => ({ type }),
    onFailure: (failure) => faults.push(failure),
    now: clock.now,
  });
  await poller.start();
  for (const fingerprint of configured.keys()) changed.add(fingerprint);
  await poller.sync();
}

function configure(...all: readonly Material[]): void {
  const before = configured;
  configured = new Map(all.map((one) => [one.fingerprint, one]));
  for (const fingerprint of [...before.keys(), ...configured.keys()]) changed.add(fingerprint);
}

function material(url: string, more: Partial<Material> = {}): Material {
  const written = writtenGit(url);
  return {
    fingerprint: `fingerprint of ${url}`,
    type: 'git',
    autoUpdate: true,
    written,
    definition: undefined,
    uses: ['web', 'shop'].map((pipeline, position) => ({ group: 'g', pipeline, written, order: [position] })),
    configRepos: [],
    toPoll: () => ({ type: 'git', fingerprint: `fingerprint of ${url}`, url, branch: 'main' }),
    ...more,
  };
}

/** Answers as scripted, and records when it was asked. */
class Scripted {
  readonly polls: { readonly url: unknown; readonly at: number; readonly known: string | undefined }[] = [];
  fails: string | undefined;
  running = 0;
  maxRunning = 0;
  end: Promise<unknown> = Promise.resolve();
  readonly #self = this;

  get clients(): Clients {
    const script = this.#self;
    const client: Pick<MaterialClient<PolledMaterial>, 'poll'> = {
      async *poll({ url }, known) {
        script.polls.push({ url, at: clock.now(), known: known?.revision });
        script.maxRunning = Math.max(script.maxRunning, ++script.running);
        try {
          await script.end;
          if (script.fails !== undefined) throw new Error(script.fails);
          yield [modification(`r${script.polls.length}`)];
        } finally {
          script.running--;
        }
      },
    };
    return { git: client };
  }
}

function modification(revision: string): NewModification {
  return { revision, userName: 'Ann', email: null, comment: null, modifiedTime: new Date(), files: [] };
}

/** Puts the clock forward and waits until nothing runs. */
async function forward(milliseconds: number): Promise<void> {
  await clock.forward(milliseconds);
  await until('the end', () => runner.running().length === 0);
  await pause(5);
}

const totalOf = async (one: Material) => {
  const stored = await materials.find(one.fingerprint);
  return stored ? (await modifications.page(stored.id, 0, 1)).total : 0;
};

describe('polls', () => {
  test('a material is polled soon after the start, then a while after the end of each poll', async () => {
    const script = new Scripted();
    configure(material('a'));
    const start = clock.now();
    await open(script.clients);
    await forward(9_000);
    assert.equal(script.polls.length, 0);
    await forward(1_000);
    await forward(59_000);
    assert.deepEqual(script.polls, [{ url: 'a', at: start + 10_000, known: undefined }]);
    await forward(1_000);
    assert.deepEqual(script.polls.slice(1), [{ url: 'a', at: start + 70_000, known: 'r1' }]);
    assert.equal(await totalOf(material('a')), 2);
  });

  test('a failing material is polled less and less often, once more after a restart, and as usual when it works', async () => {
    const script = new Scripted();
    script.fails = 'no answer';
    configure(material('a'));
    await open(script.clients);
    await forward(10_000);
    await forward(5 * MINUTE - 1);
    assert.equal(script.polls.length, 1);
    await forward(1);
    assert.equal(script.polls.length, 2);
    await forward(7.5 * MINUTE - 1);
    assert.equal(script.polls.length, 2);
    await forward(1);
    assert.equal(script.polls.length, 3);
    await runner.stop();
    await poller.stop();
    await open(script.clients);
    await forward(10_000);
    assert.equal(script.polls.length, 4);
    await forward(5 * MINUTE - 1);
    assert.equal(script.polls.length, 4);
    script.fails = undefined;
    assert.equal(await poller.requestPoll(material('a').fingerprint), 'scheduled');
    await forward(1);
    await forward(MINUTE);
    assert.equal(script.polls.length, 6);
  });

  test('a material without auto-update is polled only on request, also when requested during a poll', async () => {
    const script = new Scripted();
    const quiet = material('a', { autoUpdate: false });
    configure(quiet);
    await open(script.clients);
    await forward(60 * MINUTE);
    assert.equal(script.polls.length, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    assert.equal(await poller.requestPoll(quiet.fingerprint), 'scheduled');
    await clock.forward(1);
    await until('the poll', () => script.running === 1);
    assert.equal(await poller.requestPoll(quiet.fingerprint), 'scheduled');
    resolve();
    await until('the end of the poll', () => script.running === 0);
    await until('the next poll', async () => {
      await clock.forward(1);
      return script.polls.length === 2;
    });
    assert.equal(await poller.requestPoll('unknown'), 'unknown');
  });

  test('a material with a request that no poll has served is polled after a restart', async () => {
    const script = new Scripted();
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    const silent = material('a', { autoUpdate: false });
    configure(silent, material('b', { autoUpdate: false }));
    await open(script.clients);
    assert.equal(await poller.requestPoll(silent.fingerprint), 'scheduled');
    const requestedPolls = async () =>
      (await database.query.selectFrom('material_wishes').selectAll().execute()).map(({ fingerprint }) => fingerprint);
    assert.deepEqual(await requestedPolls(), [silent.fingerprint]);
    const [killed, before] = [runner, poller];
    await open(script.clients);
    await clock.forward(0);
    await until('the poll', () => script.polls.length > 0);
    assert.ok(script.polls.every(({ url }) => url === 'a'));
    resolve();
    await until('the end of the request', async () => (await requestedPolls()).length === 0);
    await killed.stop();
    await before.stop();
  });

  test('a material is never polled twice at once, and new materials take at most half of the slots', async () => {
    const script = new Scripted();
    const all = ['a', 'b', 'c', 'd', 'e'].map((url) => material(url));
    configure(...all);
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    await open(script.clients, { slots: 4 });
    await clock.forward(10_000);
    await until('the polls', () => script.running === 2);
    assert.deepEqual(runner.running()[0]!.details, { type: 'git' });
    const verdicts = await Promise.all(all.map(({ fingerprint }) => poller.requestPoll(fingerprint)));
    assert.deepEqual(verdicts, ['busy', 'busy', 'scheduled', 'scheduled', 'scheduled'], 'who waits for a place is not under way yet');
    resolve();
    await until('all polls', () => script.polls.length === 5);
    assert.equal(script.maxRunning, 2);
  });

  test('a new material is polled soon, however many others do not answer', async () => {
    const hung = Promise.withResolvers<void>();
    const running = new Set<unknown>();
    let maxRunning = 0;
    const client: Pick<MaterialClient<PolledMaterial>, 'poll'> = {
      async *poll({ url }, _known, { signal }) {
        if (url === 'good') yield [modification('r1')];
        else {
          running.add(url);
          maxRunning = Math.max(maxRunning, running.size);
          const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          await Promise.race([hung.promise, stopped]);
          running.delete(url);
          throw new Error('no answer');
        }
      },
    };
    const bad = Array.from({ length: 9 }, (_, count) => material(`bad-${count}`));
    const good = material('good');
    configure(...bad);
    await open({ git: client }, { slots: 4 });
    await clock.forward(10_000);
    await until('the first that hang', () => running.size === 2);
    configure(...bad, good);
    await poller.requestPoll(good.fingerprint);
    for (let turn = 0; turn < 6 && (await totalOf(good)) === 0; turn++) {
      await clock.forward(5000);
      await pause(30);
    }
    assert.equal(await totalOf(good), 1);
    assert.ok(maxRunning <= 8, `${maxRunning} at a time`);
    assert.ok(bad.every(({ fingerprint }) => poller.isUnderWay(fingerprint, 'counted')));
    assert.equal(health.all().length, 0, 'to give way is no failure');
    hung.resolve();
    await until('the failures', async () => {
      await clock.forward(10);
      return health.all().length === 9;
    });
  });

  test('a sound material is polled soon, however many others answer without an end; a long wait is reported', async () => {
    const ends = Promise.withResolvers<void>();
    const running = new Set<unknown>();
    const client: Pick<MaterialClient<PolledMaterial>, 'poll'> = {
      async *poll({ url }, known, { signal, onActivity }) {
        if (url === 'good') yield [modification(`r${Number(known?.revision.slice(1) ?? 0) + 1}`)];
        else {
          running.add(url);
          const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          const talk = () => {
            if (!running.has(url)) return;
            onActivity();
            clock.after(500, talk);
          };
          talk();
          await Promise.race([ends.promise, stopped]);
          running.delete(url);
        }
      },
    };
    const good = material('good');
    const talkative = Array.from({ length: 9 }, (_, count) => material(`talkative-${count}`));
    for (const { fingerprint } of [...talkative, good]) {
      const stored = await materials.ensure({ fingerprint, type: 'git', description: fingerprint });
      await modifications.record(stored.id, [modification('r0')]);
    }
    configure(...talkative, good);
    await open({ git: client }, { slots: 2 });
    await clock.forward(10_000);
    for (let seconds = 0; seconds < 300; seconds++) {
      await clock.forward(1000);
      await pause(2);
      assert.ok(running.size <= 4, `${running.size} at a time`);
    }
    assert.ok((await totalOf(good)) >= 4, `${await totalOf(good)} polls`);
    assert.deepEqual(health.all(), []);
    await clock.forward(3 * MINUTE);
    const [message] = health.all();
    assert.deepEqual([message?.level, message?.message], ['WARNING', 'Material updates wait for a place:']);
    ends.resolve();
    await until('silence', async () => {
      await clock.forward(MINUTE);
      return health.all().length === 0;
    });
  });

  test('a failing material is polled at once when it is corrected', async () => {
    const script = new Scripted();
    script.fails = 'no answer';
    const withPassword = (digest: string, more: Partial<Material> = {}) =>
      material('a', { written: writtenGit('a', { cipherText: digest, digest }), ...more });
    configure(withPassword('wrong'));
    await open(script.clients);
    await forward(10_000);
    configure(withPassword('wrong', { uses: [] }));
    await poller.sync();
    await forward(1);
    assert.equal(script.polls.length, 1, 'that other pipelines use it is no reason');
    script.fails = undefined;
    configure(withPassword('right'));
    await poller.sync();
    await forward(1);
    assert.equal(script.polls.length, 2);
    configure(withPassword('other'));
    await poller.sync();
    await forward(MINUTE - 1);
    assert.equal(script.polls.length, 2, 'what is well can wait');
  });

  test('a material is not polled while the runner is paused, but right after it', async () => {
    const script = new Scripted();
    configure(material('a'));
    await open(script.clients);
    runner.pause();
    await forward(10 * MINUTE);
    await poller.requestPoll(material('a').fingerprint);
    await forward(1);
    assert.equal(script.polls.length, 0);
    runner.resume();
    await forward(1);
    assert.equal(script.polls.length, 1);
  });

  test('without an interval a material is polled only on demand', async () => {
    const script = new Scripted();
    configure(material('a'));
    await open(script.clients, { isPolling: false });
    await forward(10 * MINUTE);
    assert.equal(script.polls.length, 0);
    await poller.requestPoll(material('a').fingerprint);
    await forward(1);
    assert.equal(script.polls.length, 1);
  });
});

describe('health messages', () => {
  const messages = () => health.all().map(({ level, message, detail }) => ({ level, message, detail }));

  test('a failure has a message until it is over, without the password', async () => {
    const script = new Scripted();
    const secret = material('https://bob:hunter2@git.example.com/app');
    script.fails = 'https://bob:hunter2@git.example.com/app does not answer';
    configure(secret);
    await open(script.clients);
    await forward(10_000);
    assert.deepEqual(messages(), [
      {
        level: 'ERROR',
        message:
          'Modification check failed for material: URL: https://bob:******@git.example.com/app, Branch: main\nAffected pipelines are web, shop.',
        detail: 'https://bob:******@git.example.com/app does not answer',
      },
    ]);
    script.fails = undefined;
    await forward(5 * MINUTE);
    assert.deepEqual(messages(), []);
  });

  test('a failure has its message again after a restart, before any poll, also without auto-update', async () => {
    const script = new Scripted();
    script.fails = 'no answer';
    const quiet = material('quiet', { autoUpdate: false });
    configure(material('a'), quiet, material('gone'));
    await open(script.clients);
    await poller.requestPoll(quiet.fingerprint);
    await forward(10_000);
    assert.equal(messages().length, 3);
    // Known from then on even if the server is killed. The poll does not wait for the disk.
    await until('all failures on disk', async () => (await materials.all()).filter(({ failure }) => failure === 'no answer').length === 3);
    await runner.stop();
    await poller.stop();
    configure(material('a', { uses: [] }), quiet);
    await open(script.clients);
    assert.deepEqual(
      messages().map(({ message, detail }) => [message.split('\n')[0], detail]),
      ['a', 'quiet'].map((url) => [`Modification check failed for material: URL: ${url}, Branch: main`, 'no answer']),
    );
    script.fails = undefined;
    await forward(10_000);
    assert.match(
      messages()
        .map(({ message }) => message)
        .join(),
      /^Modification check failed for material: URL: quiet,/,
    );
    await poller.requestPoll(quiet.fingerprint);
    await forward(1);
    assert.deepEqual(messages(), []);
  });

  test('a type without a client, and a disk without room, have messages', async () => {
    configure(material('a', { type: 'tfs', uses: [], configRepos: ['repo'] }));
    await open({});
    await forward(10_000);
    const [message] = messages();
    assert.match(message!.message, /\nNo pipelines affected, may only affect configuration repositories\.$/);
    assert.equal(message!.detail, 'This server cannot poll materials of the type tfs yet.');
    configure();
    await poller.sync();
    assert.deepEqual(messages(), []);
    await runner.stop();
    configure(material('b'));
    await open(new Scripted().clients, { hasRoom: false });
    await forward(10_000);
    assert.equal(messages()[0]!.detail, 'server is too low on disk to continue with material update');
  });

  test('a first poll that finds nothing has a message', async () => {
    configure(material('a'));
    await open({ git: { poll: async function* () {} } });
    await forward(10_000);
    assert.match(messages()[0]!.detail, /^Latest modifications check for the material 'URL: a, Branch: main' returned an empty/);
  });

  test('a poll that shows no activity for long has a message', async () => {
    const script = new Scripted();
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    configure(material('a'));
    await open(script.clients);
    await clock.forward(10_000);
    await until('the poll', () => script.running === 1);
    await clock.forward(16 * MINUTE);
    const [message] = messages();
    assert.deepEqual([message?.level, message?.message], ['WARNING', 'Material update for a hung:']);
    resolve();
    await until('silence', () => messages().length === 0);
  });
});

test('a real git repository is polled: new commits, a branch that goes and comes back, its directory', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first', { 'a.txt': 'a' });
  const one = material(origin.path);
  configure(one);
  await open({ git: gitClient });
  await forward(10_000);
  assert.equal(await totalOf(one), 1);
  await origin.commit('second', { 'b.txt': 'b' });
  await origin.commit('third');
  await forward(MINUTE);
  assert.equal(await totalOf(one), 3);
  await origin.run('branch', '-m', 'main', 'gone');
  await forward(MINUTE);
  assert.equal(health.all().length, 1);
  await origin.run('branch', '-m', 'gone', 'main');
  await forward(5 * MINUTE);
  assert.equal(health.all().length, 0);
  const [folder] = readdirSync(directory);
  configure();
  await poller.sync();
  await until('the end of the directory', () => !existsSync(join(directory, folder!)));
});

test('directories that an earlier run left behind go, unless they are in use or are no material’s', async () => {
  configure(material('kept'));
  const directoryOf = async ({ fingerprint }: Material) =>
    (await materials.ensure({ fingerprint, type: 'git', description: fingerprint })).directory;
  const [kept, left] = [await directoryOf(material('kept')), await directoryOf(material('left'))];
  const unknown = randomUUID();
  for (const name of [kept, left, unknown, 'in-place.git']) mkdirSync(join(directory, name, 'inner'), { recursive: true });
  await open(new Scripted().clients);
  await until('the end of two', () => readdirSync(directory).length === 2);
  assert.deepEqual(readdirSync(directory).toSorted(), [kept, 'in-place.git'].toSorted());
});

describe('a material that another material brings in', () => {
  /** Answers as scripted, for each address. */
  function clientsWithExternals(brings: Readonly<Record<string, readonly string[]>>) {
    const polls: string[] = [];
    const state = { brings, polls, asked: 0, hasChanges: true, fails: false };
    const client: Clients['svn'] = {
      async *poll({ url }: PolledMaterial, known) {
        polls.push(String(url));
        if (state.hasChanges || !known) yield [modification(`r${polls.length}`)];
      },
      findExternals: async ({ url }: PolledMaterial) => {
        state.asked++;
        if (state.fails) throw new Error('not now');
        return (state.brings[String(url)] ?? []).map((other) => ({ url: other, rootUrl: 'root' }));
      },
      external: (owner: PolledMaterial, { url }: ExternalLocation) => ({ ...owner, url, fingerprint: `fingerprint of ${url}` }),
    };
    return { ...state, state, clients: { git: client } as Clients };
  }

  test('a material that another one brings in is polled like any other, as long as it is brought in', async () => {
    const { clients, polls, state } = clientsWithExternals({ a: ['x', 'y'], b: ['x'], x: ['deeper'] });
    configure(material('a'), material('b', { uses: [] }));
    await open(clients, { slots: 10 });
    await forward(10_000);
    await forward(1_000);
    assert.deepEqual(polls.toSorted(), ['a', 'b', 'x', 'y']);
    assert.deepEqual(
      (await poller.findExternal('fingerprint of x'))?.uses.map(({ pipeline }) => pipeline),
      ['web', 'shop'],
    );
    assert.equal(await poller.findExternal('fingerprint of deeper'), undefined);
    await forward(MINUTE);
    assert.equal(polls.filter((url) => url === 'y').length, 2);
    state.brings = { a: ['y'] };
    await forward(MINUTE);
    assert.equal(await poller.findExternal('fingerprint of x'), undefined);
    configure(material('b'));
    await poller.sync();
    assert.equal(await poller.findExternal('fingerprint of y'), undefined);
    polls.length = 0;
    await forward(2 * MINUTE);
    assert.deepEqual(new Set(polls), new Set(['b']));
  });

  test('brought-in materials are asked for once, and again only when something is new', async () => {
    const { clients, state } = clientsWithExternals({ a: ['x'] });
    configure(material('a'));
    await open(clients);
    await forward(10_000);
    state.hasChanges = false;
    for (let turn = 0; turn < 3; turn++) await forward(MINUTE);
    assert.equal(state.asked, 1);
    state.hasChanges = true;
    await forward(MINUTE);
    assert.equal(state.asked, 2);
    state.brings = { a: ['y'] };
    state.fails = true;
    await forward(MINUTE);
    assert.equal(health.all().length, 1);
    assert.equal((await poller.findExternal('fingerprint of x'))?.fingerprint, 'fingerprint of x', 'what was known before still counts');
    state.fails = false;
    state.hasChanges = false;
    await forward(5 * MINUTE);
    assert.equal((await poller.findExternal('fingerprint of y'))?.fingerprint, 'fingerprint of y');
  });

  test('brought-in materials are known after a restart before the first poll, unless an address holds a secret', async () => {
    const secret = 'https://bob:hunter2@svn.example.com/z';
    const { clients, polls, state } = clientsWithExternals({ a: ['x', 'y', secret] });
    configure(material('a'));
    await open(clients, { slots: 10 });
    await forward(10_000);
    await forward(1);
    assert.deepEqual(polls.toSorted(), ['a', secret, 'x', 'y']);
    assert.doesNotMatch((await materials.find('fingerprint of a'))!.data!, /hunter2/);
    await runner.stop();
    await poller.stop();
    state.hasChanges = false;
    state.brings = { a: ['x'] };
    await open(clients, { slots: 10 });
    assert.equal((await poller.findExternal('fingerprint of y'))?.fingerprint, 'fingerprint of y');
    assert.equal(await poller.findExternal(`fingerprint of ${secret}`), undefined);
    await forward(10_000);
    await forward(1);
    assert.equal(state.asked, 2);
    assert.equal(await poller.findExternal('fingerprint of y'), undefined);
    assert.equal((await poller.findExternal('fingerprint of x'))?.fingerprint, 'fingerprint of x');
  });

  test('a brought-in material that fails is polled again when the material that brings it in is corrected', async () => {
    const { clients, polls } = clientsWithExternals({ a: ['x'] });
    const bad = clients.git!;
    const withPassword = (password: string) => material('a', { written: writtenGit('a', { cipherText: password, digest: password }) });
    const failing: Clients['git'] = {
      ...bad,
      async *poll(one: PolledMaterial, known, context) {
        yield* (bad as MaterialClient<PolledMaterial>).poll(one, known, context);
        if (one.url === 'x') throw new Error('wrong password');
      },
    };
    configure(withPassword('guess'));
    await open({ git: failing });
    await forward(10_000);
    await forward(1);
    assert.deepEqual(polls.toSorted(), ['a', 'x']);
    configure(withPassword('other'));
    await poller.sync();
    await forward(1);
    assert.deepEqual(polls.toSorted(), ['a', 'x', 'x']);
  });

  test('a brought-in material without auto-update is polled when a client reports a change', async () => {
    const { clients, polls } = clientsWithExternals({ a: ['x'] });
    const quiet = material('a', { autoUpdate: false });
    configure(quiet);
    await open(clients);
    await forward(10 * MINUTE);
    assert.deepEqual(polls, []);
    for (let turn = 1; turn <= 2; turn++) {
      await poller.requestPoll(quiet.fingerprint);
      await forward(1);
      await forward(1);
      assert.equal(polls.filter((url) => url === 'x').length, turn);
    }
  });

  test('a brought-in material that is configured as well is polled once', async () => {
    const { clients, polls } = clientsWithExternals({ a: ['b'] });
    configure(material('a'), material('b'));
    await open(clients);
    await forward(10_000);
    await forward(1_000);
    assert.deepEqual(polls.toSorted(), ['a', 'b']);
    configure(material('a'));
    await poller.sync();
    await forward(MINUTE);
    assert.equal(polls.filter((url) => url === 'b').length, 2, 'it is still brought in');
  });
});

describe('a server that does not answer', () => {
  const SLOTS = 10;

  /** Takes connections, and says nothing on any. */
  async function silentServer(t: TestContext) {
    const lines = new Set<Socket>();
    const port = await listenDuring(
      t,
      createServer((line) => {
        lines.add(line.resume().on('error', () => {}));
        line.on('close', () => lines.delete(line));
      }),
    );
    t.after(() => {
      for (const line of lines) line.destroy();
    });
    return { port, lines };
  }

  /** Puts the clock forward until something is known of the good one, but not during its poll: programs run by a real clock. */
  async function untilKnown(good: Material, total: number): Promise<void> {
    await until('the good one', async () => {
      if ((await totalOf(good)) === total) return true;
      if (!poller.isUnderWay(good.fingerprint, 'not counted')) await clock.forward(1000);
      await pause(20);
      return false;
    });
  }

  test('a repository elsewhere is polled within seconds beside new repositories on a silent server', async (t) => {
    await ensureDebianPackages(['git']);
    const { port, lines } = await silentServer(t);
    const origin = await GitOrigin.make(lab.newPath('origin'));
    await origin.commit('one', { a: 'a' });
    const silent = Array.from({ length: 15 }, (_, count) => material(`http://127.0.0.1:${port}/${count}`));
    const good = material(origin.path);
    configure(...silent);
    await open({ git: gitClient }, { slots: SLOTS });
    await clock.forward(10_000);
    await until('the first of them', () => lines.size === SLOTS / 2);
    configure(...silent, good);
    const askedAt = clock.now();
    await poller.requestPoll(good.fingerprint);
    await untilKnown(good, 1);
    assert.ok(clock.now() - askedAt <= 30_000, `${clock.now() - askedAt} ms`);
    assert.ok(lines.size <= 2 * SLOTS, `${lines.size} at a time`);
    assert.deepEqual(health.all(), []);
    configure();
    await poller.sync();
    await until('the end of all polls', () => runner.running().length === 0 && lines.size === 0);
  });

  test('a repository elsewhere is polled as before when the server of others falls silent', async (t) => {
    await ensureDebianPackages(['git', 'subversion']);
    const { port, lines } = await silentServer(t);
    const origin = await GitOrigin.make(lab.newPath('origin'));
    await origin.commit('one', { a: 'a' });
    const silent = Array.from({ length: 15 }, (_, count) => {
      const url = `svn://127.0.0.1:${port}/${count}`;
      const fingerprint = `fingerprint of ${url}`;
      return material(url, { type: 'svn', toPoll: () => ({ type: 'svn', fingerprint, url, checkExternals: false }) });
    });
    const good = material(origin.path);
    for (const { fingerprint } of [...silent, good]) {
      const stored = await materials.ensure({ fingerprint, type: 'git', description: fingerprint });
      await modifications.record(stored.id, [modification('1')]);
    }
    configure(...silent, good);
    await open({ git: gitClient, svn: svnClient }, { slots: SLOTS });
    await clock.forward(10_000);
    await until('the first of them', () => lines.size === SLOTS);
    await untilKnown(good, 2);
    await origin.commit('more');
    const since = clock.now();
    await untilKnown(good, 3);
    assert.ok(clock.now() - since <= MINUTE + 30_000, `${clock.now() - since} ms`);
    assert.ok(lines.size <= 2 * SLOTS, `${lines.size} at a time`);
    configure();
    await poller.sync();
    await until('the end of all polls', () => runner.running().length === 0 && lines.size === 0);
  });

  test('does not keep others from being polled for long', async () => {
    const polls: string[] = [];
    const dead = Array.from({ length: 6 }, (_, index) => material(`dead-${index}`));
    const client: Clients['git'] = {
      async *poll({ url }: PolledMaterial, _known, { signal }) {
        polls.push(String(url));
        if (!String(url).startsWith('dead')) yield [modification(`r${polls.length}`)];
        else if (polls.filter((one) => one === url).length === 1) throw new Error('no answer');
        else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    };
    configure(...dead, material('well'));
    await open({ git: client }, { slots: 4 });
    await forward(10_000);
    assert.ok(polls.includes('well'), 'although it was new like the others');
    await clock.forward(5 * MINUTE);
    await until('the polls that hang', () => runner.running().length >= 2);
    polls.length = 0;
    for (let turn = 0; turn < 3; turn++) {
      const since = clock.now();
      await until('a poll of the material that is well', async () => {
        await clock.forward(1000);
        return polls.filter((url) => url === 'well').length > turn;
      });
      assert.ok(clock.now() - since <= MINUTE + 10_000, `${clock.now() - since} ms`);
    }
    configure();
    await poller.sync();
    await until('the end of all polls', () => runner.running().length === 0);
  });
});
