// The poller with a real database and a clock that is put forward by hand: when it looks, what it records, what it tells.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HealthMessages } from '../../src/health/messages.ts';
import { HandClock } from '../../src/kit/hand-clock.ts';
import { PeriodicRunner } from '../../src/kit/periodic.ts';
import type { MaterialClient, NewModification, PolledMaterial } from '../../src/materials/client.ts';
import { gitClient } from '../../src/materials/git/git-client.ts';
import type { Material } from '../../src/materials/of-config.ts';
import type { Clients } from '../../src/materials/poll-material.ts';
import { MaterialPoller } from '../../src/materials/poller.ts';
import type { Database } from '../../src/store/database.ts';
import { Materials } from '../../src/store/materials.ts';
import { migrate } from '../../src/store/migrate.ts';
import { Modifications } from '../../src/store/modifications.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { GitOrigin } from './support/git-origin.ts';
import { Lab } from './support/polling.ts';

const KIND = 'material update';
const MINUTE = 60_000;

const lab = new Lab();
after(() => lab.remove());

let clock: HandClock;
let runner: PeriodicRunner;
let database: Database;
let materials: Materials;
let modifications: Modifications;
let health: HealthMessages;
let directory: string;
let configured: ReadonlyMap<string, Material>;
let poller: MaterialPoller;
let faults: unknown[];
beforeEach(async () => {
  clock = new HandClock();
  directory = lab.newPath('flyweight');
  database = openSqlite(lab.newPath('database'));
  await migrate(database.query);
  materials = new Materials(database);
  modifications = await Modifications.load(database);
  faults = [];
});
afterEach(async () => {
  await runner.stop();
  await poller.close();
  await database.close();
  assert.deepEqual(faults, []);
});

async function open(clients: Clients, { isPolling = true, places = 2, hasRoom = true } = {}): Promise<void> {
  health = new HealthMessages();
  runner = new PeriodicRunner({ clock, places: { [KIND]: places }, onFailure: (_, failure) => faults.push(failure) });
  poller = await MaterialPoller.open({
    catalogue: {
      get current() {
        return configured;
      },
    },
    runner,
    kind: KIND,
    clients,
    materials,
    modifications,
    health,
    directory,
    intervalMs: isPolling ? MINUTE : undefined,
    hasRoom: () => hasRoom,
    detailsOf: ({ type }) => ({ type }),
    onFailure: (failure) => faults.push(failure),
    now: clock.now,
  });
  poller.sync();
}

function configure(...all: readonly Material[]): void {
  configured = new Map(all.map((one) => [one.fingerprint, one]));
}

function material(url: string, more: Partial<Material> = {}): Material {
  const written = { type: 'git', attributes: { url, branch: 'main' } };
  return {
    fingerprint: `fingerprint of ${url}`,
    type: 'git',
    autoUpdate: true,
    written,
    definition: undefined,
    uses: ['web', 'shop'].map((pipeline, position) => ({ group: 'g', pipeline, written, position })),
    configRepos: [],
    toPoll: () => ({ type: 'git', fingerprint: `fingerprint of ${url}`, url, branch: 'main' }),
    ...more,
  };
}

/** Says what it is told to, and when it was asked. */
class Scripted {
  readonly looks: { readonly url: unknown; readonly at: number; readonly known: string | undefined }[] = [];
  fails: string | undefined;
  running = 0;
  most = 0;
  end: Promise<unknown> = Promise.resolve();
  readonly #self = this;

