// Maintenance mode by a clock that is put forward by hand: on, off, its end, and the state that outlasts a server.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { PeriodicRunner } from '../../src/kit/concurrency/periodic/periodic.ts';
import { ALREADY_ON, MaintenanceMode, NOT_ON, readinessObstacle } from '../../src/maintenance/mode.ts';
import type { Order, Period } from '../../src/maintenance/period.ts';
import { StoredPeriod } from '../../src/maintenance/stored-period.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const directory = mkdtempSync(join(tmpdir(), 'slipway-maintenance-'));
const databases: Database[] = [];
after(async () => {
  for (const database of databases) await database.close();
  rmSync(directory, { recursive: true, force: true });
});

let clock: FakeClock;
let database: Database;
let ended: Period[];
let failures: unknown[];
let polls: number;
beforeEach(async () => {
  clock = new FakeClock();
  database = openSqlite(join(directory, `${databases.length}.db`));
  databases.push(database);
  await migrate(database);
  ended = [];
  failures = [];
});

/** Starts a mode as a server does when it starts; the mode before it counts as dead. */
function start({ startsOn = false, onEnded = (period: Period): unknown => ended.push(period) } = {}): Promise<MaintenanceMode> {
  const runner = new PeriodicRunner({ clock, onFailure: (_, failure) => failures.push(failure) });
  runner.startKeeperJobs();
  polls = 0;
  runner.add({ name: 'poll', when: { every: MINUTE }, run: () => void polls++ });
  const parts = {
    stored: new StoredPeriod(database),
    runner,
    now: clock.now,
    onEnded,
    onFailure: (failure: unknown) => failures.push(failure),
  };
  return MaintenanceMode.load(parts, { startsOn });
}

const order = (more: Partial<Order> = {}): Order => ({ by: 'jez', reason: null, until: null, survivesRestart: false, ...more });
const inMinutes = (minutes: number) => new Date(clock.now() + minutes * MINUTE).toISOString();

describe('switching the mode on and off', () => {
  test('maintenance mode is off, then on, then off, and names the user who changed it last', async () => {
    const mode = await start();
    assert.deepEqual([mode.isOn, mode.period, mode.lastChange], [false, undefined, undefined]);
    const since = inMinutes(0);
    await mode.enable(order({ reason: 'new disk' }));
    assert.equal(mode.isOn, true);
    assert.deepEqual(mode.period, { by: 'jez', reason: 'new disk', until: null, survivesRestart: false, since });
    assert.deepEqual(mode.lastChange, { by: 'jez', at: since });
    await clock.forward(DAY);
    assert.equal(mode.isOn, true);
    await mode.disable('bob');
    assert.deepEqual([mode.isOn, mode.period], [false, undefined]);
    assert.deepEqual(mode.lastChange, { by: 'bob', at: inMinutes(0) });
    assert.deepEqual(ended, [], 'it was ended by somebody');
  });

  test('periodic work is not begun while it is on', async () => {
    const mode = await start();
    await clock.forward(MINUTE);
    await mode.enable(order());
    await clock.forward(5 * MINUTE);
    assert.equal(polls, 1);
    await mode.disable('jez');
    await clock.forward(0);
    assert.equal(polls, 2);
  });

  test('one of two orders at the same moment is refused, to switch it on and to switch it off', async () => {
    const mode = await start();
    for (const survivesRestart of [false, true]) {
      const enabled = await Promise.allSettled([
        mode.enable(order({ by: 'one', survivesRestart })),
        mode.enable(order({ by: 'two', survivesRestart })),
      ]);
      assert.deepEqual(enabled.map(outcome), ['done', ALREADY_ON]);
      assert.equal(mode.period?.by, 'one');
      const disabled = await Promise.allSettled([mode.disable('one'), mode.disable('two')]);
      assert.deepEqual(disabled.map(outcome), ['done', NOT_ON]);
    }
  });

  test('a dry run has the same verdict and changes nothing', async () => {
    const mode = await start();
    await mode.enable(order(), { isDryRun: true });
    assert.equal(mode.isOn, false);
    await assert.rejects(mode.disable('jez', { isDryRun: true }), { message: NOT_ON });
    await mode.enable(order());
    await mode.disable('jez', { isDryRun: true });
    assert.equal(mode.isOn, true);
    await assert.rejects(mode.enable(order(), { isDryRun: true }), { message: ALREADY_ON });
  });

  test('a period that cannot be stored does not begin', async () => {
    const mode = await start();
    await database.query.schema.dropTable('maintenance').execute();
    await assert.rejects(mode.enable(order({ survivesRestart: true })));
    assert.equal(mode.isOn, false);
    await mode.enable(order());
    assert.equal(mode.isOn, true);
  });
});

