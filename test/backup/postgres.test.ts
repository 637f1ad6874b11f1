// Backups of a PostgreSQL database, and restores into one.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { bytesNeeded } from '../../src/backup/disk-space.ts';
import type { BackupRecord } from '../../src/backup/record.ts';
import { manifestIn } from '../../src/backup/verify/read-folder.ts';
import { writeBackup } from '../../src/backup/write/write-backup.ts';
import { COPIED_TABLES } from '../../src/store/copy/tables.ts';
import { copyToPostgres } from '../../src/store/copy/to-postgres.ts';
import { copyToSqlite } from '../../src/store/copy/to-sqlite.ts';
import { migrate } from '../../src/store/migrate.ts';
import { Connection, type PostgresAddress } from '../../src/store/postgres/connection.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { BackupsAlone } from '../support/server/backups-alone.ts';
import { slipway } from '../support/server/command-line.ts';
import { until } from '../support/until.ts';

const MARK = 'moved-to-postgres.txt';
const EVENT = { time: '2026-01-31T02:30:00Z' };

let postgres: Postgres;
let folder: string;
let paths = 0;
before(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'slipway-postgres-backup-'));
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const newPath = () => join(folder, String(++paths));
const newTarget = async (): Promise<PostgresAddress> => ({ url: await postgres.createDatabase(), password: undefined });

async function ask<Row>({ url }: PostgresAddress, sql: string): Promise<readonly Row[]> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  return (await connection.runOnce(sql).finally(() => connection.close())).rows as readonly Row[];
}

/** A data directory with a little of everything that a restore treats in its own way. */
async function dataDirectory(): Promise<string> {
  const path = newPath();
  mkdirSync(path);
  writeFileSync(join(path, 'cipher.key'), 'a key');
  const database = openSqlite(join(path, 'slipway.db'));
  await migrate(database);
  await database.close();
  using file = new DatabaseSync(join(path, 'slipway.db'));
  file.exec(`insert into users (key, login_name, display_name, enabled, email, email_me, checkin_aliases) values ('ada', 'Ada', 'Ada', 1, '', 0, '');
    insert into revisions values (1, '${EVENT.time}', 'ada', null, null, null);
    insert into events values (1, '${JSON.stringify(EVENT)}', 'hash');
    insert into outbox (message_id, recipient, subject, text, html, created_at, due_at, attempts, doubts) values ('m', 'r', 's', 't', 'h', '', '', 0, 0);
    insert into backups (time, login_name, via, status, step, message, path, phases) values ('t', 'ada', 'USER', 'IN_PROGRESS', 'STARTING', '', '', '[]')`);
  return path;
}

async function filledTarget(): Promise<PostgresAddress> {
  const to = await newTarget();
  await copyToPostgres({ from: join(await dataDirectory(), 'slipway.db'), to });
  return to;
}

async function backupOf(dataDir: string): Promise<string> {
  const backup = newPath();
  mkdirSync(backup);
  const order = {
    folder: backup,
    dataDir,
    artifactsDir: join(dataDir, 'artifacts'),
    version: 'v',
    backup: { id: 1, time: 't', user: 'ada' },
  };
  await writeBackup(order, () => {});
  return backup;
}

const restore = (backup: string, dataDir: string, { url }: PostgresAddress, ...flags: readonly string[]) =>
  slipway(['restore', backup, '--data-dir', dataDir, '--database-url', url, ...flags]);

