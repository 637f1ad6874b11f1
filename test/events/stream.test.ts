// The event stream of a real server: which events come, from where on, for which users, and how it ends.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, withGrowingLimits } from '../support/patience.ts';
import { accepted, addUser, startServer, tokenOf } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, type TestServer } from '../support/server/server.ts';
import { StreamReader } from './stream-reader.ts';

const EVENTS = '/api/admin/events';
const ENVIRONMENTS = '/api/admin/environments';
const ADMIN = basic('admin', ADMIN_PASSWORD);

let server: TestServer;
const readers: StreamReader[] = [];
before(async () => {
  server = await startServer();
});
after(async () => {
  for (const reader of readers) reader.close();
  await server.stop();
});

async function follow(query = '', headers: Readonly<Record<string, string>> = {}, as = ADMIN): Promise<StreamReader> {
  const reader = await StreamReader.open(`${server.url}${EVENTS}${query}`, { Authorization: as, ...headers });
  readers.push(reader);
  return reader;
}

const create = async (name: string) => accepted(await server.post(ENVIRONMENTS, { name }));
const newest = async () => (await server.get(`${EVENTS}?page_size=1`)).json._embedded.events[0];
const ids = (reader: StreamReader) => reader.events.flatMap(({ data }) => data.about.map(({ id }: { id: string }) => id));

describe('events that come', () => {
  test('begin from now on without a position, as the pages show them', async () => {
    const reader = await follow();
    assert.equal(reader.response.statusCode, 200);
    assert.equal(reader.response.headers['content-type'], 'text/event-stream');
    assert.equal(reader.response.headers['cache-control'], 'no-store');
    await create('now');
    const [event] = await reader.got(1);
    const shown = await newest();
    assert.deepEqual(event, { id: String(shown.number), data: shown });
    assert.equal(shown.type, 'configuration.changed');
    assert.equal(shown.actor, 'admin');
    assert.deepEqual(
      shown.about.map(({ resource, id, operation }: Record<string, string>) => [resource, id, operation]),
      [['environments', 'now', 'create']],
    );
  });

  test('begin after an id or a number with everything since', async () => {
    const { number } = await newest();
    for (const name of ['a', 'b', 'c']) await create(name);
    const resumed = await follow('', { 'Last-Event-ID': String(number + 1) });
    const asked = await follow(`?after=${number}`);
    await create('d');
    await resumed.got(3);
    await asked.got(4);
    assert.deepEqual(ids(resumed), ['b', 'c', 'd']);
    assert.deepEqual(ids(asked), ['a', 'b', 'c', 'd']);
    assert.deepEqual(asked.numbers, [number + 1, number + 2, number + 3, number + 4]);
  });

  test('begin with the very first after number 0, and their hashes form a chain', async () => {
    const reader = await follow('?after=0');
    const { number } = await newest();
    const events = await reader.got(number);
    assert.deepEqual(
      reader.numbers,
      Array.from({ length: number }, (_, index) => index + 1),
    );
    for (const [index, { data }] of events.entries())
      assert.equal(data.previous_hash, index === 0 ? '0'.repeat(64) : events[index - 1]!.data.hash);
  });

  test('an id wins over a number, and an empty one is none', async () => {
    const { number } = await newest();
    assert.equal((await (await follow('?after=0', { 'Last-Event-ID': String(number - 1) })).got(1))[0]!.id, String(number));
    assert.equal((await (await follow(`?after=${number - 2}`, { 'Last-Event-ID': '' })).got(1))[0]!.id, String(number - 1));
  });

  test('are only those that pass the filter', async () => {
    const byId = await follow('?resource=environments&id=wanted-*');
    const byType = await follow('?type=access_token.*,backup.*');
    const byActor = await follow('?actor=nobody-of-this-name');
    await create('unwanted');
    await create('wanted-1');
    await tokenOf(server, ADMIN);
    await create('wanted-2');
    await byId.got(2);
    await byType.got(1);
    assert.deepEqual(ids(byId), ['wanted-1', 'wanted-2']);
    assert.deepEqual(
      byType.events.map(({ data }) => data.type),
      ['access_token.created'],
    );
    assert.deepEqual(byActor.events, []);
  });

  test('a filter works on events of the past, too', async () => {
    const reader = await follow('?after=0&id=wanted-1');
    await reader.got(1);
    assert.deepEqual(ids(reader), ['wanted-1']);
  });
});

describe('requests that are refused', () => {
  const refusals: readonly (readonly [query: string, headers: Record<string, string>, status: number, message: RegExp])[] = [
    ['?after=soon', {}, 400, /`soon` is not allowed for query parameter named `after`/],
    ['?after=-1', {}, 400, /`after`/],
    ['', { 'Last-Event-ID': 'x' }, 400, /Last-Event-ID/],
    ['?type=builds.*', {}, 400, /`builds\.\*` is not allowed for query parameter named `type`/],
    ['?after=900000', {}, 409, /There is no event 900000 yet/],
  ];
  for (const [query, headers, status, message] of refusals) {
    test(`${query} ${Object.values(headers)}`, async () => {
      const reply = await server.get(EVENTS + query, { accept: 'text/event-stream', headers });
      assert.equal(reply.status, status);
      assert.match(reply.json.message, message);
    });
  }

  test('users who are no administrators, and clients without a login', async () => {
    const as = await addUser(server, 'plain');
    assert.equal((await server.get(EVENTS, { accept: 'text/event-stream', as })).status, 403);
    assert.equal((await server.get(EVENTS, { accept: 'text/event-stream', as: '' })).status, 401);
  });

  test('HEAD gets the headers and leaves no client behind', async () => {
    const reply = await server.ask('HEAD', EVENTS, { accept: 'text/event-stream' });
    assert.equal(reply.status, 200);
    assert.equal(reply.text, '');
  });
});

test('200 clients at 100 changes: each gets every event once, in order', { timeout: PATIENCE_MS }, async () => {
  const { number } = await newest();
  const clients = await Promise.all(Array.from({ length: 200 }, () => follow(`?after=${number}`)));
  const CHANGES = 100;
  for (let n = 0; n < CHANGES; n += 10) await Promise.all(Array.from({ length: 10 }, (_, m) => create(`many-${n + m}`)));
  const expected = Array.from({ length: CHANGES }, (_, index) => number + 1 + index);
  for (const client of clients) {
    await client.got(CHANGES);
    assert.deepEqual(client.numbers, expected);
    client.close();
  }
});

test('a server that stops says so, at once, and a client goes on with the next', async () => {
  let reader = await follow();
  await create('before-the-stop');
  await reader.got(1);
  await withGrowingLimits(async (factor) => {
    if (factor > 1) reader = await follow('', { 'Last-Event-ID': reader.events.at(-1)!.id });
    const stops = performance.now();
    let stopped = Number.POSITIVE_INFINITY;
    await server.restart(() => {
      stopped = performance.now();
    });
    assert.ok(stopped - stops < 8000, 'it waited until connections are cut off');
  });
  await reader.until(() => reader.hasEnded);
  assert.match(reader.comments.at(-1)!, /^the server stops/);
  await create('after-the-start');
  const next = await follow('', { 'Last-Event-ID': reader.events.at(-1)!.id });
  await next.got(1);
  assert.deepEqual(ids(next), ['after-the-start']);
});
