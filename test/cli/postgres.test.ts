// Commands that work beside servers on PostgreSQL: they verify the audit trail, import and export the configuration, and add users.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { referenceCipherText } from '../support/configuration/reference-cipher-text.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway, type Terminal } from '../support/server/command-line.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const ENVIRONMENTS = '/api/admin/environments';
const NOWHERE = 'postgres://ada:geheim@127.0.0.1:1/slipway';
const FILE = '<cruise schemaVersion="139"><pipelines group="few" /></cruise>';

let postgres: Postgres;
let folder: string;
let url: string;
let server: TestServer;

before(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'slipway-cli-postgres-'));
  url = await postgres.createDatabase();
  server = await TestServer.start({ 'database-url': url });
  for (let n = 0; n < 5; n++) accepted(await server.post(ENVIRONMENTS, { name: `e-${n}` }));
});
after(async () => {
  await server.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const run = (text: string, environment: Record<string, string> = {}, terminal: Terminal = {}) =>
  slipway(text.split(' '), { environment: { SLIPWAY_DATA_DIR: server.dataDir, SLIPWAY_DATABASE_URL: url, ...environment }, ...terminal });

async function ask<Row>(sql: string, database = url): Promise<readonly Row[]> {
  const connection = await Connection.open({ url: database, password: undefined }, { name: 'test' });
  return (await connection.runOnce(sql).finally(() => connection.close())).rows as readonly Row[];
}

function made(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const lets = async (login: string, password: string) =>
  (await server.get('/api/current_user', { as: basic(login, password) })).status === 200;

describe('audit verify', () => {
  test('checks the database that the environment or the command line names, while the server runs', async () => {
    const whole = await run('audit verify');
    assert.deepEqual([whole.status, whole.err], [0, '']);
    const [, noted] = /^All \d+ events are as they were written, from \S+ to \S+\.\nThe last one is (\d+:[0-9a-f]{64})\n$/.exec(whole.out)!;
    const named = await slipway(['audit', 'verify', '--database-url', url, '--expect', noted!]);
    assert.equal(named.status, 0, named.err);
    const other = noted!.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    assert.match((await run(`audit verify --expect ${other}`)).err, /It is not the event that is expected\.\n$/);
  });

  test('names rows and events that were changed by hand', async () => {
    const copy = await postgres.createDatabase();
    const copied = await TestServer.start({ 'database-url': copy });
    accepted(await copied.post(ENVIRONMENTS, { name: 'one' }));
    await copied.stop();
    const verify = () => slipway(['audit', 'verify', '--database-url', copy]);
    assert.equal((await verify()).status, 0);
    await ask("update entities set value = replace(value, 'one', 'two') where kind = 'environments'", copy);
    const row = await verify();
    assert.equal(row.status, 1);
    assert.match(row.err, /^The configuration is not what the change log and the events say\.\n.*one/);
    await ask("update events set body = replace(body, 'events', 'evening') where number = 1", copy);
    const event = await verify();
    assert.deepEqual([event.status, event.out], [1, '']);
    assert.match(event.err, /^Event 1 is not as it was written\./);
  });

  test('a database that cannot be read is reported without a path and without the password', async () => {
    const unreachable = await run('audit verify', { SLIPWAY_DATABASE_URL: NOWHERE });
    assert.equal(unreachable.status, 2);
    assert.match(unreachable.err, /^Nothing listens at 127\.0\.0\.1:1\..*the database slipway on 127\.0\.0\.1:1\.\n$/);
    assert.doesNotMatch(unreachable.err, /geheim|slipway\.db/);
    const empty = await run('audit verify', { SLIPWAY_DATABASE_URL: await postgres.createDatabase() });
    assert.equal(empty.status, 2);
    assert.match(empty.err, /^The database \w+ on 127\.0\.0\.1:\d+ has no events: no server was started on it yet\.\n$/);
    const both = await run(`audit verify --database x.db --database-url ${url}`);
    assert.deepEqual([both.status, both.err.split('\n')[0]], [2, 'Give --database or --database-url, not both.']);
    assert.match((await run('audit verify --database none.db')).err, /^There is no database .*none\.db\.\n$/);
  });

  test('an embedded database that was left behind is not taken for the one in use', async () => {
    const left = join(folder, 'left');
    mkdirSync(left);
    writeFileSync(join(left, 'moved-to-postgres.txt'), 'Since then it is elsewhere.\n');
    const { status, err } = await slipway(['audit', 'verify', '--data-dir', left]);
    assert.equal(status, 2);
    assert.match(err, /has no embedded database any more\. Since then it is elsewhere\./);
  });
});

describe('user add and user passwd', () => {
  test('work beside a running server', async () => {
    const added = await run('user add alice --stdin', {}, { input: 'alice is one\n' });
    assert.deepEqual([added.status, await lets('alice', 'alice is one')], [0, true], added.err);
    const changed = await run('user passwd alice --stdin', {}, { input: 'alice is two\n' });
    assert.deepEqual([changed.status, await lets('alice', 'alice is two')], [0, true], changed.err);
    assert.equal(await lets('alice', 'alice is one'), false);
  });

  test('let the user log in on another server with the same database, too', async () => {
    const key = join(server.dataDir, 'cipher.key');
    const second = await TestServer.start({ 'database-url': url, 'cipher-key-file': key });
    try {
      const lettingIn = async () => (await second.get('/api/current_user', { as: basic('bob', 'bobs password') })).status === 200;
      assert.equal((await run('user add bob --stdin', {}, { input: 'bobs password\n' })).status, 0);
      await until('the other server has heard of it', lettingIn);
    } finally {
      await second.stop();
    }
  });

  test('write to the database while no server runs, and the user stays', async () => {
    await server.restart(async () => {
      rmSync(join(server.dataDir, 'password.properties'));
      const { status, err } = await run('user add carol --stdin', {}, { input: 'carols password\n' });
      assert.equal(status, 0, err);
      const logins = readFileSync(join(server.dataDir, 'password.properties'), 'utf8');
      for (const login of ['admin', 'alice', 'carol']) assert.match(logins, new RegExp(`^${login}[:=]`, 'm'));
      rmSync(join(server.dataDir, 'password.properties'));
    });
    assert.ok(await lets('carol', 'carols password'));
    assert.ok(await lets('admin', ADMIN_PASSWORD));
  });

  test('a wrong data directory or database is refused, and nothing is changed', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const generate = (environment: Record<string, string>) => run('user add dora --generate', environment);
    const noKey = await generate({ SLIPWAY_DATA_DIR: elsewhere });
    assert.deepEqual([noKey.status, noKey.out], [1, '']);
    assert.match(noKey.err, /^There is no key of a server in .*cipher\.key\. Call this where a server has its data/);
    writeFileSync(join(elsewhere, 'cipher.key'), `${'ab'.repeat(32)}\n`);
    assert.match(
      (await generate({ SLIPWAY_DATA_DIR: elsewhere })).err,
      /^The key in this data directory is not the one of the servers on \w+/,
    );
    assert.equal(existsSync(join(elsewhere, 'password.properties')), false);
    assert.match((await generate({ SLIPWAY_DATA_DIR: join(folder, 'none') })).err, /^There is no data directory .*none\./);
    assert.equal(existsSync(join(folder, 'none')), false);
    assert.match((await generate({ SLIPWAY_DATABASE_URL: NOWHERE })).err, /^Nothing listens at/);
    const empty = await postgres.createDatabase();
    assert.match((await generate({ SLIPWAY_DATABASE_URL: empty })).err, /^No server was started on the database \w+ on \S+ yet\./);
  });
});

describe('import', () => {
  test('is refused while a server runs, and plans and imports while none does', async () => {
    const file = made('few.xml', FILE);
    const running = await run(`import ${file}`);
    assert.deepEqual([running.status, running.out], [1, '']);
    assert.match(running.err, /is in use by another Slipway server.*--url URL/);
    const beside = await run(`import ${file}`, { SLIPWAY_DATA_DIR: join(folder, 'beside') });
    assert.equal(beside.status, 1);
    assert.match(beside.err, /^The database \w+ on \S+ is in use by the server on \S+ \(http:\S+\)\. Stop all servers first/);

    await server.restart(async () => {
      const plan = await run(`import ${file} --plan`);
      assert.equal(plan.status, 0, plan.err);
      assert.match(plan.out, /pipeline groups \(1\): few\n.*plan only/s);
      const done = await run(`import ${file}`);
      assert.equal(done.status, 0, done.err);
      assert.match(done.out, /Done, as revision \d+\.\n$/);
    });
    assert.equal((await server.get('/api/admin/pipeline_groups/few')).status, 200);
    assert.equal((await server.get(`${ENVIRONMENTS}/e-4`)).status, 200);
    assert.equal((await run('audit verify')).status, 0);
  });

  test('is refused until a killed server counts as gone', async () => {
    const file = made('few.xml', FILE);
    const clock = 'floor(extract(epoch from clock_timestamp()) * 1000)';
    await server.restart(async () => {
      const ghost = (ago: number) =>
        ask(`insert into replicas (id, url, host, version, plugins, started_at, seen_at, commit)
          values ('ghost', 'http://10.1.2.3:8153', 'build-9', 'v', '', 'then', ${clock} - ${ago}, 0)
          on conflict (id) do update set seen_at = excluded.seen_at`);
      await ghost(3000);
      assert.match((await run(`import ${file}`)).err, /in use by the server on build-9 \(http:\/\/10\.1\.2\.3:8153\)/);
      await ghost(6000);
      assert.equal((await run(`import ${file}`)).status, 0);
      await ask("delete from replicas where id = 'ghost'");
    });
  });

  test('goes into an empty database with the key of another server, and a plan makes nothing', async () => {
    const [database, dataDir] = [await postgres.createDatabase(), join(folder, 'fresh')];
    const target = { SLIPWAY_DATABASE_URL: database, SLIPWAY_DATA_DIR: dataDir };
    const key = '0123456789abcdef0123456789abcdef';
    const keyFile = made('cipher.aes', `${key}\n`);
    const secret = referenceCipherText('much', key);
    const variables = `<environmentvariables><variable name="S" secure="true"><encryptedValue>${secret}</encryptedValue></variable></environmentvariables>`;
    const stage = '<stage name="s"><jobs><job name="j"><tasks><exec command="make" /></tasks></job></jobs></stage>';
    const pipeline = `<pipeline name="web">${variables}<materials><git url="https://git.example.org/web" /></materials>${stage}</pipeline>`;
    const file = made('web.xml', `<cruise schemaVersion="139"><pipelines group="first">${pipeline}</pipelines></cruise>`);
    const plan = await run(`import ${file} --cipher-key ${keyFile} --plan`, target);
    assert.equal(plan.status, 0, plan.err);
    const tables = "select count(*) as count from pg_tables where schemaname = 'public'";
    assert.deepEqual(await ask(tables, database), [{ count: 0 }]);
    assert.equal(existsSync(dataDir), false);
    const done = await run(`import ${file} --cipher-key ${keyFile}`, target);
    assert.equal(done.status, 0, done.err);
    assert.match(done.out, /Done, as revision 1\.\nNo administrator can log in yet/);
    assert.deepEqual(await ask('select name from shared_files', database), [{ name: 'imported.keys' }]);

    // The servers that come get the key of that server, too, but not ours.
    const own = join(dataDir, 'cipher.key');
    const first = await TestServer.start({ 'database-url': database, 'cipher-key-file': own });
    try {
      assert.equal(readFileSync(join(first.dataDir, 'imported.keys'), 'utf8'), `${key}\n`);
      assert.equal((await first.get('/api/admin/pipelines/web')).status, 200);
      const out = join(folder, 'out.xml');
      const environment = { ...target, SLIPWAY_URL: first.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD };
      const exporting = await slipway(['export', out], { environment });
      assert.equal(exporting.status, 0, exporting.err);
      assert.match(readFileSync(out, 'utf8'), /<pipeline name="web">/);
    } finally {
      await first.stop();
    }
    assert.equal((await run('audit verify', target)).status, 0);
    rmSync(own);
    const lost = await run(`import ${file}`, target);
    assert.equal(lost.status, 1);
    assert.match(lost.err, /^The key file .*cipher\.key is missing\./);
    assert.equal(readdirSync(dataDir).includes('cipher.key'), false);
  });

  test('refuses two targets, an unreachable database and one of another program', async () => {
    const file = made('few.xml', FILE);
    const both = await run(`import ${file} --url http://localhost --database-url ${url}`);
    assert.deepEqual([both.status, both.err.split('\n')[0]], [2, 'Give --url or --database-url, not both.']);
    const unreachable = await run(`import ${file}`, { SLIPWAY_DATABASE_URL: NOWHERE, SLIPWAY_DATA_DIR: join(folder, 'away') });
    assert.equal(unreachable.status, 1);
    assert.match(unreachable.err, /^Nothing listens at 127\.0\.0\.1:1\./);
    const occupied = await postgres.createDatabase();
    await ask('create table invoices (id bigint)', occupied);
    const others = await run(`import ${file}`, { SLIPWAY_DATABASE_URL: occupied, SLIPWAY_DATA_DIR: join(folder, 'foreign') });
    assert.equal(others.status, 1);
    assert.match(others.err, /holds tables of another program, such as invoices/);
  });
});