describe('backups of PostgreSQL', () => {
  let alone: BackupsAlone;
  const backingUp = async (source: PostgresAddress, work: () => Promise<void>) => {
    alone = await BackupsAlone.open();
    alone.source = source;
    await alone.halt();
    await alone.start();
    await work().finally(() => alone.close());
  };

  test('are made, verified, and hold the data at the time of the backup', async () => {
    const source = await filledTarget();
    await backingUp(source, async () => {
      const record = await alone.make();
      assert.deepEqual([record.status, record.verified], ['COMPLETED', true], record.message);
      assert.deepEqual(
        record.phases.map(({ name }) => name),
        ['config', 'history', 'database', 'verification'],
      );
      assert.deepEqual(readdirSync(record.path).toSorted(), [
        'config-dir.zip',
        'config-repo.zip',
        'db.zip',
        'manifest.json',
        'version.txt',
      ]);
      const { tables, revision, files } = manifestIn(record.path);
      assert.deepEqual([tables.users, tables.events, tables.backups, tables.leases, revision], [1, 1, 1, 0, 1]);
      const zip = files['db.zip']!;
      assert.deepEqual('entries' in zip && Object.keys(zip.entries), ['slipway.db']);
    });
  });

  test('a backup of an unreachable database fails with a message, and leaves nothing', async () => {
    const unreachable = { url: (await newTarget()).url.replace(/:\d+\//, ':1/'), password: undefined };
    await backingUp(unreachable, async () => {
      const record = await alone.make('TIMER');
      assert.equal(record.status, 'ERROR');
      assert.match(record.message, /^Failed to perform backup\. Reason: Nothing listens at 127\.0\.0\.1:1\. Start PostgreSQL there/);
      assert.deepEqual(readdirSync(alone.folder), []);
      assert.match((await until('it is reported', () => alone.health.all()[0])).detail, /Nothing listens/);
    });
  });

  test('a backup of a database of another program fails with a message, and leaves nothing', async () => {
    await backingUp(await newTarget(), async () => {
      const record = await alone.make();
      assert.match(record.message, /has schema 0, and this version of Slipway copies schema/);
      assert.deepEqual(readdirSync(alone.folder), []);
    });
  });

  test('the script after a backup learns neither the address nor the password of the database', async () => {
    const script = newPath();
    writeFileSync(script, '#!/bin/sh\nenv\n', { mode: 0o755 });
    const own = { SLIPWAY_DATABASE_URL: 'postgres://geheim', SLIPWAY_DATABASE_PASSWORD: 'geheim', SLIPWAY_ADMIN_PASSWORD: 'geheim' };
    Object.assign(process.env, own);
    try {
      await backingUp(await filledTarget(), async () => {
        alone.settings = { ...alone.settings, postBackupScript: script };
        const record: BackupRecord = await alone.make();
        assert.equal(record.status, 'COMPLETED', record.message);
        assert.match(record.script!.output, /SVC_BACKUP_STATUS=success/);
        assert.doesNotMatch(record.script!.output, /geheim/);
      });
    } finally {
      for (const name of Object.keys(own)) delete process.env[name];
    }
  });

  test('a backup needs room for its temporary file, too, by the length of its texts', async () => {
    const [dataDir, source] = [await dataDirectory(), await filledTarget()];
    const before = await bytesNeeded({ dataDir, source });
    const characters = 20_000_000;
    // Compressed, it needs next to nothing there.
    await ask(source, `insert into plans values ('a', '', '', '', repeat('a', ${characters}))`);
    const grown = (await bytesNeeded({ dataDir, source })) - before;
    assert.ok(grown > 2 * (characters - 5_000_000) && grown < 2 * (characters + 5_000_000), String(grown));
    const path = newPath();
    await copyToSqlite({ from: source, to: path });
    assert.ok(readFileSync(path).length < before + grown);
  });
});

describe('restores into PostgreSQL', () => {
  test('a restore puts the data into the database and the other files into a directory that is marked', async () => {
    const [dataDir, restoredDir, to] = [await dataDirectory(), newPath(), await newTarget()];
    const { status, out, err } = await restore(await backupOf(dataDir), restoredDir, to);
    assert.equal(status, 0, err);
    assert.match(err, /^Unpacking the backup\n(?:Copying \w+\n)+$/);
    assert.match(out, /^Restored the backup of .*\ninto the database \w+ on 127\.0\.0\.1:\d+ and \S+\.\n$/);
    assert.deepEqual(
      readdirSync(restoredDir)
        .filter((name) => !name.startsWith('server.lock'))
        .toSorted(),
      ['cipher.key', 'history', MARK],
    );
    assert.match(
      readFileSync(join(restoredDir, MARK), 'utf8'),
      new RegExp(`in the PostgreSQL database ${new URL(to.url).pathname.slice(1)} on`),
    );
    for (const table of COPIED_TABLES) {
      using file = new DatabaseSync(join(dataDir, 'slipway.db'), { readOnly: true });
      const count = `select count(*) as count from "${table}"`;
      assert.deepEqual(await ask(to, count), [{ ...file.prepare(count).get() }], table);
    }
    assert.deepEqual(await ask(to, 'select ended_as from outbox'), [{ ended_as: 'unconfirmed' }], 'as in every restore');
    assert.deepEqual(await ask(to, 'select status from backups'), [{ status: 'COMPLETED' }]);
    assert.deepEqual(await ask(to, 'select commit, revision, event, event_hash from head'), [
      { commit: 1, revision: 1, event: 1, event_hash: 'hash' },
    ]);
    assert.deepEqual(await ask(to, 'select time from head'), [{ time: Date.parse(EVENT.time) }]);
  });

  test('a database that is not empty is refused, before and at a plan, and nothing is changed', async () => {
    const [backup, restoredDir, to] = [await backupOf(await dataDirectory()), newPath(), await filledTarget()];
    for (const flags of [[], ['--plan'], ['--replace']]) {
      const { status, out, err } = await restore(backup, restoredDir, to, ...flags);
      assert.deepEqual([status, out], [1, '']);
      assert.match(err, /^The database .* is not empty: .* Give the address of an empty one\.\n$/);
    }
    assert.ok(!existsSync(restoredDir));
    assert.deepEqual(await ask(to, 'select count(*) from users'), [{ count: 1 }]);
  });

  test('a plan of a restore changes nothing', async () => {
    const [backup, restoredDir, to] = [await backupOf(await dataDirectory()), newPath(), await newTarget()];
    const { status, out } = await restore(backup, restoredDir, to, '--plan');
    assert.equal(status, 0);
    assert.match(out, /^Would restore .*\ninto the database \w+ on .* and /);
    assert.ok(!existsSync(restoredDir));
    assert.deepEqual(await ask(to, "select from pg_tables where schemaname = 'public'"), []);
  });

  test('a damaged backup changes neither the database nor the directory', async () => {
    const [backup, restoredDir, to] = [await backupOf(await dataDirectory()), newPath(), await newTarget()];
    writeFileSync(join(backup, 'version.txt'), 'w\n');
    const { status, err } = await restore(backup, restoredDir, to);
    assert.equal(status, 1);
    assert.match(err, /The backup is damaged\. Nothing was changed\./);
    assert.ok(!existsSync(restoredDir));
    assert.deepEqual(await ask(to, "select from pg_tables where schemaname = 'public'"), []);
  });

  test('rows that PostgreSQL does not take change neither the database nor the directory', async () => {
    const dataDir = await dataDirectory();
    using file = new DatabaseSync(join(dataDir, 'slipway.db'));
    file.exec(
      "update webhook_queues set position = 0; insert into webhook_queues (webhook, position, failures) values ('w', 'no number', 0)",
    );
    const [restoredDir, to] = [newPath(), await newTarget()];
    mkdirSync(restoredDir);
    const { status, err } = await restore(await backupOf(dataDir), restoredDir, to);
    assert.equal(status, 1);
    assert.match(err, /no number.* Nothing was changed\./);
    assert.deepEqual(
      readdirSync(restoredDir).filter((name) => !name.startsWith('server.lock')),
      [],
    );
    assert.deepEqual(await ask(to, "select from pg_tables where schemaname = 'public'"), []);
  });

  test('a restore that cannot put files in their places reports that the database has the data', async () => {
    const [dataDir, restoredDir, to] = [await dataDirectory(), newPath(), await newTarget()];
    using file = new DatabaseSync(join(dataDir, 'slipway.db'));
    file.exec(`insert into entities values ('artifactsConfig', '', 1, 1, 'e', '{"artifactsDir":"store/art"}')`);
    writeFileSync(join(dataDir, 'store'), 'a file where artifacts are');
    mkdirSync(join(restoredDir, 'store', 'art'), { recursive: true });
    const { status, err } = await restore(await backupOf(dataDir), restoredDir, to, '--replace');
    assert.equal(status, 1);
    assert.match(
      err,
      /\nNot all files could be moved to their places\.\n {2}.*store is there already\.\n {2}The database .* has the data already: empty it/,
    );
    assert.ok(
      existsSync(join(restoredDir, 'store', 'art')) && !existsSync(join(restoredDir, MARK)) && !existsSync(join(restoredDir, 'cipher.key')),
    );
  });

  test('a restore back into the data directory puts the mark aside', async () => {
    const [backup, restoredDir, to] = [await backupOf(await dataDirectory()), newPath(), await newTarget()];
    assert.equal((await restore(backup, restoredDir, to)).status, 0);
    const { status, err } = await slipway(['restore', backup, '--data-dir', restoredDir, '--replace']);
    assert.equal(status, 0, err);
    assert.ok(existsSync(join(restoredDir, 'slipway.db')) && !existsSync(join(restoredDir, MARK)));
    const [aside] = readdirSync(restoredDir).filter((name) => name.startsWith('replaced-'));
    assert.ok(readdirSync(join(restoredDir, aside!)).includes(MARK));
  });
});
