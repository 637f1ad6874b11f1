// A database that is a standby for a while, as during a failover.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '../../src/store/migrate.ts';
import { Connection, type PostgresAddress } from '../../src/store/postgres/connection.ts';
import { Contact } from '../../src/store/postgres/contact.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { HeadWatch } from '../../src/store/postgres/order/head-watch.ts';
import { KnownCommits } from '../../src/store/postgres/order/known-commits.ts';
import { askForOutcome } from '../../src/store/postgres/order/transaction-outcome.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

const NO_PROCESS = 0;
const PROMOTE = 'select pg_promote()';

let postgres: Postgres;
let address: PostgresAddress;
before(async () => {
  postgres = await startPostgres();
  address = { url: await postgres.createDatabase(), password: undefined };
  const database = await openPostgres(address);
  await migrate(database);
  await database.close();
  await postgres.becomeStandby();
});
after(() => postgres?.stop());

const connect = () => Connection.open(address, { name: 'test' });

async function promote(): Promise<void> {
  const connection = await connect();
  await connection.runOnce(PROMOTE);
  await connection.close();
}

test('an attempt to follow a standby leaves no connection behind', async () => {
  const opened: Connection[] = [];
  const watch = new HeadWatch({
    connect: async () => {
      const connection = await connect();
      opened.push(connection);
      return connection;
    },
    contact: new Contact(
      () => {},
      () => {},
    ),
    known: new KnownCommits(),
    onFailure: () => {},
  });
  await assert.rejects(watch.open(), /cannot execute LISTEN during recovery/);
  assert.deepEqual(
    opened.map(({ failure }) => failure !== undefined),
    [true],
  );
  await watch.stop();
});

test('a session that refuses a write is not used again', async () => {
  const connection = await connect();
  await assert.rejects(connection.runOnce('create table never ()'), /read-only transaction/);
  assert.ok(connection.failure);
});

test('what a standby does not have may have been committed all the same', async () => {
  let asked = 0;
  const outcome = await askForOutcome({ number: 7, mark: 'a', processId: NO_PROCESS, name: 'writes' }, async () => {
    if (++asked === 3) await promote();
    return connect();
  });
  assert.equal(outcome, 'aborted');
  assert.equal(asked, 3);
});
