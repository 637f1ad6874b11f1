// Statements that are sent together to PostgreSQL: each has its answer, one that fails undoes all, and prepared ones stay usable.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { POSTGRES_TABLES } from '../../src/store/postgres/newest-schema.ts';
import { command } from '../../src/store/postgres/statement-batch.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

let postgres: Postgres;
let connection: Connection;

before(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  connection = await Connection.open({ url, password: undefined }, { name: 'test', pipeline: true });
  await connection.runOnce('create table numbers (number bigint primary key, note text)');
});

after(async () => {
  await connection.close();
  await postgres.stop();
});

const insert = (number: number, note: string | null = null) => ({
  sql: 'insert into numbers values ($1, $2)',
  parameters: [number, note],
});
const ALL = command('select number, note from numbers order by number');
const numbers = async () => (await connection.run(ALL)).rows.map((row) => (row as { readonly number: number }).number);
const preparedCount = async () => (await connection.runOnce('select from pg_prepared_statements')).rowCount;

test('each statement has an answer of its own, also one that is sent several times', async () => {
  const answers = await connection.runAll([insert(1, 'one'), insert(2), ALL, command('delete from numbers'), ALL]);
  assert.deepEqual(
    answers.map((answer) => [answer.command, answer.rowCount, answer.rows]),
    [
      ['INSERT', 1, []],
      ['INSERT', 1, []],
      [
        'SELECT',
        2,
        [
          { number: 1, note: 'one' },
          { number: 2, note: null },
        ],
      ],
      ['DELETE', 2, []],
      ['SELECT', 0, []],
    ],
  );
});

test('a failed statement undoes all, and new statements can be sent again', async () => {
  const count = { sql: 'select count(*) as count from numbers where number > $1', parameters: [0] };
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(connection.runAll([insert(5), command('select 1 / 0 as never'), count]), { code: '22012' });
  }
  assert.deepEqual((await connection.run(count)).rows, [{ count: 0 }]);
  assert.deepEqual(await numbers(), []);
});

test('a statement that fails again and again leaves nothing behind at the server', async () => {
  const failing = command('select 2 / 0 as never');
  const fail = () => assert.rejects(connection.run(failing), { code: '22012' });
  await fail();
  await numbers();
  const before = await preparedCount();
  for (let attempt = 0; attempt < 5; attempt++) await fail();
  await numbers();
  assert.equal(await preparedCount(), before);
});

test('batches with the same new statement may be sent before the first is answered, and the first may fail', async () => {
  const fresh = command('select max(number) as highest from numbers');
  const [failed, ...others] = await Promise.allSettled([
    connection.runAll([command('select 3 / 0 as never'), fresh]),
    connection.runAll([fresh, fresh]),
    connection.run(fresh),
  ]);
  assert.equal(failed.status, 'rejected');
  assert.deepEqual(
    others.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
});

test('a transaction that was begun stays as the server left it until it is ended', async () => {
  await assert.rejects(connection.runAll([command('begin'), insert(7), insert(7), command('commit')]), { code: '23505' });
  await assert.rejects(connection.run(ALL), { code: '25P02' });
  await connection.runOnce('rollback');
  assert.deepEqual(await numbers(), []);
  assert.equal((await connection.runAll([command('begin'), insert(7), command('commit')])).at(-1)!.command, 'COMMIT');
  assert.deepEqual(await numbers(), [7]);
});

test('where statements find rows by keys, a plan that was made for an empty table does not read a large one', async () => {
  for (const [usesKeys, expected] of [
    [true, /Index/],
    [false, /Seq Scan/],
  ] as const) {
    const own = await Connection.open({ url: await postgres.createDatabase(), password: undefined }, { name: 'test', usesKeys });
    for (const statement of POSTGRES_TABLES) await own.runOnce(statement);
    await own.runOnce('alter table revisions set (autovacuum_enabled = off)');
    await own.runOnce('prepare since as select * from revisions where revision > $1 order by revision');
    for (let count = 0; count < 10; count++) await own.runOnce('execute since (0)');
    await own.runOnce("insert into revisions (revision, time, actor) select number, '', '' from generate_series(1, 20000) as number");
    const { rows } = await own.runOnce('explain execute since (19990)');
    await own.close();
    assert.match(JSON.stringify(rows), expected);
  }
});
