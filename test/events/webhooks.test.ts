// Outgoing webhooks of a real server to a real receiver: signed, in order, tried again, looked at, replayed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Config } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { Cipher } from '../../src/kit/bytes/cipher.ts';
import { registry } from '../../src/resources/index.ts';
import { readEntity, writeEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { kindsOf } from '../../src/shape/resource.ts';
import { showBoundSecrets } from '../../src/shape/secrets/secret-writer.ts';
import { isStored } from '../support/database/sql.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { accepted, givePassword } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, type Reply, TestServer } from '../support/server/server.ts';
import { eventually } from './eventually.ts';
import { Receiver, SECRET, signatureProblems } from './receiver.ts';

const WEBHOOKS = '/api/admin/webhooks';
const ENVIRONMENTS = '/api/admin/environments';
const webhookKind = { ...registry.outgoingWebhooks, name: 'outgoingWebhooks' } as const;
const TOOLS = { cipher: new Cipher(randomBytes(32)), openImported: () => undefined, isSecretSetting: () => undefined };
const NO_FILTER = { types: [], actors: [], resources: [], ids: [] };

let server: TestServer;
let receiver: Receiver;
let count = 0;
before(async () => {
  server = await TestServer.start({ 'allow-private-webhooks': 'true' });
  givePassword(server, 'admin', { password: ADMIN_PASSWORD });
});
beforeEach(async () => {
  receiver = await Receiver.start();
});
afterEach(() => receiver.stop());
after(() => server.stop());

interface Hook {
  readonly path: string;
  readonly created: Reply;
}

async function hook(more: object = {}): Promise<Hook> {
  const id = `hook-${++count}`;
  const created = accepted(await server.post(WEBHOOKS, { id, url: receiver.url, secret: SECRET, filter: NO_FILTER, ...more }));
  return { path: `${WEBHOOKS}/${id}`, created };
}

const create = async (name = `e-${++count}`) => accepted(await server.post(ENVIRONMENTS, { name })).json.name as string;
const newest = async (): Promise<number> => (await server.get('/api/admin/events?page_size=1')).json._embedded.events[0].number;
const deliveries = async ({ path }: Hook) => accepted(await server.get(`${path}/deliveries`)).json;
const isDone = ({ queue }: Reply['json']) => queue.behind === 0;
const remove = async ({ path }: Hook) => accepted(await server.delete(path));
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('a delivery', () => {
  test('is a signed POST of the event, from the one after its creation on', async () => {
    const own = await hook();
    const first = (await newest()) + 1;
    const name = await create();
    await receiver.until(() => receiver.numbers.length === 1);
    const [received] = receiver.received;
    const { headers, event } = received!;
    assert.deepEqual(signatureProblems(received!), []);
    assert.equal(event.number, first);
    assert.deepEqual(event, (await server.get(`/api/admin/events?after=${first - 1}`)).json._embedded.events[0]);
    assert.equal(event.about[0].id, name);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.match(headers['user-agent']!, /^Slipway\/\d/);
    assert.deepEqual(
      ['x-svc-event-id', 'x-svc-event-type', 'x-svc-webhook', 'x-svc-attempt'].map((header) => headers[header]),
      [String(first), 'configuration.changed', own.path.split('/').at(-1), '1'],
    );
    await remove(own);
  });

  test('is noted, with how far the webhook is', async () => {
    const own = await hook();
    await create();
    await receiver.until(() => receiver.numbers.length === 1);
    const last = await newest();
    const { queue, _embedded } = await eventually(
      () => deliveries(own),
      (shown) => shown.queue.position === last,
    );
    assert.deepEqual(
      { ...queue, delivered_at: typeof queue.delivered_at },
      { position: await newest(), behind: 0, uncounted: 0, failures: 0, failing_since: null, last_error: null, delivered_at: 'string' },
    );
    const [{ id, time, milliseconds, ...facts }] = _embedded.deliveries;
    assert.deepEqual(facts, { event: await newest(), type: 'configuration.changed', attempt: 1, status: 204, error: null });
    assert.ok(id > 0 && milliseconds >= 0 && !Number.isNaN(Date.parse(time)));
    await remove(own);
  });

  test('comes only for events that pass the filter', async () => {
    const own = await hook({ filter: { ...NO_FILTER, resources: ['environments'], ids: ['wanted-*'] } });
    await create('wanted-1');
    await create('other');
    await create('wanted-2');
    await receiver.until(() => receiver.numbers.length === 2);
    assert.deepEqual(
      receiver.received.map(({ event }) => event.about[0].id),
      ['wanted-1', 'wanted-2'],
    );
    await create('other-2');
    const { queue } = await eventually(
      () => deliveries(own),
      (shown) => shown.queue.behind === 0,
    );
    assert.ok(queue.position < (await newest()), 'what is not wanted is noted only now and then, and does not count');
    await remove(own);
  });

  test('waits while its webhook is disabled, and is not made once the webhook is deleted', async () => {
    const own = await hook({ enabled: false });
    const waiting = await newest();
    await create();
    await create();
    const current = await server.get(own.path);
    assert.deepEqual(receiver.received, []);
    accepted(await server.put(own.path, { ...current.json, enabled: true }, current.etag));
    await receiver.until(() => receiver.numbers.length === 3);
    assert.deepEqual(receiver.numbers, upTo(waiting + 1, waiting + 3));
    await remove(own);
    await create();
    const other = await hook();
    await create();
    await receiver.until(() => receiver.numbers.length === 4);
    assert.equal(receiver.numbers.at(-1), await newest());
    await remove(other);
  });

  test('a delivery of a webhook that is deleted and made again starts anew', async () => {
    const own = await hook({ enabled: false });
    await create();
    const { json } = await server.get(own.path);
    await remove(own);
    await create();
    accepted(await server.post(WEBHOOKS, { ...json, enabled: true }));
    await create();
    await receiver.until(() => receiver.numbers.length === 1);
    assert.deepEqual(receiver.numbers, [await newest()]);
    await remove(own);
  });
});

describe('a receiver that fails', () => {
  test('a failing receiver gets the same event again, and no other before; a health message says so until it works', async () => {
    let failures = 4;
    receiver.answer = (response) => void response.writeHead(failures-- > 0 ? 500 : 200).end();
    const own = await hook();
    const first = (await newest()) + 1;
    await create();
    await create();
    const messages = async () => {
      const all = (await server.get('/api/server_health_messages')).json as { message: string; detail: string }[];
      return all.filter(({ message }) => message.includes('hook-'));
    };
    await receiver.until(() => receiver.received.length === 3);
    const [message] = await eventually(messages, (all) => all.length > 0);
    assert.match(message!.message, /^The webhook 'hook-\d+' cannot be delivered$/);
    assert.doesNotMatch(JSON.stringify(message), /127\.0\.0\.1|500/);
    assert.match((await deliveries(own)).queue.last_error, /status 500/);
    await receiver.until(() => receiver.numbers.length === 2);
    assert.deepEqual(
      receiver.received.map(({ event, headers }) => [event.number, headers['x-svc-attempt']]),
      [
        [first, '1'],
        [first, '2'],
        [first, '3'],
        [first, '4'],
        [first, '5'],
        [first + 1, '1'],
      ],
    );
    await eventually(messages, (all) => all.length === 0);
    await remove(own);
  });

  test('a redirect of a receiver is not followed', async () => {
    receiver.answer = (response) => void response.writeHead(302, { Location: `${receiver.url}/elsewhere` }).end();
    const own = await hook();
    await create();
    await receiver.until(() => receiver.received.length > 0);
    const { queue } = await eventually(
      () => deliveries(own),
      (shown) => shown.queue.failures > 0,
    );
    assert.match(queue.last_error, /status 302\. Redirects are not followed/);
    await remove(own);
    assert.ok(receiver.received.every(({ headers }) => headers['x-svc-event-id'] !== undefined));
  });

  test('a receiver that fails for 1,000 events gets each once, in order, when it is back', { timeout: PATIENCE_MS }, async () => {
    let isDown = true;
    receiver.answer = (response) => void response.writeHead(isDown ? 503 : 200).end();
    const own = await hook();
    const first = (await newest()) + 1;
    const EVENTS = 1000;
    const [name, etag] = [await create(), '*'];
    for (let n = 1; n < EVENTS; n += 50) {
      const size = Math.min(50, EVENTS - n);
      const body = (m: number) => ({ name, environment_variables: [{ name: 'N', value: String(n + m) }] });
      await Promise.all(Array.from({ length: size }, async (_, m) => accepted(await server.put(`${ENVIRONMENTS}/${name}`, body(m), etag))));
    }
    isDown = false;
    assert.equal(await newest(), first + EVENTS - 1);
    accepted(await server.post(`${own.path}/replay`, { from: first }));
    const last = first + EVENTS - 1;
    await receiver.until(() => receiver.numbers.at(-1) === last);
    // It may have tried again by itself before it was told to begin anew.
    const anew = receiver.numbers.lastIndexOf(first);
    assert.deepEqual(receiver.numbers.slice(0, anew), upTo(first, first + anew - 1));
    assert.deepEqual(receiver.numbers.slice(anew), upTo(first, last));
    const { _embedded } = accepted(await server.get(`${own.path}/deliveries?page_size=200`)).json;
    assert.equal(_embedded.deliveries.length, 200);
    await remove(own);
  });

  test('a receiver that fails to end its answer counts by its status', async () => {
    receiver.answer = (response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.once('close', () => clearInterval(more));
    };
    const own = await hook();
    await create();
    await receiver.until(() => receiver.received.length === 1);
    const { _embedded } = await eventually(() => deliveries(own), isDone);
    assert.equal(_embedded.deliveries[0].status, 200);
    await remove(own);
  });
});

describe('looking and trying', () => {
  test('a replay delivers again from a number on, and from the next number skips waiting events', async () => {
    const own = await hook();
    const first = (await newest()) + 1;
    await create();
    await create();
    await receiver.until(() => receiver.numbers.length === 2);
    const tried = accepted(await server.post(`${own.path}/replay?dry_run=true`, { from: first }));
    assert.equal(tried.json.queue.position, first - 1);
    accepted(await server.post(`${own.path}/replay`, { from: first }));
    await receiver.until(() => receiver.numbers.length === 4);
    assert.deepEqual(receiver.numbers, [first, first + 1, first, first + 1]);
    receiver.answer = (response) => void response.writeHead(500).end();
    await create();
    await receiver.until(() => receiver.received.length === 5);
    receiver.answer = (response) => void response.writeHead(200).end();
    accepted(await server.post(`${own.path}/replay`, { from: (await newest()) + 1 }));
    await create();
    await receiver.until(() => receiver.numbers.length === 5);
    assert.equal(receiver.numbers.at(-1), await newest());
    await remove(own);
  });

  test('a replay of a disabled webhook waits until it is enabled', async () => {
    const own = await hook({ enabled: false });
    const { json } = accepted(await server.post(`${own.path}/replay`, { from: 1 }));
    assert.equal(json.queue.position, 0);
    assert.equal((await deliveries(own)).queue.position, 0);
    await remove(own);
  });

  test('a replay from an invalid or missing number is refused', async () => {
    const own = await hook({ enabled: false });
    for (const from of [0, -1, 1.5, 'x', null, [], (await newest()) + 2]) {
      const reply = await server.post(`${own.path}/replay`, { from });
      assert.equal(reply.status, 422, JSON.stringify(from));
      assert.match(reply.json.message, /^The member 'from' must be the number of an event/);
    }
    for (const query of ['?page_size=0', '?page_size=x', '?cursor=-1']) {
      assert.equal((await server.get(`${own.path}/deliveries${query}`)).status, 400);
    }
    for (const [method, path] of [
      ['GET', 'deliveries'],
      ['POST', 'replay'],
      ['POST', 'test'],
    ] as const) {
      const reply = await server.ask(method, `${WEBHOOKS}/gone/${path}`, method === 'POST' ? { body: { from: 1 } } : {});
      assert.equal(reply.status, 404);
      assert.equal(reply.json.message, "Outgoing webhook with id 'gone' was not found!");
    }
    await remove(own);
  });

  test('a test delivery has the form of an event, and returns its result', async () => {
    const own = await hook({ enabled: false });
    const dry = accepted(await server.post(`${own.path}/test?dry_run=true`, {})).json;
    assert.deepEqual(dry, { is_delivered: false, status: null, error: 'Nothing was sent: this is a dry run.', milliseconds: 0 });
    const good = accepted(await server.post(`${own.path}/test`, {})).json;
    assert.deepEqual({ ...good, milliseconds: 0 }, { is_delivered: true, status: 204, error: null, milliseconds: 0 });
    assert.equal(receiver.received.length, 1);
    const [received] = receiver.received;
    assert.deepEqual(signatureProblems(received!), []);
    assert.deepEqual([received!.event.number, received!.event.type, received!.event.actor], [0, 'webhook.test', 'admin']);
    receiver.answer = (response) => void response.writeHead(418).end();
    const bad = accepted(await server.post(`${own.path}/test`, {})).json;
    assert.deepEqual([bad.is_delivered, bad.status, bad.error], [false, 418, 'The receiver answered with status 418.']);
    await remove(own);
  });

  test('deliveries come in pages', async () => {
    const own = await hook();
    for (let n = 0; n < 5; n++) await create();
    await receiver.until(() => receiver.numbers.length === 5);
    await eventually(() => deliveries(own), isDone);
    const first = accepted(await server.get(`${own.path}/deliveries?page_size=3`)).json;
    const second = accepted(await server.get(first._links.next.href.slice(server.url.length))).json;
    const events = [...first._embedded.deliveries, ...second._embedded.deliveries].map(({ event }: { event: number }) => event);
    assert.deepEqual(events, receiver.numbers.toReversed());
    assert.equal(second._links.next, undefined);
    await remove(own);
  });
});

test('a value that is no boolean does not disable a webhook unnoticed', async () => {
  for (const enabled of ['yes', 1, null, {}]) {
    const reply = await server.post(WEBHOOKS, { id: 'odd', url: receiver.url, secret: SECRET, filter: NO_FILTER, enabled });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.json.data.errors.enabled[0], /^Could not read property 'enabled' as a Boolean /);
  }
  const own = await hook({ enabled: false });
  assert.equal(own.created.json.enabled, false);
  await remove(own);
});

