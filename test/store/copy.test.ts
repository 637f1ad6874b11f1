// Copies between the engines: every value of every table, both ways; a copy that is not possible is refused, and changes nothing.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { CopyRefused, TargetNotEmpty } from '../../src/store/copy/refused.ts';
import { COPIED_TABLES } from '../../src/store/copy/tables.ts';
import { checkTarget } from '../../src/store/copy/target.ts';
import { checkCopyTo, copyToPostgres, isCopyOf } from '../../src/store/copy/to-postgres.ts';
import { copyToSqlite } from '../../src/store/copy/to-sqlite.ts';
import { MIGRATIONS, migrate, NEWEST_SCHEMA } from '../../src/store/migrate.ts';
import { NEWEST_TABLES } from '../../src/store/newest-schema.ts';
import { localeProblem } from '../../src/store/postgres/checks.ts';
import { Connection, type PostgresAddress } from '../../src/store/postgres/connection.ts';
import { POSTGRES_TABLES } from '../../src/store/postgres/newest-schema.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

const TIME = '2026-01-31T02:30:00.123Z';
/** Texts that go wrong where texts are put together from pieces, and the largest number that has to come through. */
const TEXTS = ['', 'NULL', '"', '\\', '{a,b}', "it's", 'ä\n\t\r€😀', '\\u0000', '%', '$1'];
const LARGE = 2 ** 40;

let postgres: Postgres;
let folder: string;
let files = 0;
before(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'slipway-copy-'));
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const newPath = () => join(folder, `${++files}.db`);
const newTarget = async (): Promise<PostgresAddress> => ({ url: await postgres.createDatabase(), password: undefined });

async function newFile(fill: (database: DatabaseSync) => void = () => {}): Promise<string> {
  const path = newPath();
  const database = openSqlite(path);
  await migrate(database);
  await database.close();
  using file = new DatabaseSync(path);
  fill(file);
  return path;
}

async function ask<Row>(address: PostgresAddress, sql: string): Promise<readonly Row[]> {
  const connection = await Connection.open(address, { name: 'test' });
  return (await connection.runOnce(sql).finally(() => connection.close())).rows as readonly Row[];
}

function allRows(path: string): Readonly<Record<string, readonly unknown[]>> {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = (table: string) =>
    database
      .prepare(`select * from "${table}"`)
      .all()
      .map((row) => JSON.stringify(row));
  return Object.fromEntries([...COPIED_TABLES, 'schema_version', 'leases', 'sqlite_sequence'].map((name) => [name, rows(name).toSorted()]));
}

