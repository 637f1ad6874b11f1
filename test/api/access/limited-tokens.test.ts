// Access tokens that end, are limited to addresses, are replaced, and remember the scopes they have used.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const OWN_TOKENS = '/api/current_user/access_tokens';
const MINUTE = 60_000;

let server: TestServer;
before(async () => {
  server = await TestServer.start({ 'trust-proxy': '127.0.0.1' });
});
after(() => server.stop());
afterEach(() => mock.timers.reset());

const create = async (options: object) => accepted(await server.post(OWN_TOKENS, { description: 'limited', ...options })).json;
const me = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  server.get('/api/current_user', { as: `Bearer ${token}`, headers });
const setTime = (time: number) => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: time });
};

describe('a token that expires', () => {
  test('lets its user in until then, also when its credentials are remembered', async () => {
    const end = Math.trunc(Date.now() / 1000) * 1000 + 10 * MINUTE;
    const expires_at = new Date(end).toISOString();
    const { token, id, ...shown } = await create({ expires_at });
    assert.equal(shown.expires_at, expires_at.replace('.000', ''));
    setTime(end - 5000);
    assert.equal((await me(token)).status, 200);
    setTime(end + 1);
    const refused = await me(token);
    assert.equal(refused.status, 401);
    assert.equal(refused.json.message, `Invalid Personal Access Token. Access token expired at: ${expires_at}`);
    const listed = (filter: string) =>
      server
        .get(`${OWN_TOKENS}?filter=${filter}`)
        .then(({ json }) => json._embedded.access_tokens.some((one: { id: number }) => one.id === id));
    assert.deepEqual([await listed('active'), await listed('all')], [false, true]);
    const again = await server.post(`${OWN_TOKENS}/${id}/rotate`, { overlap_minutes: 5 });
    assert.equal(again.status, 409);
    mock.timers.reset();
    await server.restart();
    setTime(end + 1);
    assert.equal((await me(token)).status, 401);
  });

  test('must end in the future, and within ten years', async () => {
    const at = (years: number) => new Date(Date.now() + years * 365 * 24 * 60 * MINUTE).toISOString();
    for (const [expires_at, why] of [
      [at(-0.1), 'must be in the future'],
      [at(11), 'must not be more than 10 years away'],
      ['tomorrow', 'must be a time in ISO 8601 with its zone'],
      ['2030-01-01', 'must be a time in ISO 8601 with its zone'],
      ['2030-01-01T00:00:00', 'must be a time in ISO 8601 with its zone'],
      ['2030-13-01T00:00:00Z', 'must be a time in ISO 8601 with its zone'],
      [{}, 'must be a time in ISO 8601 with its zone'],
    ] as const) {
      const reply = await server.post(OWN_TOKENS, { description: 'wrong', expires_at });
      assert.equal(reply.status, 422, String(expires_at));
      assert.ok(reply.json.errors.expires_at[0].startsWith(why), reply.text);
    }
    assert.ok((await create({ expires_at: '2033-01-01T02:00:00+02:00' })).expires_at === '2033-01-01T00:00:00Z');
  });
});

test('a token that is limited to addresses is none elsewhere, and the failure is published', async () => {
  const { token, id, allowed_addresses } = await create({ allowed_addresses: ['10.0.0.0/8', '2001:db8::1'] });
  assert.deepEqual(allowed_addresses, ['10.0.0.0/8', '2001:db8::1']);
  const from = (address: string) => me(token, { 'X-Forwarded-For': address });
  for (const address of ['10.1.2.3', '2001:db8::1']) assert.equal((await from(address)).status, 200, address);
  for (const address of ['11.1.2.3', '2001:db8::2']) {
    const reply = await from(address);
    assert.deepEqual([reply.status, reply.json.message], [401, 'Invalid Personal Access Token.'], address);
  }
  assert.equal((await me(token)).status, 401);
  assert.equal((await from('10.1.2.3')).status, 200);
  await until('the event', async () => {
    const { json } = await server.get('/api/admin/events?type=login.failed');
    return JSON.stringify(json).includes(`"resource":"access_tokens","id":"${id}"`) && JSON.stringify(json).includes('11.1.2.3');
  });
  for (const allowed of [['10.0.0.0/33'], ['example.org'], 'all', []])
    assert.equal((await server.post(OWN_TOKENS, { description: 'wrong', allowed_addresses: allowed })).status, 422);
});

