import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import type { ChangeListener } from '../config/change.ts';
import { Config } from '../config/current.ts';
import { registry } from '../resources/index.ts';
import { kindsOf } from '../shape/resource.ts';
import type { Database } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import { forgetPausesOfDeleted, rememberPause } from './pause-housekeeping.ts';
import { type Pause, Pauses } from './pauses.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-pauses-'));
after(() => rmSync(directory, { recursive: true, force: true }));

const config = new Config(kindsOf(registry));
const kind = config.kind('pipelines');
const listeners: ChangeListener[] = [];
const changes = { listen: (listener: ChangeListener) => void listeners.push(listener) };
const failures: unknown[] = [];

let database: Database;
let pauses: Pauses;
let files = 0;
beforeEach(async () => {
  database = openSqlite(join(directory, `${++files}.db`));
  await migrate(database);
  pauses = await Pauses.load(database);
  listeners.length = 0;
});
afterEach(() => database.close());

const pauseOf = (key: string, cause = 'because'): Pause => ({ key, cause, by: 'jez', at: '2026-01-01T00:00:00.000Z' });

async function paused(pause: Pause): Promise<void> {
  await database.writeTransaction([pauses.statementFor(pause)]);
  pauses.remember(pause);
}

function removed(key: string): void {
  const edit = { kind, key, id: key, operation: 'delete', before: undefined, after: undefined, problems: [] } as const;
  for (const listener of listeners) listener({ edits: [edit] } as never);
}

const onDisk = async () => (await Pauses.load(database)).all().map((row) => ({ ...row }));

test('the pause of a removed pipeline is forgotten, other pauses stay', async () => {
  for (const key of ['web', 'api']) {
    config.replace(kind, key, { key, value: pipeline(key), etag: '', revision: 1, created: 1 });
    await paused(pauseOf(key));
  }
  await forgetPausesOfDeleted(pauses, config, changes, (failure) => failures.push(failure));
  removed('web');
  assert.equal(pauses.find('Web'), undefined);
  assert.deepEqual(pauses.find('API'), pauseOf('api'));
  await database.writeTransaction([]); // comes after the deletion, which the housekeeping does not await
  assert.deepEqual(await onDisk(), [pauseOf('api')]);
});

test('a pipeline that is made anew in the same commit keeps the pause it is made with', async () => {
  await paused(pauseOf('again', 'old'));
  config.replace(kind, 'again', { key: 'again', value: pipeline('again'), etag: '', revision: 1, created: 1 });
  await forgetPausesOfDeleted(pauses, config, changes, (failure) => failures.push(failure));
  const fresh = pauseOf('again', 'new');
  await database.writeTransaction([pauses.statementFor(fresh)]);
  removed('again');
  pauses.remember(fresh);
  assert.deepEqual(await onDisk(), [fresh]);
  assert.deepEqual(pauses.find('again'), fresh);
});

test('the pause of a removed pipeline, left behind by a server that stopped too early, is forgotten at the next start', async () => {
  await paused(pauseOf('gone'));
  await forgetPausesOfDeleted(pauses, config, changes, (failure) => failures.push(failure));
  assert.equal(pauses.find('gone'), undefined);
  assert.deepEqual(await onDisk(), []);
});

test('no step of these tests has failed', () => assert.deepEqual(failures, []));

function pipeline(name: string) {
  return { name, group: 'g', origin: null, template: null, parameters: [], materials: [], stages: [] };
}

test('a pipeline removed while it is created leaves no pause behind', async () => {
  await forgetPausesOfDeleted(pauses, config, changes, (failure) => failures.push(failure));
  await database.writeTransaction([pauses.statementFor(pauseOf('brief'))]);
  removed('brief');
  await rememberPause(pauses, config, pauseOf('brief'));
  assert.equal(pauses.find('brief'), undefined);
  assert.deepEqual(await onDisk(), []);
});
