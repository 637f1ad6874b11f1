// The messages when PostgreSQL cannot be reached or does not let us in, by a real one.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readAddress } from '../../src/store/postgres/address.ts';
import { Connection, type PostgresAddress } from '../../src/store/postgres/connection.ts';
import { explainConnectFailure } from '../../src/store/postgres/connection-errors.ts';
import { type Postgres, startPostgres } from '../support/database/postgres.ts';
import { makeCertificates } from '../support/services/certificates.ts';
import { until } from '../support/until.ts';

let postgres: Postgres;
let url: string;
let folder: string;

before(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  folder = (await ask<{ data_directory: string }>('show data_directory')).data_directory;
  await ask("create role ada login password 'lovelace'");
  const rules = join(folder, 'pg_hba.conf');
  const lines = ['local all all trust', 'host all ada all scram-sha-256', 'hostssl all tls all trust', 'host all tls all reject'];
  writeFileSync(rules, `${lines.join('\n')}\n${readFileSync(rules, 'utf8')}`);
  await ask('create role tls login');
  await ask('select pg_reload_conf()');
  await until('the rules hold', () => connectProblem({ user: 'ada' }));
});
after(() => postgres.stop());

interface Change {
  readonly user?: string;
  readonly password?: string;
  readonly port?: string;
  readonly host?: string;
  readonly database?: string;
  readonly more?: string;
}

function addressWith({ user, password = '', port, host, database: name, more = '' }: Change): PostgresAddress {
  const changed = new URL(url);
  if (user !== undefined) changed.username = user;
  if (port !== undefined) changed.port = port;
  if (host !== undefined) changed.hostname = host;
  if (name !== undefined) changed.pathname = `/${name}`;
  const address = readAddress(`${changed.href}${more}`, { SLIPWAY_DATABASE_PASSWORD: password });
  if ('problem' in address) assert.fail(address.problem);
  return address;
}

/** The sentence; undefined: it works. */
async function connectProblem(change: Change): Promise<string | undefined> {
  const address = addressWith(change);
  try {
    const connection = await Connection.open(address, { name: 'test' });
    await connection.close();
    return undefined;
  } catch (failure) {
    return explainConnectFailure(failure, address);
  }
}

async function ask<Row>(sql: string): Promise<Row> {
  const connection = await Connection.open({ url, password: undefined }, { name: 'test' });
  const { rows } = await connection.runOnce(sql).finally(() => connection.close());
  return rows[0] as Row;
}

test('unknown users, and users who are not let in, are reported', async () => {
  assert.equal(await connectProblem({}), undefined);
  assert.equal(await connectProblem({ user: 'ada', password: 'lovelace' }), undefined);
  assert.match(
    (await connectProblem({ user: 'ada', password: 'byron' }))!,
    /^The password of the user ada is refused by the database .*PASSWORD/,
  );
  assert.match((await connectProblem({ user: 'ada' }))!, /^The database .* wants a password\. Set SLIPWAY_DATABASE_PASSWORD/);
  assert.match((await connectProblem({ user: 'nobody' }))!, /does not know the user nobody\. Create it/);
  assert.match((await connectProblem({ user: 'tls' }))!, /does not let the user tls in: .*sslmode=require/);
});

test('a missing database, port, host or socket is reported', async () => {
  assert.equal(
    await connectProblem({ database: 'none' }),
    `There is no database none on ${new URL(url).host}. Create it: create database "none" encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`,
  );
  assert.match((await connectProblem({ port: '1' }))!, /^Nothing listens at 127\.0\.0\.1:1\. Start PostgreSQL there/);
  assert.match((await connectProblem({ host: 'none.invalid' }))!, /^(?:There is no host|The name) none\.invalid/);
  assert.match((await connectProblem({ more: '?host=/none' }))!, /^There is no socket in \/none\./);
});

test('a database that never answers is reported', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await until('it listens', () => silent.listening);
  const { port } = silent.address() as { port: number };
  assert.match(
    (await connectProblem({ port: String(port) }))!,
    new RegExp(`^127\\.0\\.0\\.1:${port} does not answer\\. Check the address`),
  );
  silent.close();
});

test('missing TLS, and a certificate that is not trusted, are reported', async () => {
  assert.match((await connectProblem({ more: '?sslmode=require' }))!, /has no TLS\. Switch it on there, or give sslmode=disable/);
  assert.equal(await connectProblem({ more: '?sslmode=prefer' }), undefined, 'what is only preferred is done without');
  const certificates = await makeCertificates();
  const [cert, key] = ['server.crt', 'server.key'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(cert, certificates.cert);
  chmodSync(cert, 0o644); // with any umask
  // With the owner of a file that PostgreSQL has made; its mode has to be closed. A program that does not read its input breaks the pipe.
  await ask(`copy (select 1) to '${key}'`);
  writeFileSync(key, certificates.key);
  await ask(`copy (select 1) to program 'cat >/dev/null; chmod 600 ${key}'`);
  await ask('alter system set ssl = on');
  await ask('select pg_reload_conf()');
  await until('there is TLS', async () => (await connectProblem({ user: 'tls', more: '?sslmode=require' })) === undefined);
  assert.equal(await connectProblem({ user: 'tls', more: '?sslmode=prefer' }), undefined);
  assert.match((await connectProblem({ more: '?sslmode=verify-full' }))!, /^The TLS certificate of .* is not trusted: .*sslrootcert=/);
  assert.equal(await connectProblem({ more: `?sslmode=verify-full&sslrootcert=${certificates.caFile}` }), undefined);
  assert.equal(await connectProblem({ more: `?sslmode=verify-ca&sslrootcert=${certificates.caFile}` }), undefined);
  await certificates.remove();
});

test('a read-only database and a full one are reported', async () => {
  const database = new URL(await postgres.createDatabase()).pathname.slice(1);
  await ask(`alter database ${database} set default_transaction_read_only = on`);
  const address = addressWith({ database });
  const connection = await Connection.open(address, { name: 'test' });
  await assert.rejects(connection.runOnce('create table t (a text)'), (failure) => {
    assert.match(
      explainConnectFailure(failure, address),
      /is read-only: it is a standby, or was set so\. Give the address of the primary\.$/,
    );
    return true;
  });
  await connection.close();
  await ask('alter role ada connection limit 0');
  assert.match((await connectProblem({ user: 'ada', password: 'lovelace' }))!, /has no connection left\. Raise its max_connections/);
});

test('a connection that failed is not left open: it would keep the process from ending', async () => {
  let isClosed = false;
  const between = createServer((socket) => {
    socket.on('close', () => (isClosed = true)).on('error', () => {});
    // Only the client closes it: PostgreSQL would do so after a minute.
    socket.pipe(connect(postgres.port, '127.0.0.1')).pipe(socket, { end: false });
  }).listen(0, '127.0.0.1');
  await until('it listens', () => between.listening);
  const { port } = between.address() as { port: number };
  assert.match((await connectProblem({ user: 'ada', port: String(port) }))!, /wants a password/);
  await until('it is closed', () => isClosed);
  between.close();
});
