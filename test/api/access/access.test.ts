// Logins: passwords, tokens, throttling, the remembered check, and changes of users to their own account.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withGrowingLimits } from '../../support/patience.ts';
import { atOnce, statusesOf, times } from '../../support/requests/at-once.ts';
import { givePassword } from '../../support/requests/callers.ts';
import { basic, TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  give('jez', 'open');
});
after(() => server.stop());

function give(login: string, password: string): void {
  givePassword(server, login, { password });
}

/** The first lock-out lasts a second. A busy machine may need longer for the tries: then they are made again, for another user. */
function withinOneSecond(tries: (login: string) => Promise<void>): Promise<void> {
  return withGrowingLimits(() => {
    const login = `guessed-${randomUUID()}`;
    give(login, 'right');
    return tries(login);
  });
}

const asJez = basic('jez', 'open');
const me = (as: string) => server.get('/api/current_user', { as });

test('a connection that sends thousands of wrong passwords ahead is closed, and others are served', async () => {
  const { port } = new URL(server.url);
  const requestOf = (_: unknown, index: number) =>
    `GET /api/version HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic('ada', `wrong-${index}`)}\r\n\r\n`;
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {}); // it is reset while it still sends
  socket.write(Array.from({ length: 5000 }, requestOf).join(''));
  await new Promise((resolve) => socket.resume().once('close', resolve));
  assert.equal((await me(asJez)).status, 200);
});

describe('passwords', () => {
  test('the scheme may be in any case, and a failed login is refused with a challenge', async () => {
    assert.equal((await me(asJez.replace('Basic', 'bAsIc'))).status, 200);
    for (const as of ['', basic('jez', 'wrong'), basic('nobody', 'x'), 'Basic !!!!', 'Digest abc', 'Basic']) {
      const reply = await me(as);
      assert.equal(reply.status, 401, as);
      assert.equal(reply.headers.get('www-authenticate'), 'Basic realm="Slipway"');
      assert.ok(reply.json.message.length > 0);
    }
  });

  test('a client without a login gets 401 even for an unknown address', async () => {
    assert.equal((await server.get('/api/nowhere', { as: '' })).status, 401);
    assert.equal((await server.get('/api/nowhere')).status, 404);
  });

  test('a changed password counts at once', async () => {
    give('kim', 'first');
    assert.equal((await me(basic('kim', 'first'))).status, 200);
    give('kim', 'second');
    await sleep(100);
    assert.equal((await me(basic('kim', 'first'))).status, 401);
    assert.equal((await me(basic('kim', 'second'))).status, 200);
  });

  test('after a few wrong passwords even the right one has to wait', () =>
    withinOneSecond(async (login) => {
      for (let tries = 0; tries < 5; tries++) assert.equal((await me(basic(login, `wrong-${tries}`))).status, 401);
      const throttled = await me(basic(login, 'right'));
      assert.equal(throttled.status, 429);
      assert.equal(throttled.headers.get('retry-after'), '1');
      assert.equal((await me(asJez)).status, 200);
      await sleep(1100);
      assert.equal((await me(basic(login, 'right'))).status, 200);
    }));

  test('wrong passwords sent at the same moment are no more tries than one after the other', () =>
    withinOneSecond(async (login) => {
      const replies = await Promise.all(times(9, (index) => me(basic(login, `wrong-${index}`))).map((ask) => ask()));
      assert.ok(replies.filter(({ status }) => status !== 429).length <= 5, statusesOf(replies).join());
      assert.equal((await me(basic(login, 'right'))).status, 429);
      assert.equal((await me(asJez)).status, 200);
    }));
});

describe('behind a proxy', () => {
  let proxied: TestServer;
  let right: string;
  before(async () => {
    proxied = await TestServer.start({ 'trust-proxy': '127.0.0.1' });
    right = givePassword(proxied, 'ann');
  });
  after(() => proxied.stop());
  const askFrom = async (address: string, as: string) =>
    (await proxied.get('/api/current_user', { as, headers: { 'X-Forwarded-For': address } })).status;

  test('a right password is not locked out by wrong ones from other addresses', async () => {
    for (let index = 0; index < 30; index++) assert.equal(await askFrom(`198.51.100.${index}`, basic('ann', `wrong-${index}`)), 401);
    assert.equal(await askFrom('192.0.2.1', right), 200);
  });
});

