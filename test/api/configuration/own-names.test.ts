// The names of our own endpoints: programs rely on them, so each is asked for exactly as it was agreed.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Receiver } from '../../events/receiver.ts';
import { StreamReader } from '../../events/stream-reader.ts';
import { s3Store } from '../../support/requests/bodies.ts';
import { accepted } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, type Reply, TestServer } from '../../support/server/server.ts';

const V1 = { accept: 'application/vnd.svc.v1+json' };
const PROD = '/api/admin/environments/prod';
const REVISIONS = '/api/admin/config/revisions';
const ENTITY = '/api/admin/config/entities/environments/prod';
const PLAN = '/api/admin/config/plan';
const WEBHOOKS = '/api/admin/webhooks';

let server: TestServer;
let receiver: Receiver;
before(async () => {
  server = await TestServer.start({ 'allow-private-webhooks': 'true' });
  receiver = await Receiver.start();
  accepted(await server.post('/api/admin/environments', { name: 'prod' }));
});
after(async () => {
  await server.stop();
  await receiver.stop();
});

const revisionOf = (reply: Reply) => Number(accepted(reply).headers.get('x-svc-revision'));
const withVariable = (value: string) => ({ name: 'prod', environment_variables: [{ name: 'REGION', value }] });
const changed = (value: string) => server.put(PROD, withVariable(value), '*');
const shownValue = async () => (await server.get(PROD)).json.environment_variables[0]?.value;

test('the list of revisions has the agreed names', async () => {
  const revision = revisionOf(await changed('listed'));
  const query = 'actor=admin&resource=environments&id=prod&since=2020-01-01&until=2999-01-01';
  const list = accepted(await server.get(`${REVISIONS}?${query}&cursor=${revision + 1}&page_size=1`, V1));
  assert.deepEqual(
    list.json._embedded.revisions.map((one: { revision: number }) => one.revision),
    [revision],
  );
  assert.equal(accepted(await server.get(`${REVISIONS}/${revision}`, V1)).json.revision, revision);
});

test('the history and blame of an entity have the agreed names', async () => {
  const revision = revisionOf(await changed('explained'));
  const history = accepted(await server.get(`${ENTITY}/history`, V1));
  assert.equal(history.json._embedded.revisions[0].revision, revision);
  const { fields } = accepted(await server.get(`${ENTITY}/blame`, V1)).json._embedded;
  assert.equal(fields.find(({ value }: { value: unknown }) => value === 'explained').revision, revision);
});

test('reverts have the agreed names', async () => {
  const first = revisionOf(await changed('first'));
  const second = revisionOf(await changed('second'));
  accepted(await server.ask('POST', `${REVISIONS}/${second}/revert`, { ...V1, headers: { 'X-Svc-Confirm': 'true' } }));
  assert.equal(await shownValue(), 'first');
  accepted(await server.post(`${ENTITY}/revert`, { revision: second }, V1));
  assert.equal(await shownValue(), 'second');
  accepted(await server.post(`${ENTITY}/revert`, { revision: first }, V1));
  assert.equal(await shownValue(), 'first');
});

test('batches have the agreed names', async () => {
  const { etag } = await changed('before');
  const operations = [{ method: 'PUT', path: PROD, if_match: etag, body: withVariable('by batch') }];
  const { json, headers } = accepted(await server.post('/api/admin/config/batch', { operations }, V1));
  const shown = await server.get(PROD);
  assert.equal(json.revision, Number(headers.get('x-svc-revision')));
  assert.deepEqual(json.results, [{ status: 200, etag: shown.etag?.replaceAll('"', ''), body: shown.json }]);
  assert.equal(await shownValue(), 'by batch');
});

test('plans have the agreed names', async () => {
  const wanted = { environments: [withVariable('planned')], artifact_stores: [s3Store('planned')] };
  const { id, changes, errors } = accepted(await server.post(PLAN, wanted, V1)).json;
  assert.deepEqual([changes.length, errors], [2, []]);
  accepted(await server.post(`${PLAN}/${id}/apply`, {}, V1));
  assert.equal(await shownValue(), 'planned');
  const whole = accepted(await server.post(PLAN, { artifact_stores: [], prune: true }, V1)).json;
  assert.deepEqual(
    whole.changes.map((change: { operation: string; id: string }) => [change.operation, change.id]),
    [['delete', 'planned']],
  );
  const { text } = accepted(await server.get('/api/admin/config.xml'));
  for (const type of ['text/xml', 'application/xml']) {
    const file = accepted(await server.ask('POST', PLAN, { ...V1, text, headers: { 'Content-Type': type } })).json;
    assert.deepEqual([file.id, file.changes, file.errors], [null, [], []]);
  }
});

test('events have the agreed names', async () => {
  const path = '/api/admin/events';
  const { number } = accepted(await server.get(path, V1)).json._embedded.events[0];
  const reader = await StreamReader.open(`${server.url}${path}?after=${number - 1}`, { Authorization: basic('admin', ADMIN_PASSWORD) });
  const [first] = await reader.got(1);
  reader.close();
  assert.equal(reader.response.headers['content-type'], 'text/event-stream');
  assert.equal(first!.data.number, number);
});

test('outgoing webhooks have the agreed names', async () => {
  const secret = 'agreed-secret-of-the-hook';
  const body = { id: 'agreed', url: receiver.url, secret, filter: { types: ['configuration.changed'] }, enabled: true };
  const created = accepted(await server.post(WEBHOOKS, body, V1));
  assert.deepEqual([created.json.id, created.json.url, created.json.enabled], [body.id, body.url, true]);
  await changed('told');
  await receiver.until(() => receiver.received.length === 1);
  const [delivery] = receiver.received;
  const hmac = createHmac('sha256', secret).update(delivery!.body).digest('hex');
  assert.equal(delivery!.headers['x-svc-signature-256'], `sha256=${hmac}`);
  accepted(await server.post(`${WEBHOOKS}/agreed/replay`, { from: delivery!.event.number }, V1));
  await receiver.until(() => receiver.received.length === 2);
  assert.equal(receiver.received[1]!.body, delivery!.body);
  assert.ok(Array.isArray(accepted(await server.get(`${WEBHOOKS}/agreed/deliveries`, V1)).json._embedded.deliveries));
});
