// Restore: a new machine answers every GET as the old one did; nothing else is overwritten, and nothing damaged is taken.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { writeManifest } from '../../src/backup/manifest.ts';
import { readManifest } from '../../src/backup/read-manifest.ts';
import { writeBackup } from '../../src/backup/write/write-backup.ts';
import { addSamples } from '../support/configuration/fill.ts';
import { kinds } from '../support/configuration/samples.ts';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { accepted, addUser, tokenOf } from '../support/requests/callers.ts';
import { everyGet, OF_THIS_START } from '../support/requests/walk.ts';
import { type BackupJson, makeBackup } from '../support/server/backup.ts';
import { slipway } from '../support/server/command-line.ts';
import { SERVER } from '../support/server/programs.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { startProcess } from '../support/server/server-process.ts';
import { type ForgedFile, withFiles } from './forge.ts';
import { restore } from './restore-lab.ts';

/** The first version that had backups. */
const SCHEMA_OF_OLD = 6;
const TABLES_OF_OLD = [
  'schema_version',
  'entities',
  'revisions',
  'changes',
  'users',
  'access_tokens',
  'notification_filters',
  'pipeline_pauses',
  'outbox',
  'told_conditions',
  'backups',
];
/** Indexes of tables that were there before. */
const LATER_INDEXES = ['changes_of_kind', 'revisions_by_actor', 'revisions_by_token', 'revisions_by_time', 'changes_by_owner'];
const LATER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  changes: ['owner', 'former_owner', 'label'],
  users: ['is_service_account', 'description', 'owner', 'added_at'],
  access_tokens: ['expires_at', 'scopes', 'allowed_addresses', 'used_scopes', 'expired_at', 'lifetime_ms'],
};
const BEHIND_PROXY = { 'trust-proxy': 'true' };
const directories: string[] = [];
let server: TestServer;
let backup: BackupJson;

