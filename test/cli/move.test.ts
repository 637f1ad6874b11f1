// The command `move`: an installation filled through the API goes to PostgreSQL whole, and comes back by a backup.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { writeBackup } from '../../src/backup/write/write-backup.ts';
import { COPIED_TABLES } from '../../src/store/copy/tables.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { addSamples } from '../support/configuration/fill.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { accepted, addUser, tokenOf } from '../support/requests/callers.ts';
import { everyGet, OF_THIS_START } from '../support/requests/walk.ts';
import { slipway } from '../support/server/command-line.ts';
import { COMMAND_LINE, SERVER } from '../support/server/programs.ts';
import { TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const MARK = 'moved-to-postgres.txt';
const BEHIND_PROXY = { 'trust-proxy': 'true' };
/** About the process, or about later events. */
const LATER = ['/api/server_health_messages', '/api/admin/events', '/api/admin/webhooks/sample/deliveries'];

let postgres: Postgres;
let server: TestServer;
let folder: string;
let places = 0;

before(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'slipway-move-'));
  server = await TestServer.startEmbedded(BEHIND_PROXY);
  await addSamples(server);
  const as = await addUser(server, 'ada');
  await tokenOf(server, as);
  accepted(await server.delete('/api/admin/artifact_stores/sample'));
  await server.restart(() => cpSync(server.dataDir, join(folder, 'stopped'), { recursive: true }));
});
after(async () => {
  await server.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** The data directory of the server as it was when it was stopped. */
function stopped(): string {
  const place = join(folder, `data-${++places}`);
  cpSync(join(folder, 'stopped'), place, { recursive: true });
  return place;
}

const move = (dataDir: string, url: string, ...flags: readonly string[]) =>
  slipway(['move', '--data-dir', dataDir, '--database-url', url, ...flags]);

async function ask<Row>(url: string, sql: string): Promise<readonly Row[]> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  return (await connection.runOnce(sql).finally(() => connection.close())).rows as readonly Row[];
}

function rowsIn<Row>(dataDir: string, sql: string): readonly Row[] {
  using database = new DatabaseSync(join(dataDir, 'slipway.db'), { readOnly: true });
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row })) as readonly unknown[] as readonly Row[];
}

async function tableCount(url: string): Promise<number> {
  const [found] = await ask<{ count: number }>(url, "select count(*) from pg_tables where schemaname = 'public'");
  return found!.count;
}