describe('the secret', () => {
  test('is shown only encrypted, and found nowhere in clear', async () => {
    const own = await hook();
    await create();
    await receiver.until(() => receiver.numbers.length === 1);
    assert.match(own.created.json.encrypted_secret, /^v2:/);
    const ruleView = [
      own.created.text,
      (await server.get('/api/admin/events')).text,
      (await server.get(`${own.path}/deliveries`)).text,
      server.log,
    ];
    assert.ok(ruleView.every((text) => !text.includes(SECRET)));
    assert.ok(!(await isStored(server.dataDir, SECRET)));
    await remove(own);
  });

  test('must be long, in clear or encrypted elsewhere; one that is stored may stay', async () => {
    const own = await hook({ enabled: false });
    const { encrypted_value: short } = accepted(await server.post('/api/admin/encrypt', { value: 'short' })).json;
    const refused = await server.put(own.path, { ...own.created.json, encrypted_secret: short }, '*');
    assert.equal(refused.status, 422);
    assert.match(refused.json.data.errors.encrypted_secret[0], /^The secret must have at least 6 characters/);
    assert.ok(!refused.text.includes('"short"'));
    const { ruleView } = new Draft(new Config(kindsOf(registry)));
    const stored = readEntity(webhookKind, { secret: 'short' }, { ruleView }, TOOLS).entity;
    const problemsOf = (body: JsonObject) =>
      readEntity(
        webhookKind,
        { ...writeEntity(webhookKind, stored, showBoundSecrets(TOOLS.cipher)), ...body },
        { ruleView, current: stored },
        TOOLS,
      ).problems.filter(({ at: [name] }) => String(name).includes('secret'));
    assert.deepEqual(problemsOf({}), []);
    assert.deepEqual(problemsOf({ encrypted_secret: null, secret: 'short' }), []);
    assert.equal(problemsOf({ encrypted_secret: null, secret: 'other' }).length, 1);
    await remove(own);
  });

  test('an error about something else does not quote it', async () => {
    const reply = await server.post(WEBHOOKS, { id: 'x', url: {}, secret: SECRET });
    assert.equal(reply.status, 422);
    assert.ok(!reply.text.includes(SECRET));
  });
});