  get clients(): Clients {
    const script = this.#self;
    const client: Pick<MaterialClient<PolledMaterial>, 'poll'> = {
      async *poll({ url }, known) {
        script.looks.push({ url, at: clock.now(), known: known?.revision });
        script.most = Math.max(script.most, ++script.running);
        try {
          await script.end;
          if (script.fails !== undefined) throw new Error(script.fails);
          yield [modification(`r${script.looks.length}`)];
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

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return;
    await pause(10);
  }
  assert.fail(`${what} has not come`);
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

describe('when it looks', () => {
  test('soon after the start, then a while after the end of each look', async () => {
    const script = new Scripted();
    configure(material('a'));
    const start = clock.now();
    await open(script.clients);
    await forward(9_000);
    assert.equal(script.looks.length, 0);
    await forward(1_000);
    await forward(59_000);
    assert.deepEqual(script.looks, [{ url: 'a', at: start + 10_000, known: undefined }]);
    await forward(1_000);
    assert.deepEqual(script.looks.slice(1), [{ url: 'a', at: start + 70_000, known: 'r1' }]);
    assert.equal(await totalOf(material('a')), 2);
  });

  test('less and less often at what fails, also after a restart, and as usual when it is well again', async () => {
    const script = new Scripted();
    script.fails = 'no answer';
    configure(material('a'));
    await open(script.clients);
    await forward(10_000);
    await forward(5 * MINUTE - 1);
    assert.equal(script.looks.length, 1);
    await forward(1);
    assert.equal(script.looks.length, 2);
    await forward(7.5 * MINUTE - 1);
    assert.equal(script.looks.length, 2);
    await runner.stop();
    await poller.close();
    await open(script.clients);
    await forward(10_000);
    assert.equal(script.looks.length, 3);
    script.fails = undefined;
    assert.equal(poller.update(material('a').fingerprint), 'scheduled');
    await forward(1);
    await forward(MINUTE);
    assert.equal(script.looks.length, 5);
  });

  test('only on demand at what is not polled, and again when it is told during a look', async () => {
    const script = new Scripted();
    const quiet = material('a', { autoUpdate: false });
    configure(quiet);
    await open(script.clients);
    await forward(60 * MINUTE);
    assert.equal(script.looks.length, 0);
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    assert.equal(poller.update(quiet.fingerprint), 'scheduled');
    await clock.forward(1);
    await until('the look', () => script.running === 1);
    assert.equal(poller.update(quiet.fingerprint), 'scheduled');
    resolve();
    await until('the end of the look', () => script.running === 0);
    await until('the next look', async () => {
      await clock.forward(1);
      return script.looks.length === 2;
    });
    assert.equal(poller.update('unknown'), 'unknown');
  });

  test('never twice at once, and at no more at a time than there are places', async () => {
    const script = new Scripted();
    const all = ['a', 'b', 'c', 'd', 'e'].map((url) => material(url));
    configure(...all);
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    await open(script.clients, { places: 2 });
    await clock.forward(10_000);
    await until('the looks', () => script.running === 2);
    assert.deepEqual(runner.running()[0]!.details, { type: 'git' });
    assert.deepEqual(
      all.map(({ fingerprint }) => poller.update(fingerprint)),
      Array(5).fill('busy'),
    );
    resolve();
    await until('all looks', () => script.looks.length === 5);
    assert.equal(script.most, 2);
  });

  test('not while the runner is paused, and right after it', async () => {
    const script = new Scripted();
    configure(material('a'));
    await open(script.clients);
    runner.pause();
    await forward(10 * MINUTE);
    poller.update(material('a').fingerprint);
    await forward(1);
    assert.equal(script.looks.length, 0);
    runner.resume();
    await forward(1);
    assert.equal(script.looks.length, 1);
  });

  test('without an interval only on demand', async () => {
    const script = new Scripted();
    configure(material('a'));
    await open(script.clients, { isPolling: false });
    await forward(10 * MINUTE);
    assert.equal(script.looks.length, 0);
    poller.update(material('a').fingerprint);
    await forward(1);
    assert.equal(script.looks.length, 1);
  });
});

describe('what it tells', () => {
  const messages = () => health.all().map(({ level, message, detail }) => ({ level, message, detail }));

  test('a failure until it is over, without the password', async () => {
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

  test('a type without a client, and a disk without room', async () => {
    configure(material('a', { type: 'tfs', uses: [], configRepos: ['repo'] }));
    await open({});
    await forward(10_000);
    const [told] = messages();
    assert.match(told!.message, /\nNo pipelines affected, may only affect configuration repositories\.$/);
    assert.equal(told!.detail, 'This server cannot look at materials of the type tfs yet.');
    configure();
    poller.sync();
    assert.deepEqual(messages(), []);
    await runner.stop();
    configure(material('b'));
    await open(new Scripted().clients, { hasRoom: false });
    await forward(10_000);
    assert.equal(messages()[0]!.detail, 'server is too low on disk to continue with material update');
  });

  test('a first look that finds nothing', async () => {
    configure(material('a'));
    await open({ git: { poll: async function* () {} } });
    await forward(10_000);
    assert.match(messages()[0]!.detail, /^Latest modifications check for the material 'URL: a, Branch: main' returned an empty/);
  });

  test('a look that shows no activity for long', async () => {
    const script = new Scripted();
    const { promise, resolve } = Promise.withResolvers<void>();
    script.end = promise;
    configure(material('a'));
    await open(script.clients);
    await clock.forward(10_000);
    await until('the look', () => script.running === 1);
    await clock.forward(16 * MINUTE);
    const [told] = messages();
    assert.deepEqual([told?.level, told?.message], ['WARNING', 'Material update for a hung:']);
    resolve();
    await until('silence', () => messages().length === 0);
  });
});

test('a real git repository: new commits, a branch that goes and comes back, and its directory goes with it', async () => {
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
  poller.sync();
  await until('the end of the directory', () => !existsSync(join(directory, folder!)));
});