test('all data is moved and comes back by a backup: the server answers every GET as before', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  const secret = url.replace('@', ':geheim@');
  const { status, out, err } = await move(place, secret);
  assert.equal(status, 0, err);
  const [, rows] = /^Moved (\d+) rows, \d+ revisions and \d+ entities among them to the database \w+ on 127\.0\.0\.1:\d+\.\n/.exec(out)!;
  assert.ok(Number(rows) > 100, out);
  assert.match(err, /Copying entities\nCopying revisions\nCopying changes\n/);

  const etags = 'select kind, key, etag from entities order by kind, key';
  assert.deepEqual(await ask(url, etags), rowsIn(place, etags));
  for (const table of COPIED_TABLES) {
    const count = `select count(*) as count from "${table}"`;
    assert.deepEqual(await ask(url, count), rowsIn(place, count), table);
  }
  const last = 'select number as event, hash as event_hash from events order by number desc limit 1';
  assert.deepEqual(await ask(url, 'select event, event_hash from head'), rowsIn(place, last));

  const mark = readFileSync(join(place, MARK), 'utf8');
  const { host, pathname } = new URL(url);
  assert.match(mark, /^Since \d{4}-\d\d-\d\dT\S+Z the data of this directory is in the PostgreSQL database \S+ on \S+\.\n$/);
  assert.ok(mark.includes(`${pathname.slice(1)} on ${host}.`));
  assert.doesNotMatch(`${mark}${out}${err}`, /geheim/);

  const backup = join(folder, 'backup');
  mkdirSync(backup);
  const origin = { id: 1, time: '2026-01-31T02:30:00Z', user: 'ada' };
  const source = { url, password: undefined };
  await writeBackup(
    { folder: backup, dataDir: place, artifactsDir: join(place, 'artifacts'), version: 'v', backup: origin, source },
    () => {},
  );
  assert.deepEqual(readdirSync(backup).toSorted(), ['config-dir.zip', 'config-repo.zip', 'db.zip', 'manifest.json', 'version.txt']);
  const isLeftOut = (path: string) => path.startsWith('/api/backups') || LATER.includes(path) || OF_THIS_START.includes(path);
  const original = await everyGet(server, isLeftOut);
  assert.ok(original.size > 50);
  const other = await TestServer.startEmbedded(BEHIND_PROXY);
  try {
    await other.restart(() => {
      rmSync(other.dataDir, { recursive: true });
      const restored = spawnSync(process.execPath, [COMMAND_LINE, 'restore', backup, '--data-dir', other.dataDir], { encoding: 'utf8' });
      assert.deepEqual([restored.status, restored.stderr], [0, 'Unpacking the backup\n']);
      assert.ok(!existsSync(join(other.dataDir, MARK)), 'the mark belongs to the other directory');
    });
    await until('it has looked at its config repo', async () => {
      const { text } = await other.get('/api/internal/config_repos');
      return !/"material_update_in_progress":true|"parse_info":\{\}/.test(text);
    });
    const returned = await everyGet(other, isLeftOut);
    assert.deepEqual([...returned.keys()].toSorted(), [...original.keys()].toSorted());
    for (const [path, answer] of original) assert.equal(returned.get(path), answer, path);
    const checked = await slipway(['audit', 'verify', '--data-dir', other.dataDir]);
    assert.equal(checked.status, 0, checked.err);
  } finally {
    await other.stop();
  }
});

test('a directory that was moved has no embedded database any more', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  assert.equal((await move(place, url)).status, 0);
  const started = spawnSync(process.execPath, [SERVER, '--data-dir', place, '--port', '0'], { encoding: 'utf8', timeout: PATIENCE_MS });
  assert.equal(started.status, 1);
  assert.match(started.stderr, /has no embedded database any more\. Since .* is in the PostgreSQL database .* SLIPWAY_DATABASE_URL/);
  for (const flags of [[], ['--dry-run']]) {
    const again = await move(place, await postgres.createDatabase(), ...flags);
    assert.equal(again.status, 1);
    assert.match(again.err, /has no embedded database any more/);
  }
  const file = join(folder, 'cruise-config.xml');
  writeFileSync(file, '<cruise schemaVersion="139"/>');
  const imported = await slipway(['import', file, '--data-dir', place]);
  assert.equal(imported.status, 1);
  assert.match(imported.err, /has no embedded database any more.*--url URL/s);
});