describe('a rotated token', () => {
  test('is replaced by one with the same limits, and ends after the overlap', async () => {
    const scopes = ['agents:view:*'];
    const expires_at = new Date(Date.now() + 48 * 60 * MINUTE).toISOString();
    const old = await create({ scopes, expires_at, allowed_addresses: ['127.0.0.0/8'] });
    assert.equal((await me(old.token)).status, 200);
    const made = accepted(await server.post(`${OWN_TOKENS}/${old.id}/rotate`, { overlap_minutes: 60 })).json;
    assert.notEqual(made.token, old.token);
    assert.deepEqual(
      [made.description, made.scopes, made.allowed_addresses, Math.abs(Date.parse(made.expires_at) - Date.parse(expires_at)) < 60 * MINUTE],
      ['limited', scopes, ['127.0.0.0/8'], true],
    );
    const end = Date.parse((await server.get(`${OWN_TOKENS}/${old.id}`)).json.expires_at);
    assert.ok(end <= Date.now() + 60 * MINUTE);
    assert.deepEqual([(await me(old.token)).status, (await me(made.token)).status], [200, 200]);
    setTime(end + 1000);
    assert.deepEqual([(await me(old.token)).status, (await me(made.token)).status], [401, 200]);
  });

  test('can be replaced once more until it ends: by one with the whole lifetime, and its end stays', async () => {
    const rotate = async (id: number, overlap_minutes: number) =>
      accepted(await server.post(`${OWN_TOKENS}/${id}/rotate`, { overlap_minutes })).json;
    const lifetimeOf = (token: { readonly created_at: string; readonly expires_at?: string }) =>
      token.expires_at && Date.parse(token.expires_at) - Date.parse(token.created_at);
    const lifetime = 48 * 60 * MINUTE;
    const created = Math.trunc(Date.now() / 1000) * 1000;
    setTime(created);
    const limited = await create({ expires_at: new Date(created + lifetime).toISOString() });
    const endless = await create({});
    const firsts = [await rotate(limited.id, 60), await rotate(endless.id, 60)];
    await server.restart();
    setTime(created + 5 * MINUTE);
    const seconds = [await rotate(limited.id, 1000), await rotate(endless.id, 1000), await rotate(firsts[0].id, 60)];
    assert.deepEqual([...firsts, ...seconds].map(lifetimeOf), [lifetime, undefined, lifetime, undefined, lifetime]);
    for (const { id } of [limited, endless])
      assert.equal(Date.parse((await server.get(`${OWN_TOKENS}/${id}`)).json.expires_at), created + 60 * MINUTE);
    for (const { token } of [...firsts, ...seconds]) assert.equal((await me(token)).status, 200);
    setTime(created + 61 * MINUTE);
    assert.equal((await server.post(`${OWN_TOKENS}/${limited.id}/rotate`, {})).status, 409);
  });

  test('ends at once without an overlap; the successor of a token that never ends does not end either', async () => {
    const old = await create({});
    assert.equal((await me(old.token)).status, 200);
    const made = accepted(await server.post(`${OWN_TOKENS}/${old.id}/rotate`, { overlap_minutes: 0 })).json;
    assert.equal(made.expires_at, undefined);
    await until('the end', async () => (await me(old.token)).status === 401);
    assert.equal((await me(made.token)).status, 200);
  });

  test('must be there, one’s own, and not revoked', async () => {
    const { id } = await create({});
    const other = await addUser(server, 'ann');
    assert.equal((await server.post(`${OWN_TOKENS}/${id}/rotate`, {}, { as: other })).status, 404);
    const { json: hers } = accepted(await server.post(OWN_TOKENS, { description: 'hers' }, { as: other }));
    // Otherwise an administrator would learn the token of another user.
    assert.equal((await server.post(`${OWN_TOKENS}/${hers.id}/rotate`, {})).status, 404);
    assert.equal((await server.post(`${OWN_TOKENS}/${hers.id}/rotate?dry_run=true`, {})).status, 404);
    for (const overlap_minutes of [-1, 1.5, '5', 100_000])
      assert.equal((await server.post(`${OWN_TOKENS}/${id}/rotate`, { overlap_minutes })).status, 422);
    accepted(await server.post(`${OWN_TOKENS}/${id}/revoke`, {}));
    assert.equal((await server.post(`${OWN_TOKENS}/${id}/rotate`, {})).status, 409);
    assert.equal((await server.post(`${OWN_TOKENS}/12345/rotate`, {})).status, 404);
  });
});

test('a token without limits is answered as its user is', async () => {
  const { token } = await create({});
  for (const [method, path] of [
    ['POST', '/api/admin/environments'],
    ['POST', '/api/admin/internal/config_repos/verify_connection'],
    ['GET', '/api/admin/environments/unknown'],
  ] as const) {
    const ask = method === 'POST' ? { body: {} } : {};
    const [one, other] = [await server.ask(method, path, ask), await server.ask(method, path, { ...ask, as: `Bearer ${token}` })];
    assert.deepEqual([one.status, one.json], [other.status, other.json], path);
  }
});

test('a token remembers the scopes it has used, and the smallest sufficient scopes are proposed', async () => {
  const { token, id } = await create({});
  const as = `Bearer ${token}`;
  assert.equal((await server.get(`${OWN_TOKENS}/${id}`)).json.used_scopes, undefined);
  accepted(await server.post('/api/admin/environments', { name: 'dev' }));
  accepted(await server.get('/api/admin/environments/dev', { as }));
  accepted(
    await server.ask('PATCH', '/api/admin/environments/dev', { as, body: { environment_variables: { add: [{ name: 'A', value: '1' }] } } }),
  );
  accepted(await server.get('/api/agents', { as }));
  accepted(await server.get('/api/version', { as }));
  // A request that fails uses no scope.
  assert.equal((await server.get('/api/admin/environments/nonsense', { as })).status, 404);
  await server.restart();
  const { json } = accepted(await server.get(`${OWN_TOKENS}/${id}`));
  assert.deepEqual(json.used_scopes, ['agents:view:*', 'environments:administer:dev', 'environments:view:dev']);
  assert.deepEqual(json.proposed_scopes, ['agents:view:*', 'environments:administer:dev']);
  const tight = await create({ scopes: json.proposed_scopes });
  for (const path of ['/api/admin/environments/dev', '/api/agents', '/api/version'])
    accepted(await server.get(path, { as: `Bearer ${tight.token}` }));
});