describe('the current user', () => {
  test('is shown with links and an ETag', async () => {
    const { json, etag } = await me(asJez);
    assert.deepEqual(Object.keys(json), ['_links', 'login_name', 'display_name', 'enabled', 'email', 'email_me', 'checkin_aliases']);
    assert.deepEqual(Object.keys(json._links), ['doc', 'self', 'find', 'current_user']);
    assert.equal((await server.get('/api/current_user', { as: asJez, headers: { 'If-None-Match': etag! } })).status, 304);
  });

  test('may change mail and aliases, nothing else', async () => {
    const change = { email: 'jez@example.org', email_me: 'TRUE', checkin_aliases: 'b, a,, a', login_name: 'root', enabled: false };
    const { json } = await server.patch('/api/current_user', change, { as: asJez });
    assert.deepEqual(
      [json.login_name, json.enabled, json.email, json.email_me, json.checkin_aliases],
      ['jez', true, 'jez@example.org', true, ['a', 'b']],
    );
    const invalid = await server.patch('/api/current_user', { email: 'nope' }, { as: asJez });
    assert.equal(invalid.status, 400);
    assert.equal(invalid.json.message, 'Failed to add user. Validations failed. Invalid email address.');
    const flag = await server.patch('/api/current_user', { email_me: 'perhaps' }, { as: asJez });
    assert.equal(flag.json.message, "The string 'perhaps' does not look like a boolean.");
    assert.equal((await server.ask('PATCH', '/api/current_user', { as: asJez })).status, 400);
    assert.equal((await me(asJez)).json.email, 'jez@example.org');
  });

  test('a plain user may not administer', async () => {
    const admin = await server.get('/api/admin/artifact_stores', { as: asJez });
    assert.equal(admin.status, 403);
    assert.equal(admin.json.message, 'You are not authorized to access this resource!');
    const mail = await server.get('/api/config/mailserver', { as: asJez });
    assert.equal(mail.json.message, 'You are not authorized to perform this action.');
  });

  test('users who may not administer do not learn which API versions an admin route has', async () => {
    const statusOf = async (path: string, ask: object = {}) => (await server.get(path, { accept: 'text/html', ...ask })).status;
    assert.equal(await statusOf('/api/admin/artifact_stores', { as: asJez }), 403);
    assert.equal(await statusOf('/api/admin/artifact_stores'), 404);
    assert.equal(await statusOf('/api/config/mailserver', { as: asJez }), 404, 'this one is not below /api/admin');
  });
});

