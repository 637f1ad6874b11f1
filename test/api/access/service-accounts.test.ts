// Service accounts: users without a password, whose tokens administrators make.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, addUser, givePassword } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const PATH = '/api/admin/service_accounts';
const BOT = `${PATH}/release-bot`;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await addUser(server, 'ann');
});
after(() => server.stop());

const tokenOf = async (options: object = {}) =>
  accepted(await server.post(`${BOT}/access_tokens`, { description: 'releases', ...options })).json;
const me = (token: string) => server.get('/api/current_user', { as: `Bearer ${token}` });

test('service accounts are added with a description and an owner, and shown among users with a mark', async () => {
  const added = accepted(await server.post(PATH, { name: 'release-bot', description: 'publishes releases', owner: 'Ann' }));
  const { _links, ...account } = added.json;
  assert.deepEqual(account, { name: 'release-bot', description: 'publishes releases', owner: 'ann', enabled: true });
  assert.equal((await server.get(BOT)).etag, added.etag);
  assert.equal((await server.get('/api/users/release-bot')).json.service_account, true);
  assert.equal((await server.get('/api/users/ann')).json.service_account, undefined);
  const { json } = accepted(await server.get(PATH));
  assert.deepEqual(
    json._embedded.service_accounts.map(({ name }: { name: string }) => name),
    ['release-bot'],
  );
});

test('service accounts must have a name of their own and an owner who can log in', async () => {
  for (const [body, why] of [
    [{}, "The field 'name' is missing"],
    [{ name: 'a:b' }, "The field 'name' is not acceptable"],
    [{ name: 5 }, "The field 'name' must be a text"],
    [{ name: 'ANN' }, 'already exists'],
    [{ name: 'relеase-bot' }, 'looks like'],
    [{ name: 'bot', owner: 'nobody' }, "The field 'owner' must name a user who can log in"],
    [{ name: 'bot', owner: 'release-bot' }, "The field 'owner' must name a user who can log in"],
    [{ name: 'bot', enabled: 'yes' }, '`enabled` must be true or false'],
    [{ name: 'bot', description: 'x'.repeat(2000) }, "The field 'description' must not be longer"],
  ] as const) {
    const reply = await server.post(PATH, body);
    assert.equal(reply.status, 422, reply.text);
    assert.ok(reply.json.message.includes(why), reply.text);
  }
  assert.equal((await server.get(`${PATH}/ann`)).status, 404);
  assert.equal((await server.post(`${PATH}/ann/access_tokens`, { description: 'of a person' })).status, 404);
  assert.equal((await server.get(`${PATH}/nobody/access_tokens`)).status, 404);
});

test('service accounts act by tokens with the rights of their roles, and cannot log in otherwise', async () => {
  const { token, username, _links } = await tokenOf({ scopes: ['environments:*:dev*'] });
  assert.equal(username, 'release-bot');
  assert.match(_links.self.href, /service_accounts\/release-bot\/access_tokens\/\d+$/);
  const as = `Bearer ${token}`;
  assert.equal((await me(token)).json.login_name, 'release-bot');
  assert.equal((await server.get('/api/admin/environments', { as })).status, 403);
  const policy = [{ permission: 'allow', action: 'administer', type: 'environment', resource: '*' }];
  accepted(
    await server.post('/api/admin/security/roles', { name: 'releasers', type: 'svc', policy, attributes: { users: ['release-bot'] } }),
  );
  accepted(await server.ask('POST', '/api/admin/environments', { as, body: { name: 'dev' } }));
  assert.equal((await server.ask('POST', '/api/admin/environments', { as, body: { name: 'prod' } })).status, 403);
  assert.equal((await server.ask('PUT', '/api/dashboard/views', { as, body: {} })).status, 403);
  // A user in a password file may have the same name.
  const password = givePassword(server, 'release-bot');
  const refused = await server.get('/api/current_user', { as: password });
  assert.deepEqual([refused.status, refused.json.message.startsWith('This is a service account.')], [401, true]);
});

test('service accounts keep their tokens when sources of users change, and after a restart', async () => {
  const { token, id } = await tokenOf();
  await server.restart();
  assert.equal((await me(token)).status, 200);
  const { json } = accepted(await server.get(`${BOT}/access_tokens/${id}`));
  assert.equal(json.revoked, false);
});

test('service accounts have tokens that administrators rotate and revoke', async () => {
  const { token, id } = await tokenOf();
  const made = accepted(await server.post(`${BOT}/access_tokens/${id}/rotate`, { overlap_minutes: 0 })).json;
  await until('the end of the old one', async () => (await me(token)).status === 401);
  assert.equal((await me(made.token)).json.login_name, 'release-bot');
  accepted(await server.post(`${BOT}/access_tokens/${made.id}/revoke`, { revoke_cause: 'lost' }));
  assert.equal((await me(made.token)).status, 401);
  assert.ok(
    accepted(await server.get('/api/admin/access_tokens?filter=revoked')).json._embedded.access_tokens.some(
      (one: { id: number }) => one.id === made.id,
    ),
  );
});

test('service accounts are changed with an ETag, disabled, and count as no administrator who could log in', async () => {
  const shown = accepted(await server.get(BOT));
  const stale = await server.ask('PUT', BOT, { body: { description: 'x' }, headers: { 'If-Match': '"other"' } });
  assert.equal(stale.status, 412);
  const { token } = await tokenOf();
  const changed = accepted(await server.ask('PUT', BOT, { body: { enabled: false }, headers: { 'If-Match': shown.etag! } }));
  assert.deepEqual([changed.json.enabled, changed.json.description], [false, 'publishes releases']);
  assert.equal((await me(token)).status, 401);
  accepted(await server.ask('PUT', BOT, { body: { enabled: true } }));
  assert.equal((await me(token)).status, 200);
  const admins = await server.ask('PUT', '/api/admin/security/system_admins', {
    body: { users: ['release-bot'], roles: [] },
    headers: { 'If-Match': '*' },
  });
  assert.equal(admins.status, 422, admins.text);
});

test('service accounts are deleted with their tokens, and all of it is published', async () => {
  const { token } = await tokenOf();
  const tried = accepted(await server.ask('DELETE', `${BOT}?dry_run=true`, {}));
  assert.match(tried.json.message, /was deleted/);
  assert.equal((await me(token)).status, 200);
  accepted(await server.ask('DELETE', BOT, {}));
  assert.equal((await me(token)).status, 401);
  assert.equal((await server.get(BOT)).status, 404);
  const { json } = accepted(
    await server.get('/api/admin/events?type=service_account.created,service_account.changed,service_account.deleted'),
  );
  const text = JSON.stringify(json);
  for (const type of ['created', 'changed', 'deleted']) assert.ok(text.includes(`service_account.${type}`), text.slice(0, 500));
});
