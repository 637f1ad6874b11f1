// Streams that do not go well: slow clients, too many, such that may not any more.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { eventRoutes } from '../../src/api/endpoints/events/routes.ts';
import type { ApiRequest } from '../../src/api/engine/route.ts';
import { EventLog } from '../../src/events/event-log.ts';
import { RecentEvents } from '../../src/events/recent-events.ts';
import { EventStreams } from '../../src/events/stream/streams.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { until } from '../support/until.ts';
import { eventually } from './eventually.ts';
import { StreamReader } from './stream-reader.ts';

const ALL = { types: [], actors: [], resources: [], ids: [] };
const AT_HAND = 50;
const folder = mkdtempSync(join(tmpdir(), 'slipway-streams-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let database: Database;
let log: EventLog;
let streams: EventStreams;
let server: Server;
let isAllowed: boolean;
let count = 0;
const readers: StreamReader[] = [];

beforeEach(async () => {
  database = await openTestDatabase(join(folder, `${++count}.db`));
  log = await EventLog.open(database, new RecentEvents(AT_HAND));
  await log.begun;
  streams = new EventStreams(log, { heartbeatMs: 50, maxClients: 3 });
  isAllowed = true;
  server = createServer((request, response) => {
    const position = Number(new URL(request.url!, 'http://x').searchParams.get('after') ?? log.last.number);
    const body = streams.open({ after: position, filter: ALL, isStillAllowed: () => isAllowed });
    if (body) pipeline(body, response.writeHead(200), () => {});
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await streams.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await database.close();
});

async function follow(query = ''): Promise<StreamReader> {
  const reader = await StreamReader.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${query}`, {});
  readers.push(reader);
  return reader;
}

const write = (events: number, size = 10) =>
  log.write([
    {
      events: Array.from({ length: events }, () => ({ type: 'x', actor: null, about: [], data: { text: 'x'.repeat(size) } })),
      statements: [],
    },
  ]);

const consecutive = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);

describe('a client that reads too slowly', () => {
  test('is cut off with a comment, while others get everything; it can go on after its last id', { timeout: PATIENCE_MS }, async () => {
    const [slow, quick] = [await follow(), await follow()];
    const first = log.last.number + 1;
    slow.stopReading();
    // Much more than the operating system keeps for it.
    const ROUNDS = 60;
    for (let round = 0; round < ROUNDS; round++) {
      await write(20, 20_000);
      await quick.until(() => quick.events.length >= (round + 1) * 20);
    }
    assert.deepEqual(quick.numbers, consecutive(first, ROUNDS * 20));
    slow.readOn();
    await slow.until(() => slow.hasEnded);
    assert.match(slow.comments.at(-1)!, /^cut off: this client reads more slowly than events come/);
    assert.ok(slow.events.length < ROUNDS * 20, `${slow.events.length} events`);
    assert.deepEqual(slow.numbers, consecutive(first, slow.events.length));
    const again = await follow(`?after=${slow.numbers.at(-1) ?? first - 1}`);
    await again.got(ROUNDS * 20 - slow.events.length);
    assert.deepEqual([...slow.numbers, ...again.numbers], consecutive(first, ROUNDS * 20));
  });

  test('costs no more memory than its buffer', async () => {
    const slow = streams.open({ after: log.last.number, filter: ALL, isStillAllowed: () => true })!;
    slow.read(0);
    for (let round = 0; round < 20; round++) await write(20, 20_000);
    assert.ok(slow.readableLength < 300_000, `${slow.readableLength} bytes`);
    slow.destroy();
  });

  test('a client that reads nothing at all for a while is cut off', async () => {
    const stuck = streams.open({ after: 0, filter: ALL, isStillAllowed: () => true })!;
    await write(AT_HAND - 10, 5_000);
    const other = await follow();
    await other.until(() => other.comments.filter((comment) => comment === 'still here').length >= 8);
    const text = (await Array.fromAsync(stuck)).join('');
    assert.match(text, /: cut off: this client reads more slowly than events come.*\n\n$/);
  });
});

describe('signs of life', () => {
  test('come while nothing happens', async () => {
    const reader = await follow();
    await reader.until(() => reader.comments.filter((comment) => comment === 'still here').length >= 2);
  });

  test('a client that may not see events any more is informed, and gets no more', async () => {
    const reader = await follow();
    isAllowed = false;
    await reader.until(() => reader.hasEnded);
    assert.match(reader.comments.at(-1)!, /^cut off: this client may not see events any more/);
    assert.equal(streams.size, 0);
  });
});

describe('a client whose rights are taken away', () => {
  test('gets no event from that moment on, though no sign of life is due', async () => {
    const patient = new EventStreams(log, { heartbeatMs: 60_000 });
    const client = patient.open({ after: log.last.number, filter: ALL, isStillAllowed: () => isAllowed })!;
    const received: string[] = [];
    client.setEncoding('utf8').on('data', (text: string) => received.push(text));
    await write(1);
    await until('an event', async () => received.join('').includes('\ndata: '));
    const before = received.length;
    isAllowed = false;
    await write(1);
    await until('the end', async () => client.readableEnded);
    assert.deepEqual(received.slice(before), [': cut off: this client may not see events any more.\n\n']);
    await patient.stop();
  });
});

describe('the number of clients', () => {
  test('is bounded, and a place is free again when one goes', async () => {
    const clients = await Promise.all([follow(), follow(), follow()]);
    assert.equal((await follow()).response.statusCode, 503);
    clients[0]!.close();
    await eventually(
      () => streams.size,
      (size) => size < 3,
    );
    assert.equal((await follow()).response.statusCode, 200);
  });

  test('a client beyond the limit is told to try again', () => {
    const full = { open: () => undefined } as unknown as EventStreams;
    const verification = { run: () => assert.fail('nothing is checked') };
    const route = eventRoutes({ log, streams: full, verification, isStillAllowed: () => true }).find(({ media }) => media !== undefined)!;
    const request = { query: new URLSearchParams(), identity: {}, header: () => undefined } as unknown as ApiRequest;
    assert.throws(() => route.handle(request), { kind: 'unavailable', details: { retryAfter: 10 } });
  });
});

test('clients far behind are served from the disk until they are at hand', async () => {
  await write(AT_HAND * 10);
  const reader = await follow('?after=0');
  await write(AT_HAND);
  const total = log.last.number;
  await reader.got(total);
  assert.deepEqual(reader.numbers, consecutive(1, total));
});
