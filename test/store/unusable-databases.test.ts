// A server starts on a PostgreSQL database only if it can use it. Otherwise a sentence says what to do, and the database is as before.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkCopyTo } from '../../src/store/copy/to-postgres.ts';
import { migrate } from '../../src/store/migrate.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { smallDisk } from '../support/database/small-disk.ts';

let postgres: Postgres;

before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

async function ask<Row>(url: string, sql: string): Promise<readonly Row[]> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  return (await connection.runOnce(sql).finally(() => connection.close())).rows as readonly Row[];
}

/** Prepares the database as a server does when it starts. */
async function start(url: string): Promise<void> {
  const database = await openPostgres({ url, password: undefined });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

const TABLES = "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";
const tablesIn = (url: string) => ask(url, TABLES);

async function assertRefused(url: string, expected: RegExp): Promise<void> {
  const tables = await tablesIn(url);
  await assert.rejects(start(url), ({ message }: Error) => {
    assert.match(message, expected);
    return true;
  });
  assert.deepEqual(await tablesIn(url), tables);
}

test('a database with tables of another program is refused, also if one is called schema_version', async () => {
  for (const tables of [['invoices'], ['invoices', 'schema_version']]) {
    const url = await postgres.createDatabase();
    for (const table of tables) await ask(url, `create table ${table} (version text)`);
    await assertRefused(url, /holds tables of another program, such as invoices\. Give Slipway a database of its own: create database/);
  }
});

test('a read-only database is refused', async () => {
  const url = await postgres.createDatabase();
  await ask(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  const expected = /is read-only: it is a standby, or was set so\. Give the address of the primary\.$/;
  await assertRefused(url, expected);
  await assert.rejects(checkCopyTo({ url, password: undefined }), expected, 'nothing is moved to where no server could start');
});

test('a database with another locale is refused', async () => {
  const url = await postgres.createDatabase();
  await ask(url, "create database other encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8' template template0");
  const other = url.replace(/[^/]+$/, 'other');
  await assertRefused(other, /compares texts by C\.UTF-8, and Slipway needs C\. Create it as: create database "other" encoding 'UTF8'/);
});

test('a database on a full disk is refused', async (context) => {
  const folder = smallDisk(context, 8);
  if (!folder) return;
  const place = join(folder, 'tablespace');
  mkdirSync(place);
  chmodSync(folder, 0o755);
  execFileSync('chown', ['postgres', place]);
  const url = await postgres.createDatabase();
  await ask(url, `create tablespace small location '${place}'`);
  await ask(url, 'create database small tablespace small template template0');
  const small = url.replace(/[^/]+$/, 'small');
  await ask(small, 'select 1'); // the first session writes a file
  assert.throws(() => writeFileSync(join(folder, 'rest'), Buffer.alloc(8 * 1024 * 1024)), /ENOSPC/);
  await assert.rejects(start(small), /^\w*Error: The disk of the database small on .* is full\. Make room there\.$/);
  const made = (await ask<{ readonly relname: string }>(small, TABLES)).map(({ relname }) => relname);
  // It may be there already, and is empty then.
  assert.deepEqual(
    made.filter((name) => name !== 'schema_version'),
    [],
  );
  rmSync(join(folder, 'rest'));
  await start(small);
});

test('a user who may not create tables is refused', async () => {
  const url = await postgres.createDatabase();
  await ask(url, 'create role guest login');
  const as = Object.assign(new URL(url), { username: 'guest' }).href;
  await assertRefused(
    as,
    /^The user guest may not do that in the database .*: permission denied .* Make this user its owner: alter database/,
  );
  await ask(url, `alter database ${new URL(url).pathname.slice(1)} owner to guest`);
  await start(as);
});