describe('restoring a backup', ABOUT_EMBEDDED, () => {
  before(async () => {
    server = await TestServer.start(BEHIND_PROXY);
    await fill(server);
    await server.get(`/api/admin/config/${'0'.repeat(32)}.xml`, { accept: null }); // waits for the history
    addWaitingMail(join(server.dataDir, 'slipway.db'));
    backup = await makeBackup(server);
  });
  after(async () => {
    await server.stop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  test('a server restored on a new machine answers every GET as the original', async () => {
    // A backup cannot hold the record of its own end nor later events: these are compared below. Health messages are about the process.
    const LATER = ['/api/server_health_messages', '/api/admin/events', '/api/admin/webhooks/sample/deliveries'];
    const isLeftOut = (path: string) => path.startsWith('/api/backups') || LATER.includes(path) || OF_THIS_START.includes(path);
    await untilAtRest(server);
    const original = await everyGet(server, isLeftOut);
    assert.ok(original.size > 60, `only ${original.size} addresses: that tests nothing`);
    const other = await TestServer.start(BEHIND_PROXY);
    try {
      let inBackup = 0;
      await other.restart(async () => {
        rmSync(other.dataDir, { recursive: true });
        const { status, stdout, stderr } = await restore(backup.path, other.dataDir);
        assert.deepEqual([status, stderr], [0, 'Unpacking the backup\n'], stdout);
        inBackup = newestEventIn(other.dataDir);
      });
      await untilAtRest(other);
      const [kept, own] = cutAt(inBackup, await eventsOf(other));
      const [known, later] = cutAt(inBackup, await eventsOf(server));
      assert.deepEqual(kept, known);
      assert.ok(known.some(({ type }) => type === 'backup.started') && later.some(({ type }) => type === 'backup.ended'));
      // It has looked at its config repo, which is nowhere.
      const others = own.filter(({ type }) => !['material.failed', 'config_repo.parsed'].includes(type));
      assert.deepEqual(others, [], 'nothing but its own start is published');
      assert.deepEqual(await deliveriesOf(other), await deliveriesOf(server));
      const restored = await everyGet(other, isLeftOut);
      assert.deepEqual([...restored.keys()].toSorted(), [...original.keys()].toSorted());
      for (const [path, answer] of original) assert.equal(restored.get(path), answer, path);
      const { json } = await other.get(`/api/backups/${backup.id}`);
      assert.deepEqual(
        [json.status, json.message, json.verified],
        ['COMPLETED', 'Backup was generated successfully.', true],
        'its own record is not one of a failure',
      );
      assert.equal((await makeBackup(other)).verified, true, 'and the restored server can be backed up');
    } finally {
      await other.stop();
    }
  });

  test('the history comes along, and is made anew where it does not', async () => {
    const withHistory = newDataDir();
    assert.equal((await restore(backup.path, withHistory)).status, 0);
    assert.ok(existsSync(join(withHistory, 'history', 'config.git', 'HEAD')));
    const other = await TestServer.start();
    try {
      const xml = await server.get('/api/admin/config.xml', { accept: null });
      await other.restart(async () => {
        rmSync(other.dataDir, { recursive: true });
        await restore(backup.path, other.dataDir);
        rmSync(join(other.dataDir, 'history'), { recursive: true });
      });
      assert.equal((await other.get('/api/admin/config.xml', { accept: null })).text, xml.text);
    } finally {
      await other.stop();
    }
  });

  test('mail that waited when the backup was made is not sent again', async () => {
    const [folder, restoredDir] = [newDataDir(), newDataDir()];
    cpSync(backup.path, folder, { recursive: true });
    assert.equal((await restore(folder, restoredDir)).status, 0);
    const database = new DatabaseSync(join(restoredDir, 'slipway.db'));
    const mails = database.prepare('select recipient, ended_as from outbox').all();
    database.close();
    assert.deepEqual(
      mails.map((mail) => ({ ...mail })),
      [{ recipient: 'waiting@example.test', ended_as: 'unconfirmed' }],
    );
  });

  test('a directory in use is refused', async () => {
    const { status, stderr } = await restore(backup.path, server.dataDir, '--replace');
    assert.equal(status, 1);
    assert.match(stderr, /is in use by another Slipway server/);
  });

  test('a directory that is not empty is refused, unless it is to be replaced; then the old files are put aside and artifacts stay', async () => {
    const restoredDir = newDataDir();
    assert.equal((await restore(backup.path, restoredDir)).status, 0);
    writeFileSync(join(restoredDir, 'initial-admin-password'), 'old');
    const artifact = join(restoredDir, 'artifacts', 'serverBackups', 'backup_20260101-000000');
    cpSync(backup.path, artifact, { recursive: true });
    const refused = await restore(artifact, restoredDir);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /is not empty/);
    const planned = await restore(artifact, restoredDir, '--replace', '--plan');
    assert.equal(planned.status, 0, planned.stderr);
    assert.match(planned.stdout, /Put aside: .*slipway\.db/);
    assert.ok(existsSync(join(restoredDir, 'initial-admin-password')), 'a plan changes nothing');
    const done = await restore(artifact, restoredDir, '--replace');
    assert.equal(done.status, 0, done.stderr);
    const [aside] = readdirSync(restoredDir).filter((name) => name.startsWith('replaced-'));
    assert.ok(readdirSync(join(restoredDir, aside!)).includes('slipway.db'));
    assert.ok(!existsSync(join(restoredDir, 'initial-admin-password')), 'the password of the old server is not that of the new one');
    assert.ok(existsSync(artifact), 'the folder it came from is still there');
  });

  test('a plan checks the whole backup and restores nothing', async () => {
    const restoredDir = newDataDir();
    const { status, stdout } = await restore(backup.path, restoredDir, '--plan');
    assert.equal(status, 0);
    assert.match(stdout, /Would restore the backup of .* by admin.*The backup is whole\./s);
    assert.ok(!existsSync(restoredDir));
  });

  test('a terminal shows how much of it is read', async () => {
    let total = 0;
    for (const name of readdirSync(backup.path)) if (name.endsWith('.zip')) total += statSync(join(backup.path, name)).size;
    const { status, out, err } = await slipway(['restore', backup.path, '--data-dir', newDataDir()], { isTTY: true });
    assert.equal(status, 0, err);
    const [before, first, ...others] = err.split('\r\u001b[2K');
    assert.equal(before, '');
    assert.match(first!, /^Unpacking the backup \[[#-]{20}\] +\d+ %: \d+\.\d MB of \d+\.\d MB$/);
    const megabytes = Number(/ of (\d+\.\d) MB$/.exec(first!)![1]);
    assert.ok(Math.abs(megabytes * 1e6 - total) < 1e5, `${first} instead of ${total} bytes`);
    assert.equal(others.at(-1), '', 'the line is gone in the end');
    assert.match(out, /^Restored the backup of /);
  });

  test('a damaged byte is found and named, wherever it is, and nothing is restored', async () => {
    for (const file of readdirSync(backup.path)) {
      const { size } = statSync(join(backup.path, file));
      for (const at of new Set([0, Math.floor(size / 2), size - 1])) {
        const copy = newDataDir();
        cpSync(backup.path, copy, { recursive: true });
        damage(join(copy, file), at);
        const restoredDir = newDataDir();
        const { status, stderr } = await restore(copy, restoredDir);
        assert.equal(status, 1, `${file} ${at}`);
        assert.ok(stderr.includes(file), `${file} ${at}: ${stderr}`);
        assert.ok(!existsSync(restoredDir), `${file} ${at}`);
      }
    }
  });

  test('a damaged file is named with the place of the damage', async () => {
    const copy = newDataDir();
    cpSync(backup.path, copy, { recursive: true });
    const { files } = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
    const { at } = files['db.zip'].entries['slipway.db'];
    damage(join(copy, 'db.zip'), at + 100);
    const { stderr } = await restore(copy, newDataDir(), '--plan');
    assert.match(stderr, /db\.zip: slipway\.db is damaged between its bytes 0 and \d+ \(/);
    rmSync(join(copy, 'config-repo.zip'));
    assert.match((await restore(copy, newDataDir())).stderr, /config-repo\.zip is missing/);
  });

  test('a folder that is no backup, or one of a later version, is refused', async () => {
    assert.match((await restore(tmpdir(), newDataDir())).stderr, /is not the folder of a backup/);
    const copy = newDataDir();
    cpSync(backup.path, copy, { recursive: true });
    const manifest = readManifest(readFileSync(join(copy, 'manifest.json'), 'utf8'));
    writeFileSync(join(copy, 'manifest.json'), writeManifest({ ...manifest, schema: 999 }));
    assert.match((await restore(copy, newDataDir())).stderr, /The backup has schema 999, and this version of Slipway knows schemas up to/);
    writeFileSync(join(copy, 'manifest.json'), writeManifest({ ...manifest, format: 2 }));
    assert.match((await restore(copy, newDataDir())).stderr, /The backup has format 2/);
    assert.equal((await restore(backup.path, newDataDir(), '--what')).status, 2);
  });

  /** A backup with files of others in its archives, and a manifest that fits them. */
  function forged(archive: string, entries: Readonly<Record<string, ForgedFile>>): Promise<string> {
    return withFiles(backup.path, newDataDir(), archive, entries);
  }

  test('names that no backup has are refused, even with correct checksums', async () => {
    const content = 'planted';
    const strays: readonly (readonly [archive: string, name: string])[] = [
      ['config-dir.zip', '../outside'],
      ['config-dir.zip', 'a/../../outside'],
      ['config-dir.zip', '/etc/outside'],
      ['config-dir.zip', 'C:\\outside'],
      ['config-dir.zip', 'plugins/evil/plugin.json'],
      ['config-dir.zip', 'pipelines/flyweight/x/config'],
      ['config-dir.zip', 'compile-cache/x'],
      ['config-dir.zip', 'slipway.db-journal'],
      ['config-dir.zip', 'history/config.git/hooks/post-update'],
      ['config-dir.zip', '.profile'],
      ['config-dir.zip', 'restore-unfinished'],
      ['config-repo.zip', 'config.git/hooks/post-update'],
      ['config-repo.zip', 'config.git/objects/info/alternates'],
      ['db.zip', 'password.properties'],
    ];
    for (const [archive, name] of strays) {
      const restoredDir = newDataDir();
      const { status, stderr } = await restore(await forged(archive, { [name]: { content } }), restoredDir);
      assert.equal(status, 1, name);
      assert.ok(stderr.includes(`${archive}: ${JSON.stringify(name)} does not belong there.`), stderr);
      assert.ok(!existsSync(restoredDir), name);
    }
  });

  test('a manifest names the files of a backup, all of them and no other, and none is a link', async () => {
    const copy = newDataDir();
    cpSync(backup.path, copy, { recursive: true });
    const manifest = readManifest(readFileSync(join(copy, 'manifest.json'), 'utf8'));
    const { 'db.zip': database, ...others } = manifest.files;
    const write = (files: typeof manifest.files) => writeFileSync(join(copy, 'manifest.json'), writeManifest({ ...manifest, files }));
    write(others);
    assert.match((await restore(copy, newDataDir())).stderr, /db\.zip is missing in the manifest/);
    write({ ...manifest.files, '../elsewhere': { bytes: 0, crc32: '00000000' } });
    assert.match((await restore(copy, newDataDir())).stderr, /"\.\.\/elsewhere" is not a file of a backup/);
    write({ ...manifest.files, 'version.txt': database! });
    assert.match((await restore(copy, newDataDir())).stderr, /version\.txt is not described as what it is/);
    write(manifest.files);
    rmSync(join(copy, 'db.zip'));
    symlinkSync(join(backup.path, 'db.zip'), join(copy, 'db.zip'));
    assert.match((await restore(copy, newDataDir())).stderr, /db\.zip is not a file/);
    rmSync(join(copy, 'manifest.json'));
    symlinkSync(join(backup.path, 'manifest.json'), join(copy, 'manifest.json'));
    assert.match((await restore(copy, newDataDir())).stderr, /its manifest\.json is not a file/);
  });

  test('restored files are accessible to their owner alone, and none is executable', async () => {
    const restoredDir = newDataDir();
    const { status, stdout } = await restore(
      await forged('config-dir.zip', { 'own/after-backup': { content: '#!/bin/sh\n', mode: 0o4755 } }),
      restoredDir,
    );
    assert.equal(status, 0);
    assert.match(stdout, /Restored without the right to be run \(check them, then chmod u\+x\): own\/after-backup\n/);
    for (const entry of readdirSync(restoredDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.name.startsWith('server.lock')) continue;
      assert.equal(statSync(path).mode & 0o7777, entry.isDirectory() ? 0o700 : 0o600, path);
    }
  });

  test('the settings of the restored history are those of this server', async () => {
    const restoredDir = newDataDir();
    const config = '[core]\n\tbare = true\n\tfsmonitor = touch planted\n';
    assert.equal((await restore(await forged('config-repo.zip', { 'config.git/config': { content: config } }), restoredDir)).status, 0);
    const [own, restored] = [server.dataDir, restoredDir].map((dataDir) =>
      readFileSync(join(dataDir, 'history/config.git/config'), 'utf8'),
    );
    assert.equal(restored, own);
  });

  test('a backup of an older version is migrated when the server starts', async () => {
    const old = newDataDir();
    assert.equal((await restore(backup.path, old)).status, 0);
    const database = new DatabaseSync(join(old, 'slipway.db'));
    const later = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite@_%' escape '@'")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !TABLES_OF_OLD.includes(name));
    for (const name of later) database.exec(`drop table "${name}"`);
    for (const name of LATER_INDEXES) database.exec(`drop index "${name}"`);
    for (const [table, columns] of Object.entries(LATER_COLUMNS))
      for (const name of columns) database.exec(`alter table ${table} drop column "${name}"`);
    database.exec(`update schema_version set version = ${SCHEMA_OF_OLD}`);
    database.close();
    const folder = newDataDir();
    mkdirSync(folder);
    const order = { folder, dataDir: old, artifactsDir: join(old, 'artifacts'), version: 'old', backup: { id: 1, time: '', user: 'ada' } };
    await writeBackup(order, () => {});
    const restoredDir = newDataDir();
    assert.equal((await restore(folder, restoredDir)).status, 0);
    const restored = await startProcess(restoredDir, [], ADMIN_PASSWORD);
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD), Accept: 'application/vnd.svc+json' };
    const answer = await fetch(`${restored.url}/api/admin/environments/sample`, { headers });
    assert.equal(answer.headers.get('etag'), (await server.get('/api/admin/environments/sample')).etag);
    assert.equal((await fetch(`${restored.url}/api/admin/maintenance_mode/info`, { headers })).status, 200);
    await restored.end('SIGTERM');
  });

  test('a restore that is cut off is not taken for a data directory', async () => {
    const restoredDir = newDataDir();
    assert.equal((await restore(backup.path, restoredDir)).status, 0);
    writeFileSync(join(restoredDir, 'restore-unfinished'), '');
    const started = spawnSync(process.execPath, [SERVER, '--data-dir', restoredDir, '--port', '0'], {
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    assert.equal(started.status, 1);
    assert.match(started.stderr, /holds a restore that was cut off/);
    assert.equal((await restore(backup.path, restoredDir)).status, 0, 'it can be done again without a word');
    assert.ok(!existsSync(join(restoredDir, 'restore-unfinished')));
  });
});

function newestEventIn(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'slipway.db'), { readOnly: true });
  const { newest } = database.prepare('select max(number) as newest from events').get() as { newest: number };
  database.close();
  return newest;
}

// biome-ignore lint/suspicious/noExplicitAny: events have every shape
type Events = any[];

async function eventsOf(one: TestServer): Promise<Events> {
  return (await one.get('/api/admin/events?after=0&page_size=1000')).json._embedded.events;
}

function cutAt(number: number, events: Events): [Events, Events] {
  return [events.slice(0, number), events.slice(number)];
}

/** The deliveries without the number of waiting events, for both servers go on publishing some. */
async function deliveriesOf(one: TestServer): Promise<unknown> {
  const { queue, _embedded } = (await one.get('/api/admin/webhooks/sample/deliveries')).json;
  return { ...queue, behind: undefined, ..._embedded };
}

/** A server that has just started looks at its config repos. */
async function untilAtRest(one: TestServer): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ; await delay(20)) {
    const { text } = await one.get('/api/internal/config_repos');
    if (!/"material_update_in_progress":true|"parse_info":\{\}/.test(text)) return;
    assert.ok(Date.now() < end, text);
  }
}

function addWaitingMail(path: string): void {
  const database = new DatabaseSync(path);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  database
    .prepare(
      `insert into outbox (message_id, recipient, subject, text, html, created_at, due_at, attempts, doubts)
      values ('<waiting@example.test>', 'waiting@example.test', 's', 't', 'h', ?, ?, 0, 0)`,
    )
    .run(later, later);
  database.close();
}

function damage(path: string, at: number): void {
  const byte = readFileSync(path)[at]!;
  writeSync(openSync(path, 'r+'), Buffer.from([byte ^ 1]), 0, 1, at);
}

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-restore-'));
  directories.push(directory);
  return join(directory, 'data');
}

/** Something of every kind that is kept. */
async function fill(target: TestServer): Promise<void> {
  await addSamples(target);
  // There is neither a bucket nor a script.
  accepted(await target.put('/api/config/backup/extensions', { retention: { keep_last: 3 } }));
  accepted(await target.put('/api/config/backup', { schedule: '0 0 3 ? * MON', email_on_failure: true }));
  const as = await addUser(target, 'ada');
  await tokenOf(target, as);
  accepted(
    await target.post('/api/notification_filters', { pipeline: 'sample', stage: 'build', event: 'Fails', match_commits: true }, { as }),
  );
  accepted(
    await target.put('/api/admin/environments/sample', { ...kinds.find(({ name }) => name === 'environments')!.sample.body(2) }, '*'),
  );
  accepted(await target.delete('/api/admin/artifact_stores/sample'));
}
