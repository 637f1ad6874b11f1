// A database that is a standby for a while, as during a failover.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '../../src/store/migrate.ts';
import { Connection, type PostgresAddress } from '../../src/store/postgres/connection.ts';
import { Contact } from '../../src/store/postgres/contact.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { HeadWatch } from '../../src/store/postgres/order/head-watch.ts';
import { KnownCommits } from '../../src/store/postgres/order/known-commits.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';

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
