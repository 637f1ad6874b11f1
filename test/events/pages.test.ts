// Events page by page: both ways, with filters, and never a page that takes for ever.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pageOf } from '../../src/api/endpoints/events/page.ts';
import { BEGINNING, nextEvent } from '../../src/events/chain.ts';
import type { StoredEvent } from '../../src/events/stored-event.ts';
import { accepted, startServer } from '../support/requests/callers.ts';
import type { TestServer } from '../support/server/server.ts';

const EVENTS = '/api/admin/events';
const COUNT = 30;

let server: TestServer;
before(async () => {
  server = await startServer();
  for (let n = 0; n < COUNT; n++) {
    const path = n % 10 === 0 ? '/api/admin/pipeline_groups' : '/api/admin/environments';
    accepted(await server.post(path, { name: `n-${n}` }));
  }
});
after(() => server.stop());

/** The numbers on all pages, in their order. */
async function walk(query: string): Promise<{ readonly numbers: number[]; readonly pages: number }> {
  const numbers: number[] = [];
  let pages = 0;
  for (let path: string | undefined = EVENTS + query; path !== undefined; pages++) {
    const { json } = accepted(await server.get(path));
    numbers.push(...json._embedded.events.map(({ number }: { number: number }) => number));
    path = json._links.next?.href.slice(server.url.length);
  }
  return { numbers, pages };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('pages of all events', () => {
  test('events come newest first, or oldest first after a number', async () => {
    const newestFirst = await walk('?page_size=7');
    const oldestFirst = await walk('?page_size=7&after=0');
    const last = newestFirst.numbers[0]!;
    assert.deepEqual(newestFirst.numbers, upTo(last).toReversed());
    assert.deepEqual(oldestFirst.numbers, upTo(last));
    assert.equal(newestFirst.pages, Math.ceil(last / 7));
  });

  test('a last page that is full has no next one', async () => {
    const { numbers } = await walk('');
    assert.equal((await walk(`?page_size=${numbers.length}`)).pages, 1);
    assert.equal((await walk(`?after=0&page_size=${numbers.length}`)).pages, 1);
  });

  test('no events come after the last one, or before the first', async () => {
    const { numbers } = await walk('');
    assert.deepEqual((await walk(`?after=${numbers[0]}`)).numbers, []);
    assert.deepEqual((await walk('?cursor=1')).numbers, []);
  });
});

describe('pages of filtered events', () => {
  test('events are filtered by resource, id and actor, over pages', async () => {
    const groups = await walk('?resource=pipeline_groups&page_size=1');
    assert.equal(groups.numbers.length, 3);
    assert.equal((await walk('?id=n-1?')).numbers.length, 10);
    assert.equal((await walk('?id=n-1,n-2&resource=environments')).numbers.length, 2);
    assert.equal((await walk('?actor=slipway')).numbers.length, 1);
    assert.equal((await walk('?type=configuration.*&type=events.*&after=0')).numbers[0], 1);
  });

  test('a filter that leaves nothing through looks at a bounded number of events, and says where to go on', async () => {
    const events: StoredEvent[] = [];
    for (let n = 0; n < 12_000; n++)
      events.push(nextEvent(events.at(-1) ?? BEGINNING, { type: 'x', actor: null, about: [], data: {} }, () => ''));
    let scanned = 0;
    const log = {
      after: async (number: number, limit: number) => {
        scanned += limit;
        return events.slice(number, number + limit);
      },
      before: async () => [],
    };
    const page = await pageOf(log, { from: { after: 0 }, size: 10, wants: () => false });
    assert.deepEqual(page, { events: [], next: 5000 });
    assert.equal(scanned, 5000);
    const wanted = await pageOf(log, { from: { after: 5000 }, size: 10, wants: ({ content }) => content.number === 9999 });
    assert.deepEqual([wanted.events.map(({ number }) => number), wanted.next], [[9999], 10_000]);
  });
});

describe('queries that are refused', () => {
  for (const [query, message] of [
    ['?page_size=0', /`page_size`.*from 1 to 1000/],
    ['?page_size=1001', /page_size/],
    ['?after=x', /`after`/],
    ['?cursor=1.5', /`cursor`/],
    ['?after=1&cursor=2', /not both/],
    ['?type=nothing.*', /query parameter named `type`/],
    ['?types=backup.*', /^There is no query parameter `types` here\. Did you mean `type`\? Known are after, /],
  ] as const) {
    test(`the query ${query} is refused`, async () => {
      const reply = await server.get(EVENTS + query);
      assert.equal(reply.status, 400);
      assert.match(reply.json.message, message);
    });
  }

  test('a number that is still to come is refused', async () => {
    const reply = await server.get(`${EVENTS}?after=100000`);
    assert.equal(reply.status, 409);
    assert.match(reply.json.message, /^There is no event 100000 yet, the last one is \d+\./);
  });

  test('a type of answer that does not exist is refused', async () => {
    for (const accept of ['text/html', 'application/json', 'application/vnd.svc.v2+json'])
      assert.equal((await server.get(EVENTS, { accept })).status, 404);
    assert.equal((await server.get(EVENTS, { accept: 'application/vnd.go.cd.v1+json' })).status, 200);
    const mixed = await server.get(EVENTS, { accept: 'text/event-stream;q=0.5, application/vnd.svc.v1+json' });
    assert.match(mixed.headers.get('content-type')!, /^application\/vnd\.svc\.v1\+json/);
  });
});
