// A browser that reaches now one server, now another: its session holds on all of them, and so does its end.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setPassword } from '../../../src/plugins/bundled/authorization/password-file-edit.ts';
import { type Postgres, startPostgres } from '../../support/database/postgres.ts';
import { quickHash } from '../../support/server/quick-login.ts';
import type { Replica, ReplicaReply } from '../../support/server/replica.ts';
import { ENVIRONMENTS, Replicas } from '../../support/server/replicas.ts';
import { HostileProvider } from '../../support/services/hostile-provider.ts';
import { WebVisitor } from '../../support/services/web-visitor.ts';

const ROUNDS = process.env.REPLICA_LOAD === 'full' ? 20 : 6;

let postgres: Postgres;
let replicas: Replicas;
let one: Replica;
let other: Replica;

before(async () => {
  postgres = await startPostgres();
  replicas = await Replicas.start(await postgres.createDatabase(), 2);
  [one, other] = replicas.all as [Replica, Replica];
  setPasswordOf('admin');
});
after(async () => {
  await replicas?.stop();
  await postgres?.stop();
});

/** Sets the password on both servers, because the file would travel by itself some seconds later. */
function setPasswordOf(login: string): void {
  const hash = quickHash('secret');
  for (const { dataDir } of [one, other]) setPassword(join(dataDir, 'password.properties'), login, hash);
}

interface Login {
  readonly Cookie: string;
  readonly 'X-CSRF-Token': string;
}

async function logIn(replica: Replica, login_name: string): Promise<Login> {
  const reply = await replica.post('/api/session', { login_name, password: 'secret' });
  assert.equal(reply.status, 200, reply.text);
  return { Cookie: String(reply.headers['set-cookie']).split(';')[0]!, 'X-CSRF-Token': reply.json.csrf_token };
}

/** Sends a request with the cookie alone. */
async function withCookie(replica: Replica, method: string, path: string, headers: Partial<Login>, body?: object): Promise<ReplicaReply> {
  const response = await fetch(replica.url + path, {
    method,
    headers: { Accept: 'application/vnd.svc+json', ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: {}, text, json: JSON.parse(text), etag: undefined, revision: 0 };
}

test('a session of one server counts on the other at once, with its token', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 ? [one, other] : [other, one];
    const login = await logIn(first, 'admin');
    const shown = await withCookie(second, 'GET', '/api/session', login);
    assert.deepEqual([shown.status, shown.json.csrf_token], [200, login['X-CSRF-Token']]);
    const created = await withCookie(second, 'POST', ENVIRONMENTS, login, { name: `env-${round}` });
    assert.equal(created.status, 200, created.text);
  }
});

test('a request that one server hands on to the other is judged there by the same cookie and token', async () => {
  const login = await logIn(one, 'admin');
  const { 'X-CSRF-Token': _, ...cookieAlone } = login;
  for (const replica of [one, other]) {
    assert.equal((await withCookie(replica, 'GET', '/api/config/materials', login)).status, 200);
    const notify = (headers: Partial<Login>) =>
      withCookie(replica, 'POST', '/api/admin/materials/git/notify', headers, { repository_url: 'https://scm.example.org/a.git' });
    assert.equal((await notify(cookieAlone)).status, 403);
    assert.notEqual((await notify(login)).status, 403);
  }
});

test('a logout on one server is one on the other at once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 ? [one, other] : [other, one];
    const login = await logIn(first, 'admin');
    for (const replica of [first, second]) assert.equal((await withCookie(replica, 'GET', '/api/session', login)).status, 200);
    assert.equal((await withCookie(second, 'DELETE', '/api/session', login)).status, 200);
    for (const replica of [first, second]) assert.equal((await withCookie(replica, 'GET', '/api/session', login)).status, 401);
  }
});

test('a user who is disabled on one server has no session on the other, also when enabled again', async () => {
  setPasswordOf('ann');
  const login = await logIn(one, 'ann');
  assert.equal((await withCookie(other, 'GET', '/api/session', login)).status, 200);
  assert.equal((await one.patch('/api/users/ann', { enabled: false })).status, 200);
  assert.equal((await withCookie(other, 'GET', '/api/session', login)).status, 401);
  assert.equal((await one.patch('/api/users/ann', { enabled: true })).status, 200);
  for (const replica of [one, other]) assert.equal((await withCookie(replica, 'GET', '/api/session', login)).status, 401);
});

test('a login at a provider begins with one server and ends with the other, once', async () => {
  const provider = await HostileProvider.start();
  try {
    // Both are reached by one address, as behind a proxy.
    assert.equal((await one.post('/api/admin/config/server/site_urls', { site_url: one.url, secure_site_url: '' })).status, 200);
    const settings = { Issuer: provider.issuer, ClientId: 'slipway', ClientSecret: 'secret' };
    const properties = Object.entries(settings).map(([key, value]) => ({ key, value }));
    const authConfig = { id: 'web', plugin_id: 'slipway.authorization.oidc', allow_only_known_users_to_login: false, properties };
    assert.equal((await one.post('/api/admin/security/auth_configs', authConfig)).status, 200);
    assert.equal((await other.get('/api/admin/security/auth_configs/web')).status, 200);
    const visitor = new WebVisitor();
    const { location } = await visitor.go(`${one.url}/auth/login/web`);
    const cookie = visitor.cookies(one.url).get('slipway_login')!;
    const callback = provider.approve(location!);
    const grant = provider.grants.get(callback.searchParams.get('code')!)!;
    const finish = async (replica: Replica) => {
      provider.grants.set(callback.searchParams.get('code')!, grant);
      visitor.setCookie(new URL(replica.url).origin, 'slipway_login', cookie);
      const { pathname, search } = callback;
      return (await visitor.go(`${replica.url}${pathname}${search}`)).location!.searchParams;
    };
    assert.equal((await finish(other)).get('signed_in'), 'true');
    assert.equal((await finish(one)).get('failure'), 'expired');
    const token = visitor.cookies(new URL(other.url).origin).get('slipway_session');
    assert.equal((await withCookie(one, 'GET', '/api/session', { Cookie: `slipway_session=${token}` })).json.login_name, 'eve');
  } finally {
    await provider.stop();
  }
});