describe('access tokens', () => {
  const OWN_TOKENS = '/api/current_user/access_tokens';
  const create = (description: string, as = asJez) => server.post(OWN_TOKENS, { description }, { as });

  test('are shown once, work in any case of the word, and are stored as a hash', async () => {
    const { json, status } = await create('for tests');
    assert.equal(status, 200);
    assert.match(json.token, /^[0-9a-f]{40}$/);
    assert.deepEqual(Object.keys(json), [
      '_links',
      'id',
      'description',
      'username',
      'revoked',
      'revoke_cause',
      'revoked_by',
      'revoked_at',
      'created_at',
      'last_used_at',
      'token',
    ]);
    for (const word of ['bearer', 'Bearer', 'BEARER']) assert.equal((await me(`${word} ${json.token}`)).json.login_name, 'jez');
    assert.equal((await server.get(`${OWN_TOKENS}/${json.id}`, { as: asJez })).json.token, undefined);
    assert.equal((await me(`bearer ${'0'.repeat(40)}`)).json.message, 'Invalid Personal Access Token.');
    assert.equal((await me('bearer short')).json.message, 'Invalid Personal Access Token.');
  });

  test('need a description', async () => {
    const reply = await server.post(OWN_TOKENS, {}, { as: asJez });
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.json.errors, { description: ['must not be blank'] });
    assert.deepEqual(Object.keys(reply.json._links), ['doc', 'find']);
  });

  test('expire no sooner and may do no less than their sender believes: limits that make no sense are refused', async () => {
    for (const wrong of [
      { expires_at: '2001-01-01T00:00:00Z' },
      { scopes: [] },
      { expires_at: 1, scopes: ['read'] },
      { allowed_addresses: ['here'] },
    ]) {
      const reply = await server.post(OWN_TOKENS, { description: 'limited', ...wrong }, { as: asJez });
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(Object.keys(reply.json.errors), Object.keys(wrong));
      for (const name of Object.keys(wrong)) assert.match(reply.json.message, new RegExp(`The field '${name}' (must|has)`));
      assert.equal(reply.json.token, undefined);
    }
    const { json } = await server.get(`${OWN_TOKENS}?filter=all`, { as: asJez });
    assert.ok(!json._embedded.access_tokens.some(({ description }: { description: string }) => description === 'limited'));
    assert.equal((await server.post(OWN_TOKENS, { description: 'unlimited', expires_at: null, scopes: null }, { as: asJez })).status, 200);
  });

  test('a revoked token is refused at once and stays revoked', async () => {
    const { json } = await create('short-lived');
    const bearer = `bearer ${json.token}`;
    assert.equal((await me(bearer)).status, 200);
    const revoked = await server.post(`${OWN_TOKENS}/${json.id}/revoke`, { revoke_cause: 'lost' }, { as: asJez });
    assert.deepEqual([revoked.json.revoked, revoked.json.revoked_by, revoked.json.revoke_cause], [true, 'jez', 'lost']);
    assert.match((await me(bearer)).json.message, /^Invalid Personal Access Token\. Access token was revoked at: /);
    const again = await server.ask('POST', `${OWN_TOKENS}/${json.id}/revoke`, { as: asJez, headers: { 'X-Svc-Confirm': 'true' } });
    assert.equal(again.status, 409);
    assert.equal(again.json.message, 'Access token has already been revoked!');
    await server.restart();
    assert.equal((await me(bearer)).status, 401);
  });

  test('only one of many requests at the same moment revokes a token', async () => {
    const { json } = await create('wanted by many');
    const replies = await atOnce(
      server,
      ...times(4, (index) => server.post(`${OWN_TOKENS}/${json.id}/revoke`, { revoke_cause: `${index}` }, { as: asJez })),
    );
    assert.deepEqual(statusesOf(replies), [200, 409, 409, 409]);
    const [revoked] = replies.filter(({ status }) => status === 200);
    assert.equal((await server.get(`${OWN_TOKENS}/${json.id}`, { as: asJez })).json.revoke_cause, revoked!.json.revoke_cause);
  });

  test('If-Match counts for a revocation', async () => {
    const { json, etag } = await create('as it was');
    const revoke = (ifMatch: string) => server.post(`${OWN_TOKENS}/${json.id}/revoke`, {}, { as: asJez, headers: { 'If-Match': ifMatch } });
    assert.equal((await revoke('"older"')).status, 412);
    assert.equal((await revoke(etag!)).json.revoked, true);
  });

  test('are listed by state, and only to their owner or an administrator', async () => {
    const { json } = await create('mine');
    const ids = async (path: string, as?: string) =>
      (await server.get(path, as === undefined ? {} : { as })).json._embedded.access_tokens.map((one: { id: number }) => one.id);
    assert.ok((await ids(OWN_TOKENS, asJez)).includes(json.id));
    assert.ok(!(await ids(OWN_TOKENS)).includes(json.id));
    assert.ok((await ids('/api/admin/access_tokens')).includes(json.id));
    assert.ok(!(await ids(`${OWN_TOKENS}?filter=revoked`, asJez)).includes(json.id));
    assert.ok((await ids(`${OWN_TOKENS}?filter=all`, asJez)).includes(json.id));
    const unknown = await server.get(`${OWN_TOKENS}?filter=x`, { as: asJez });
    assert.equal(
      unknown.json.message,
      'Value `x` is not allowed for query parameter named `filter`. Valid values are active, all, revoked.',
    );
    give('mia', 'pw');
    assert.equal((await server.get(`${OWN_TOKENS}/${json.id}`, { as: basic('mia', 'pw') })).status, 404);
    assert.equal((await server.get('/api/admin/access_tokens', { as: asJez })).status, 403);
    assert.equal((await server.get(`${OWN_TOKENS}/abc`, { as: asJez })).json.message, "Access token with id 'abc' was not found!");
    assert.equal((await server.post(`/api/admin/access_tokens/${json.id}/revoke`, {})).json.revoked_by, 'admin');
  });

  test('a user has at most a thousand tokens at a time', async () => {
    give('tess', 'pw');
    const asTess = basic('tess', 'pw');
    const { json } = await create('first', asTess);
    for (let count = 1; count < 1000; count += 111) {
      const statuses = statusesOf(await atOnce(server, ...times(111, () => create('more', asTess))));
      assert.ok(statuses.every((status) => status === 200));
    }
    const refused = await create('too many', asTess);
    assert.equal(refused.status, 422);
    assert.equal(refused.json.message, 'You have 1000 access tokens already. Revoke some that you no longer need.');
    assert.equal((await server.post(`${OWN_TOKENS}/${json.id}/revoke`, {}, { as: asTess })).status, 200);
    assert.equal((await create('one again', asTess)).status, 200);
  });

  test('cannot be managed with a token', async () => {
    const { json } = await create('for itself');
    const reply = await server.post(OWN_TOKENS, { description: 'more' }, { as: `bearer ${json.token}` });
    assert.equal(reply.status, 403);
    assert.equal(reply.json.message, 'Unsupported operation: Accessing this API using access token is forbidden.');
  });

  test('a dry run creates and revokes nothing', async () => {
    const all = async () => (await server.get('/api/admin/access_tokens?filter=all')).text;
    const { json } = await create('kept');
    const before = await all();
    const dry = await server.post(`${OWN_TOKENS}?dry_run=true`, { description: 'x' }, { as: asJez });
    assert.equal(dry.status, 200);
    assert.equal((await me(`bearer ${dry.json.token}`)).status, 401);
    assert.equal((await server.post(`${OWN_TOKENS}/${json.id}/revoke?dry_run=true`, {}, { as: asJez })).json.revoked, true);
    assert.equal(await all(), before);
  });
});
