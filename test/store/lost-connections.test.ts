// A reader of PostgreSQL hears of a lost connection once, and is connected again by its next query.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { PostgresAddress } from '../../src/store/postgres/connection.ts';
import { Reader } from '../../src/store/postgres/readers/reader.ts';
import type { ChangeFeed } from '../../src/store/readers/change-feed.ts';
import { openChangeFeed } from '../../src/store/source.ts';
import { withGrowingLimits } from '../support/patience.ts';
import { until } from '../support/until.ts';
import { type PostgresEngine, postgres, sqlite, type TestDatabase } from './engines.ts';

const ANSWER_MS = 500;
const MANY = 1_500;
const END_SESSIONS = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway change feed'";

let engine: PostgresEngine;
let database: TestDatabase;
let address: PostgresAddress;
before(async () => {
  engine = await postgres();
  database = await engine.create();
  assert.ok('postgres' in database.source);
  address = database.source.postgres;
  const row = { kind: 'k', created: 1, revision: 1, etag: '', value: '{}' };
  await database.insert(
    'entities',
    Array.from({ length: MANY }, (_, n) => ({ ...row, key: String(n) })),
  );
});
after(async () => {
  await database?.close();
  await engine?.stop();
});

async function countIn(feed: ChangeFeed): Promise<number> {
  let count = 0;
  await feed.now(() => count++);
  return count;
}

test('a reader fails if its connection is lost while it reads, and its next query works', async () => {
  const feed = await openChangeFeed(database.source);
  let count = 0;
  const reading = feed.now(() => {
    if (count++ === 0) database.runAtOnce(END_SESSIONS);
  });
  await assert.rejects(reading, /terminating connection/);
  assert.equal(await countIn(feed), MANY);
  await feed.close();
});

for (const mode of ['fast', 'immediate'] as const) {
  test(`a reader works after a restart of the database between two reads: ${mode}`, async () => {
    const feed = await openChangeFeed(database.source);
    assert.equal(await countIn(feed), MANY);
    await database.close();
    await engine.server.restart(mode);
    assert.equal(await countIn(feed), MANY);
    await feed.close();
  });
}

test('a reader that fails inside of a moment leaves no open transaction behind', async () => {
  const reader = new Reader(address, 'test reader');
  const failing = reader.atOneMoment(async () => {
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  const open = "select 1 from pg_stat_activity where application_name = 'test reader' and state like 'idle in transaction%'";
  await until('the end of its session', async () => (await reader.ask(open, [])).length === 0);
  await reader.close();
});

/** Stands between a reader and the database. */
class TestNetwork {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        let isCutOff = false;
        one.on('data', (bytes) => {
          isCutOff ||= this.#isSilent;
          if (!isCutOff) other.write(bytes);
        });
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  static async start(port: number): Promise<TestNetwork> {
    const network = new TestNetwork(port);
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    return network;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that send something now are cut off for ever, and do not hear of it. */
  set isSilent(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

test('a reader fails in a network that swallows everything, and works when it is back', async () => {
  await withGrowingLimits(async (factor) => {
    const network = await TestNetwork.start(engine.server.port);
    const url = address.url.replace(String(engine.server.port), String(network.port));
    const reader = new Reader({ url, password: undefined }, 'test reader', ANSWER_MS * factor);
    try {
      assert.equal((await reader.ask('select 1', [])).length, 1);
      network.isSilent = true;
      await assert.rejects(reader.ask('select 1', []), /did not answer/);
      network.isSilent = false;
      assert.equal((await reader.ask('select 1', [])).length, 1);
    } finally {
      await reader.close();
      await network.stop();
    }
  });
});

test('the driver is loaded only where PostgreSQL is used', async () => {
  const run = promisify(execFile);
  const source = join(import.meta.dirname, '../../src/store/source.ts');
  const hasLoaded = async (opened: object) => {
    const program = `import { Module } from 'node:module';
      const { openChangeFeed, openEventRows, readOnlyRows } = await import(${JSON.stringify(source)});
      const source = ${JSON.stringify(opened)};
      await (await openChangeFeed(source)).close();
      await (await openEventRows(source)).close();
      await readOnlyRows(source, async () => {});
      console.log(Object.keys(Module._cache).some((path) => path.includes('/node_modules/pg/')));`;
    return (await run(process.execPath, ['--input-type=module', '-e', program])).stdout.trim();
  };
  const embedded = await sqlite().create();
  assert.deepEqual([await hasLoaded(embedded.source), await hasLoaded(database.source)], ['false', 'true']);
  await embedded.close();
});