/** Some rows in each table, with every text in one of them. */
function fillAll(database: DatabaseSync): void {
  for (const table of COPIED_TABLES) {
    const columns = database
      .prepare(`select name, type, "notnull" as needed, pk from pragma_table_info('${table}')`)
      .all() as unknown as Column[];
    const statement = database.prepare(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
    for (const [index, text] of TEXTS.entries()) statement.run(...columns.map((column) => sample(column, index + 1, text)));
  }
  database.exec(`update events set body = '{"time":"${TIME}"}'; update revisions set time = '2026-01-30T00:00:00Z'`);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly needed: number;
  readonly pk: number;
}

const NUMBERING = [
  'id',
  'number',
  'revision',
  'material_id',
  'modification_id',
  'queue_id',
  'ordinal',
  'position',
  'run_id',
  'stage_run_id',
  'job_id',
];

function sample({ name, type, needed, pk }: Column, row: number, text: string): string | number | null {
  // These name rows of other tables, or their own.
  if (pk > 0 || NUMBERING.includes(name)) return type === 'TEXT' || type === 'text' ? `${row} ${text}` : row;
  if (row % 3 === 0 && needed === 0) return null;
  if (type.toLowerCase() === 'text') return ['hash', 'fingerprint', 'message_id', 'webhook'].includes(name) ? `${row} ${text}` : text;
  return LARGE + row;
}

describe('a copy', () => {
  test('has every value, there and back', async () => {
    const [from, to, back] = [await newFile(fillAll), await newTarget(), newPath()];
    const { tables, replaced } = await copyToPostgres({ from, to });
    assert.deepEqual(new Set(Object.values(tables)), new Set([TEXTS.length]));
    assert.equal(replaced, 0);
    await copyToSqlite({ from: to, to: back });
    assert.deepEqual(allRows(back), allRows(from));
    using database = new DatabaseSync(back, { readOnly: true });
    assert.equal(database.prepare('PRAGMA integrity_check').get()!.integrity_check, 'ok');
    assert.deepEqual(
      database.prepare('select sql from sqlite_schema where sql is not null order by sql').all().length,
      NEWEST_TABLES.length + 2,
      'all tables and indexes, the version, and the ids',
    );
  });

  test('has many rows, large ones among them', async () => {
    const large = 'x"'.repeat(400_000);
    const from = await newFile((database) => {
      const insert = database.prepare('insert into events values (?, ?, ?)');
      database.exec('begin');
      for (let number = 1; number <= 5001; number++)
        insert.run(number, JSON.stringify({ time: TIME, text: number % 1000 === 0 ? large : 'small' }), `hash ${number}`);
      database.exec('commit');
    });
    const [to, back] = [await newTarget(), newPath()];
    const progress: (readonly [number, number])[] = [];
    await copyToPostgres({ from, to, onRows: (table, done, all) => table === 'events' && progress.push([done, all]) });
    assert.deepEqual(
      [progress[0], progress.at(-1)],
      [
        [0, 5001],
        [5001, 5001],
      ],
    );
    assert.ok(progress.length > 4, 'in several batches');
    await copyToSqlite({ from: to, to: back });
    assert.deepEqual(allRows(back), allRows(from));
  });

  test('gives no used id again, neither there nor after the way back', async () => {
    const from = await newFile((database) => {
      const add = database.prepare(
        "insert into access_tokens (hash, description, login_name, auth_config_id, created_at, revoked_because_user_deleted) values (?, '', '', '', '', 0)",
      );
      for (const hash of ['a', 'b', 'c']) add.run(hash);
      database.exec("delete from access_tokens where hash <> 'a'");
    });
    const [to, back] = [await newTarget(), newPath()];
    await copyToPostgres({ from, to });
    const added =
      "insert into access_tokens (hash, description, login_name, auth_config_id, created_at, revoked_because_user_deleted) values ('d', '', '', '', '', 0) returning id";
    assert.deepEqual(await ask(to, added), [{ id: 4 }]);
    const first = "insert into webhook_queues (webhook, position, failures) values ('w', 0, 0) returning id";
    assert.deepEqual(await ask(to, first), [{ id: 1 }], 'where none was given, they begin with 1');
    await ask(to, 'delete from access_tokens');
    await copyToSqlite({ from: to, to: back });
    using database = new DatabaseSync(back);
    assert.equal(database.prepare(added).get()!.id, 5);
  });

  test('keeps the order of writes after the newest revision and event', async () => {
    const [from, to] = [await newFile(fillAll), await newTarget()];
    await copyToPostgres({ from, to });
    const last = TEXTS.length;
    const { hash } = (await ask<{ hash: string }>(to, `select hash from events where number = ${last}`))[0]!;
    const head = { id: 1, commit: 1, revision: last, event: last, event_hash: hash, time: Date.parse(TIME) };
    assert.deepEqual(await ask(to, 'select * from head'), [head]);
    const [commit] = await ask<{ touched: string }>(to, 'select number, revision, event, touched from commits');
    assert.deepEqual(commit, { number: 1, revision: last, event: last, touched: COPIED_TABLES.join(' ') });
    assert.deepEqual(await ask(to, 'select version from schema_version'), [{ version: NEWEST_SCHEMA }]);
  });

  test('a copy of an empty installation works there and back', async () => {
    const [from, to, back] = [await newFile(), await newTarget(), newPath()];
    await copyToPostgres({ from, to });
    const [head] = await ask(to, 'select * from head');
    assert.deepEqual(head, { id: 1, commit: 1, revision: 0, event: 0, event_hash: '0'.repeat(64), time: 0 });
    await copyToSqlite({ from: to, to: back });
    assert.deepEqual(allRows(back), allRows(from));
  });

  test('characters that PostgreSQL does not take are replaced and counted, and fractions become whole', async () => {
    const from = await newFile((database) => {
      database
        .prepare(
          "insert into users (key, login_name, display_name, enabled, email, email_me, checkin_aliases) values ('ada', ?, ?, 1, '', 0, '')",
        )
        .run('a\u0000b\u0000', 'Ada');
      database.exec("insert into webhook_queues (id, webhook, position, failures) values (1, 'w', 2.6, 0)");
    });
    const to = await newTarget();
    assert.equal((await copyToPostgres({ from, to })).replaced, 2);
    assert.deepEqual(await ask(to, 'select login_name, display_name from users'), [{ login_name: 'a\ufffdb\ufffd', display_name: 'Ada' }]);
    assert.deepEqual(await ask(to, 'select position from webhook_queues'), [{ position: 3 }]);
  });

  test('leases stay where they are', async () => {
    const from = await newFile((database) => database.exec("insert into leases values ('keeper', 'a', 7, 1)"));
    const [to, back] = [await newTarget(), newPath()];
    await copyToPostgres({ from, to });
    assert.deepEqual(await ask(to, 'select * from leases'), []);
    await ask(to, "insert into leases values ('keeper', 'b', 1, 1); insert into replicas values ('b', '', '', '', '', '', 1, 1)");
    await copyToSqlite({ from: to, to: back });
    assert.deepEqual(allRows(back).leases, []);
  });

  test('a database of an older version gets the newest tables first', async () => {
    const from = newPath();
    const database = openSqlite(from);
    await migrate(database, MIGRATIONS.slice(0, 10));
    await database.close();
    const to = await newTarget();
    await copyToPostgres({ from, to });
    assert.deepEqual(await ask(to, 'select count(*) from revision_names'), [{ count: 0 }]);
  });
});

describe('copies that are refused', () => {
  const refusal = async (work: Promise<unknown>, message: RegExp, kind = CopyRefused): Promise<void> => {
    await assert.rejects(work, (failure) => {
      assert.ok(failure instanceof kind, String(failure));
      assert.match(failure.message, message);
      return true;
    });
  };
  const tablesOf = (address: PostgresAddress) =>
    ask<{ name: string }>(address, "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace");

  /** Both the copy and the check beforehand; the file stays as it was, of an older version. */
  async function bothRefuse(to: PostgresAddress, message: RegExp, kind = CopyRefused): Promise<void> {
    const from = newPath();
    const database = openSqlite(from);
    await migrate(database, MIGRATIONS.slice(0, 10));
    await database.close();
    await refusal(checkCopyTo(to), message, kind);
    await refusal(copyToPostgres({ from, to }), message, kind);
    using file = new DatabaseSync(from, { readOnly: true });
    assert.equal(file.prepare('select version from schema_version').get()!.version, 10);
  }

  async function madeAs(options: string): Promise<PostgresAddress> {
    const address = await newTarget();
    const name = `x${new URL(address.url).pathname.slice(1)}`;
    await ask(address, `create database ${name} template template0 ${options}`);
    return { url: address.url.replace(/[^/]+$/, name), password: undefined };
  }

  test('a copy into a database with data', async () => {
    const [from, to] = [await newFile(fillAll), await newTarget()];
    await copyToPostgres({ from, to });
    await bothRefuse(
      to,
      /is not empty: there are rows in access_tokens, agents, artifact_usage, …\. Give the address of an empty one\.$/,
      TargetNotEmpty,
    );
    assert.deepEqual(await ask(to, 'select count(*) from events'), [{ count: TEXTS.length }]);
  });

  test('a copy into a database with one row of any table', async () => {
    for (const row of ["shared_files values ('a', 'b')", "leases values ('keeper', 'a', 1, 1)", "material_wishes values ('a')"]) {
      const to = await newTarget();
      await ask(to, `${POSTGRES_TABLES.join(';')}; insert into ${row}`);
      await bothRefuse(to, /is not empty/, TargetNotEmpty);
    }
    const written = await newTarget();
    await ask(written, `${POSTGRES_TABLES.join(';')}; update head set commit = 1`);
    await bothRefuse(written, /there are rows in head/, TargetNotEmpty);
  });

  test('a copy into a database that is only prepared, also by an older version, is not refused', async () => {
    const to = await newTarget();
    await ask(
      to,
      `${POSTGRES_TABLES.filter((statement) => !statement.includes('"plans"')).join(';')}; create table schema_version (version integer); insert into schema_version values (3)`,
    );
    await checkCopyTo(to);
    await copyToPostgres({ from: await newFile(fillAll), to });
    assert.deepEqual(await ask(to, 'select version from schema_version'), [{ version: NEWEST_SCHEMA }]);
  });

  test('a copy into a database with tables of another program', async () => {
    const to = await newTarget();
    await ask(to, 'create table invoices (id bigint)');
    await bothRefuse(to, /holds tables of another program \(invoices\)\. Give the address of an empty one/);
    assert.deepEqual(await tablesOf(to), [{ name: 'invoices' }]);
  });

  test('a copy into a database with another encoding or locale', async () => {
    const how = /Create it as: create database "x\w+" encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0$/;
    for (const [options, message] of [
      ["encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'", /keeps texts as LATIN1, and Slipway needs UTF8/],
      ["encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'", /compares texts by C\.UTF-8, and Slipway needs C/],
      ["encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'", /compares texts by C\.UTF-8/],
      ["encoding 'UTF8' locale_provider icu icu_locale 'en-US' lc_collate 'C' lc_ctype 'C'", /compares texts by ICU/],
    ] as const) {
      const to = await madeAs(options);
      await bothRefuse(to, message);
      await bothRefuse(to, how);
      assert.deepEqual(await tablesOf(to), []);
    }
    const own = { encoding: 'UTF8', provider: 'b', collate: 'C', ctype: 'C' };
    assert.equal(localeProblem({ ...own, locale: 'C' }, 'slipway'), undefined, 'of PostgreSQL 17');
    assert.match(localeProblem({ ...own, locale: 'C.UTF-8' }, 'slipway')!, /compares texts by C\.UTF-8/);
  });

  test('a copy into an old PostgreSQL, and into a standby', async () => {
    const address = { url: 'postgres://h/slipway', password: undefined };
    const answering = (...answers: readonly object[]) => {
      const left = [...answers];
      return { runOnce: async () => ({ rows: [left.shift()], rowCount: 1, command: 'SELECT' }) };
    };
    const old = answering({ version: 140_011, version_text: '14.11' });
    await refusal(checkTarget(old, address), /^slipway on h:5432 is PostgreSQL 14\.11\. Slipway needs PostgreSQL 15 or later\.$/);
    const standby = answering({ version: 150_004, version_text: '15.4', is_read_only: true });
    await refusal(checkTarget(standby, address), /slipway on h:5432 is read-only: .* Give the address of the primary\.$/);
  });

  test('a copy by a user who may not make tables', async () => {
    const to = await newTarget();
    await ask(to, 'create role guest login');
    const guest = { url: to.url.replace(/\/\/[^@]+@/, '//guest@'), password: undefined };
    await refusal(
      copyToPostgres({ from: await newFile(), to: guest }),
      /^The user guest may not do that in the database .* Nothing was changed\.$/,
    );
    await ask(to, 'revoke all on schema public from public');
    await bothRefuse(guest, /may not use a schema/);
  });

  test('a copy into a database that cannot be reached', async () => {
    const to = await newTarget();
    await bothRefuse({ url: to.url.replace(/:\d+\//, ':1/'), password: undefined }, /^Nothing listens at/);
    await bothRefuse({ url: `${to.url}none`, password: undefined }, /^There is no database .*Create it: create database/);
    await refusal(copyToSqlite({ from: { url: `${to.url}none`, password: undefined }, to: newPath() }), /^There is no database/);
  });

  test('a second copy at the same time', async () => {
    const [from, to] = [await newFile(fillAll), await newTarget()];
    const both = await Promise.allSettled([copyToPostgres({ from, to }), copyToPostgres({ from: await newFile(), to })]);
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []));
    assert.equal(refused.length, 1);
    assert.match(refused[0]!, /Another copy into the database .* is under way|is not empty/);
  });

  test('a copy with rows that PostgreSQL does not take, which leaves nothing', async () => {
    const key = randomBytes(3000).toString('base64');
    const from = await newFile((database) => database.prepare("insert into entities values ('a', ?, 1, 1, '', '{}')").run(key));
    const to = await newTarget();
    await refusal(copyToPostgres({ from, to }), /index row .* Nothing was changed\.$/);
    assert.deepEqual(await tablesOf(to), []);
    await copyToPostgres({ from: await newFile(), to });
  });

  test('a copy back from another program or version, or into an existing file', async () => {
    const [from, path] = [await newTarget(), newPath()];
    await refusal(copyToSqlite({ from, to: path }), new RegExp(`has schema 0, and this version of Slipway copies schema ${NEWEST_SCHEMA}`));
    await copyToPostgres({ from: await newFile(fillAll), to: from });
    await copyToSqlite({ from, to: path });
    await assert.rejects(copyToSqlite({ from, to: path }), { code: 'EEXIST' });
    await ask(from, 'update schema_version set version = 999');
    await refusal(copyToSqlite({ from, to: newPath() }), /has schema 999/);
  });
});

describe('whether a database is the copy of a file', () => {
  test('a database is the copy of a file only as long as nothing was written', async () => {
    const [from, to] = [await newFile(fillAll), await newTarget()];
    assert.equal(await isCopyOf(from, to), false, 'there is nothing');
    await copyToPostgres({ from, to });
    assert.equal(await isCopyOf(from, to), true);
    assert.equal(await isCopyOf(await newFile(), to), false, 'of another file');
    for (const [change, undo] of [
      ["update entities set etag = 'other' where created > 0", undefined],
      ['update head set commit = 2', 'update head set commit = 1'],
      ["update head set event_hash = ''", undefined],
    ] as const) {
      const other = await newTarget();
      await copyToPostgres({ from, to: other });
      await ask(other, change);
      assert.equal(await isCopyOf(from, other), false, change);
      if (undo) await ask(other, undo);
      if (undo) assert.equal(await isCopyOf(from, other), true);
    }
  });
});