test('a move that is cut off in the middle has done nothing, and can be run again', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  // Writes of events wait for as long as the session of the test holds this lock.
  const lock = 4711;
  await ask(
    url,
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(${lock}); return new; end $$`,
  );
  await ask(
    url,
    `create function obstruct() returns event_trigger language plpgsql as $$ begin
       if to_regclass('events') is not null and not exists (select from pg_trigger where tgname = 'obstruction') then
         create trigger obstruction before insert on events execute function wait();
       end if; end $$`,
  );
  await ask(url, "create event trigger obstruction on ddl_command_end when tag in ('CREATE TABLE') execute function obstruct()");
  const holder = await Connection.open({ url, password: undefined }, { name: 'holder' });
  await holder.runOnce(`select pg_advisory_lock(${lock})`);
  const waiting = () =>
    ask<{ pid: number }>(url, "select pid from pg_stat_activity where application_name = 'slipway copy' and datname = current_database()");

  const moving = spawn(process.execPath, [COMMAND_LINE, 'move', '--data-dir', place, '--database-url', url], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(moving, 'exit');
  let output = '';
  moving.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await until('it has come to the events', () => output.includes('Copying events'));
  const second = await move(place, url);
  assert.equal(second.status, 1);
  assert.match(second.err, /is in use by another Slipway server/);
  moving.kill('SIGKILL');
  await ended;
  await holder.runOnce(`select pg_advisory_unlock(${lock})`);
  await holder.close();
  await until('PostgreSQL has heard of it', async () => (await waiting()).length === 0);

  assert.equal(await tableCount(url), 0);
  assert.ok(!existsSync(join(place, MARK)));
  const again = await move(place, url);
  assert.equal(again.status, 0, again.err);
  assert.ok((await tableCount(url)) > 20);
  assert.ok(existsSync(join(place, MARK)));
});

test('a move that is cut off after the commit only lacks the mark, which the next one makes', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  assert.equal((await move(place, url)).status, 0);
  rmSync(join(place, MARK));
  const again = await move(place, url);
  assert.deepEqual([again.status, again.err], [0, 'Checking the events\n']);
  assert.match(again.out, /^All of it was in the database .* already\.\n/);
  assert.ok(existsSync(join(place, MARK)));
  rmSync(join(place, MARK));
  await ask(url, 'update head set commit = 2');
  const later = await move(place, url);
  assert.equal(later.status, 1);
  assert.match(later.err, /is not empty: .* Give the address of an empty one\./);
  assert.ok(!existsSync(join(place, MARK)));
});

test('a changed event is reported, and the directory is not marked', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  using database = new DatabaseSync(join(place, 'slipway.db'));
  database.exec("update events set body = replace(body, '2', '3') where number = 3");
  const { status, out, err } = await move(place, url);
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, /is not as it was written, so the data directory .* is not marked/);
  assert.match(err, /\nEvent 3 is not as it was written\. Its text is not the one that was hashed\.\n/);
  assert.ok(!existsSync(join(place, MARK)));
});

test('a dry run checks both sides and changes nothing', async () => {
  const [place, url] = [stopped(), await postgres.createDatabase()];
  const { status, out, err } = await move(place, url, '--dry-run');
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /^Would move \d+ rows, .* to the database .*\. Nothing was changed\.\n$/);
  assert.equal(await tableCount(url), 0);
  assert.ok(!existsSync(join(place, MARK)));
  await ask(url, 'create table invoices (id bigint)');
  assert.match((await move(place, url, '--dry-run')).err, /holds tables of another program/);
});

test('wrong data directories and addresses of databases are refused', async () => {
  const url = await postgres.createDatabase();
  const newer = stopped();
  using database = new DatabaseSync(join(newer, 'slipway.db'));
  database.exec('update schema_version set version = 999');
  const cutOff = stopped();
  writeFileSync(join(cutOff, 'restore-unfinished'), '');
  for (const [dataDir, message] of [
    [server.dataDir, /is in use by another Slipway server/],
    [newer, /has schema 999, and this version of Slipway knows schemas up to/],
    [cutOff, /holds a restore that was cut off/],
    [join(folder, 'none'), /There is no embedded database in the data directory/],
  ] as const) {
    for (const flags of [[], ['--dry-run']]) {
      const { status, out, err } = await move(dataDir, url, ...flags);
      assert.deepEqual([status, out], [1, ''], err);
      assert.match(err, message);
    }
  }
  assert.ok(!existsSync(join(folder, 'none')));
  assert.equal(await tableCount(url), 0);
  const none = await slipway(['move', '--data-dir', stopped()]);
  assert.deepEqual([none.status, none.err.split('\n')[0]], [2, 'Name the PostgreSQL database with --database-url.']);
  const wrong = await move(stopped(), 'mysql://ada:geheim@h/d');
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /^The address of the database must look like/);
  assert.doesNotMatch(wrong.err, /geheim/);
  const unreachable = await slipway(['move', '--data-dir', stopped()], {
    environment: { SLIPWAY_DATABASE_URL: 'postgres://ada@127.0.0.1:1/slipway' },
  });
  assert.equal(unreachable.status, 1);
  assert.match(unreachable.err, /^Nothing listens at 127\.0\.0\.1:1\./);
});