describe('webhooks that are refused', () => {
  const refusals: readonly (readonly [field: string, body: object, message: RegExp])[] = [
    ['url', { url: 'ftp://example.org' }, /must begin with https:\/\/ or http:\/\/, and not with ftp:/],
    ['url', { url: 'https://me:word@example.org' }, /must not hold a user or a password/],
    ['url', { url: 'nonsense' }, /is not an address such as https/],
    ['url', { url: '' }, /needs a url to send to/],
    ['url', { url: `https://example.org/${'x'.repeat(2000)}` }, /at most 2000 characters; this one has 2020/],
    ['secret', { secret: null }, /needs a secret/],
    ['secret', { secret: 'a', encrypted_secret: 'b' }, /not both/],
    ['secret', { secret: 'short' }, /at least 6 characters/],
    ['filter', { filter: { types: ['builds.*'] } }, /There are no events of the type 'builds\.\*'\. Known are .*revision\.named/],
    [
      'filter',
      { filter: { tpyes: ['backup.*'] } },
      /"tpyes":\["There is no member 'tpyes' here\. Did you mean 'types'\? Known are types, /,
    ],
    ['filter', { filter: { resources: ['enviroments'] } }, /No event is about 'enviroments'\. Did you mean 'environments'\?/],
    ['filter', { filter: { ids: Array.from({ length: 101 }, String) } }, /At most 100/],
    ['filter', { filter: { actors: [''] } }, /1 to 255 characters/],
  ];
  for (const [field, body, message] of refusals) {
    test(`${field}: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const reply = await server.post(WEBHOOKS, { id: 'bad', url: 'https://example.org', secret: SECRET, ...body });
      assert.equal(reply.status, 422);
      assert.match(JSON.stringify(reply.json.data), message);
      assert.ok(!reply.text.includes('word@'), 'a password in the address is not repeated');
    });
  }
});

test('a server that starts again goes on where it was', async () => {
  const own = await hook();
  await create();
  await receiver.until(() => receiver.numbers.length === 1);
  // A delivery that was not noted before a stop is repeated.
  await eventually(() => deliveries(own), isDone);
  await server.restart();
  const before = await newest();
  await create();
  await receiver.until(() => receiver.numbers.at(-1) === before + 1);
  assert.deepEqual(receiver.numbers, upTo(receiver.numbers[0]!, before + 1));
  await remove(own);
});