describe('the end', () => {
  test('comes by itself at its time, with a notification', async () => {
    const mode = await start();
    await mode.enable(order({ reason: 'new disk', until: inMinutes(30) }));
    const { period } = mode;
    await clock.forward(30 * MINUTE - 1);
    assert.equal(mode.isOn, true);
    await clock.forward(1);
    assert.equal(mode.isOn, false);
    assert.deepEqual(mode.lastChange, { by: 'Slipway', at: inMinutes(0) });
    assert.deepEqual(ended, [period]);
    assert.equal(polls, 1, 'periodic work goes on');
  });

  test('does not come after it was switched off, nor at the time of an earlier order', async () => {
    const mode = await start();
    await mode.enable(order({ until: inMinutes(10) }));
    await mode.disable('jez');
    await mode.enable(order({ until: inMinutes(20) }));
    await clock.forward(15 * MINUTE);
    assert.equal(mode.isOn, true);
    await clock.forward(5 * MINUTE);
    assert.equal(mode.isOn, false);
    assert.equal(ended.length, 1);
  });

  test('comes also when the notification fails', async () => {
    const mode = await start({ onEnded: () => Promise.reject(new Error('no mail')) });
    await mode.enable(order({ until: inMinutes(10) }));
    await clock.forward(10 * MINUTE);
    assert.equal(mode.isOn, false);
    assert.equal((failures[0] as Error).message, 'no mail');
  });

  test('is tried again when it cannot be stored', async () => {
    const mode = await start();
    await mode.enable(order({ until: inMinutes(10), survivesRestart: true }));
    await database.query.schema.alterTable('maintenance').renameTo('away').execute();
    await clock.forward(10 * MINUTE + 500);
    await until('the failure', () => failures.length > 0);
    assert.equal(mode.isOn, true);
    await database.query.schema.alterTable('away').renameTo('maintenance').execute();
    await clock.forward(MINUTE);
    await until('the end', () => ended.length > 0);
    assert.deepEqual([mode.isOn, ended.length], [false, 1]);
  });

  test('decides on the time after which requests should be tried again', async () => {
    const mode = await start();
    assert.equal(readinessObstacle(mode, clock.now()), undefined);
    await mode.enable(order({ until: inMinutes(10) }));
    assert.equal(readinessObstacle(mode, clock.now() + 500)?.retryAfter, 600);
    assert.equal(readinessObstacle(mode, clock.now() + DAY)?.retryAfter, 1);
    await mode.disable('jez');
    await mode.enable(order());
    assert.equal(readinessObstacle(mode, clock.now())?.retryAfter, 60);
  });
});

describe('a server that starts anew', () => {
  test('is not in maintenance mode unless that was wished', async () => {
    await (await start()).enable(order({ until: inMinutes(10) }));
    const mode = await start();
    assert.deepEqual([mode.isOn, mode.lastChange], [false, undefined]);
  });

  test('is in maintenance mode as before when that was wished', async () => {
    const before = await start();
    await before.enable(order({ reason: 'new disk', until: inMinutes(30), survivesRestart: true }));
    await clock.forward(10 * MINUTE);
    const mode = await start();
    assert.deepEqual(mode.period, before.period);
    assert.deepEqual(mode.lastChange, before.lastChange);
    await clock.forward(10 * MINUTE);
    assert.equal(polls, 0);
    await clock.forward(10 * MINUTE);
    await until('the end', () => !mode.isOn);
    assert.equal((await start()).isOn, false);
  });

  test('forgets it when it was switched off', async () => {
    const before = await start();
    await before.enable(order({ survivesRestart: true }));
    await before.disable('jez');
    assert.equal((await start()).isOn, false);
  });

  test('ends a period that should have ended meanwhile, and says so', async () => {
    await (await start()).enable(order({ until: inMinutes(30), survivesRestart: true }));
    clock.jump(31 * MINUTE);
    const mode = await start();
    assert.equal(mode.isOn, false);
    assert.deepEqual(
      ended.map(({ by }) => by),
      ['jez'],
    );
    await start();
    assert.equal(ended.length, 1);
  });

  test('is in maintenance mode when it is started so', async () => {
    const mode = await start({ startsOn: true });
    assert.deepEqual(mode.lastChange, { by: 'Slipway', at: inMinutes(0) });
    await clock.forward(DAY);
    assert.deepEqual([mode.isOn, polls], [true, 0]);
    await mode.disable('jez');
    assert.equal((await start()).isOn, false);
  });

  test('keeps the period of before when it is started in maintenance mode as well', async () => {
    await (await start()).enable(order({ reason: 'new disk', survivesRestart: true }));
    assert.equal((await start({ startsOn: true })).period?.reason, 'new disk');
  });
});

function outcome(result: PromiseSettledResult<void>): string {
  return result.status === 'fulfilled' ? 'done' : result.reason.message;
}
