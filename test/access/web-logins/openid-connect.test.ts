// Logins at a real OpenID Connect provider: which users get in, with which rights, and how sessions end.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NO_USER_NAMED, noSuchSession } from '../../../src/api/endpoints/sessions/all-docs.ts';
import { isStored } from '../../support/database/sql.ts';
import { accepted } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';
import { CLIENT_ID, CLIENT_SECRET, OpenIdProvider } from '../../support/services/openid-provider.ts';
import { type Visit, WebVisitor } from '../../support/services/web-visitor.ts';
import { until } from '../../support/until.ts';

const ID = 'staff';
const AUTH_CONFIGS = '/api/admin/security/auth_configs';
/** The beginning of every token of the provider. A shorter part is found now and then in random characters, such as a key. */
const TOKEN_BEGINS = Buffer.from('{"alg"').toString('base64url');
const person = (name: string, ...groups: string[]) => ({ name, email: `${name.split(' ')[0]!.toLowerCase()}@example.org`, groups });

let server: TestServer;
let provider: OpenIdProvider;
before(async () => {
  server = await TestServer.start();
  provider = await OpenIdProvider.start({
    clientUrl: server.url,
    authConfigId: ID,
    people: {
      ann: person('Ann Admin', 'everybody', 'operations'),
      bob: person('Bob Builder', 'everybody', 'shop'),
      carol: person('Carol Coder', 'everybody'),
      dave: person('Dave Guest', 'guests'),
      admin: person('Somebody Else', 'everybody'),
    },
  });
  accepted(await server.post(AUTH_CONFIGS, authConfig()));
  accepted(
    await server.post('/api/admin/security/roles', {
      name: 'shop-team',
      type: 'plugin',
      policy: [{ permission: 'allow', action: 'administer', type: 'environment', resource: 'shop-*' }],
      attributes: { auth_config_id: ID, properties: [{ key: 'Groups', value: 'shop' }] },
    }),
  );
});
after(async () => {
  await server?.stop();
  await provider?.stop();
});

function authConfig(changes: Readonly<Record<string, string>> = {}, more: object = {}) {
  const settings = {
    Issuer: provider.issuer,
    ClientId: CLIENT_ID,
    ClientSecret: CLIENT_SECRET,
    Scopes: 'openid profile email groups',
    AllowedGroups: 'everybody',
    AdminGroups: 'operations',
    PublicName: 'the company account',
    ...changes,
  };
  return {
    id: ID,
    plugin_id: 'slipway.authorization.oidc',
    allow_only_known_users_to_login: false,
    properties: Object.entries(settings).map(([key, value]) => ({ key, value })),
    ...more,
  };
}

const change = async (changes: Readonly<Record<string, string>>, more?: object) =>
  accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, authConfig(changes, more), '*'));

const isOurs = (url: URL) => url.origin === server.url;
const isLoginPage = (url: URL) => url.pathname === '/auth/login';

/** Fills in the login page of the provider; the last visit leads to our callback. */
async function atProvider(visitor: WebVisitor, login: string, returnTo = '/agents'): Promise<Visit> {
  const start = `${server.url}/auth/login/${ID}?return_to=${encodeURIComponent(returnTo)}`;
  const form = await visitor.follow(start);
  if (form.location) return form;
  return visitor.follow(form.url, isOurs, { prompt: 'login', login, password: 'any' });
}

/** Logs in, and gives the address where the browser ends up. */
async function logIn(visitor: WebVisitor, login: string, returnTo?: string): Promise<URL> {
  const { location } = await atProvider(visitor, login, returnTo);
  return (await visitor.follow(location!, isLoginPage)).location!;
}

async function sessionOf(visitor: WebVisitor) {
  const token = visitor.cookies(server.url).get('slipway_session');
  return server.get('/api/session', { as: '', headers: { Cookie: `slipway_session=${token}` } });
}

describe('a login at the provider', () => {
  test('begins a session, with the name and the mail address that the provider gives, and leads back', async () => {
    const visitor = new WebVisitor();
    const page = await logIn(visitor, 'carol', '/agents?q=linux#first');
    assert.equal(page.pathname + page.search, '/auth/login?from=%2Fagents%3Fq%3Dlinux%23first&signed_in=true');
    const { json } = accepted(await sessionOf(visitor));
    assert.deepEqual([json.login_name, json.display_name, json.is_admin], ['carol', 'Carol Coder', false]);
    assert.equal(visitor.cookies(server.url).has('slipway_login'), false);
    assert.equal(accepted(await server.get('/api/users/carol')).json.email, 'carol@example.org');
  });

  test('asks for a code with PKCE, state and nonce', async () => {
    const { location } = await new WebVisitor().go(`${server.url}/auth/login/${ID}`);
    const parameters = Object.fromEntries(location!.searchParams);
    assert.equal(parameters.response_type, 'code');
    assert.equal(parameters.code_challenge_method, 'S256');
    for (const name of ['state', 'nonce', 'code_challenge']) assert.match(parameters[name]!, /^[\w-]{43}$/);
    assert.equal(parameters.redirect_uri, `${server.url}/auth/callback/${ID}`);
  });

  test('makes members of the admin groups administrators, and gives plugin roles', async () => {
    const [ann, bob] = [new WebVisitor(), new WebVisitor()];
    await logIn(ann, 'ann');
    await logIn(bob, 'bob');
    assert.equal((await sessionOf(ann)).json.is_admin, true);
    const { json } = await sessionOf(bob);
    assert.deepEqual([json.is_admin, json.can.view_environments], [false, true]);
    const users = accepted(await server.get('/api/users')).json._embedded.users;
    const shown = (name: string) => users.find(({ login_name }: { login_name: string }) => login_name === name);
    assert.equal(shown('ann').is_admin, true);
    assert.deepEqual(shown('bob').roles, [{ name: 'shop-team', type: 'plugin' }]);
  });

  test('reads the groups anew, and access tokens follow', async () => {
    const bob = new WebVisitor();
    await logIn(bob, 'bob');
    const token = await tokenOf(bob);
    const may = async () => (await server.get('/api/admin/environments', { as: `Bearer ${token}` })).status;
    assert.equal(await may(), 200);
    provider.people.bob = person('Bob Builder', 'everybody');
    await logIn(new WebVisitor(), 'bob');
    assert.equal(await may(), 403);
    provider.people.bob = person('Bob Builder', 'everybody', 'shop');
  });

  test('is refused to users in none of the allowed groups', async () => {
    const page = await logIn(new WebVisitor(), 'dave');
    assert.equal(page.searchParams.get('failure'), 'not_allowed');
    assert.equal((await server.get('/api/users/dave')).status, 404);
  });

  test('ends for users whose groups are not allowed any more, and so do their access tokens', async () => {
    const carol = new WebVisitor();
    await logIn(carol, 'carol');
    const token = await tokenOf(carol);
    const statuses = async () => [(await sessionOf(carol)).status, (await server.get('/api/version', { as: `Bearer ${token}` })).status];
    assert.deepEqual(await statuses(), [200, 200]);
    await change({ AllowedGroups: 'operations' });
    assert.deepEqual(await statuses(), [401, 401]);
    await change({});
    assert.deepEqual(await statuses(), [200, 200]);
  });

  test('has to be made again at another provider, before access tokens count again', async () => {
    const carol = new WebVisitor();
    await logIn(carol, 'carol');
    const token = await tokenOf(carol);
    const status = async () => (await server.get('/api/version', { as: `Bearer ${token}` })).status;
    await change({ Issuer: 'https://login.example.org' });
    await until('the token does not count', async () => (await status()) === 401);
    await change({});
    assert.equal(await status(), 401);
    await logIn(new WebVisitor(), 'carol');
    await until('the token counts', async () => (await status()) === 200);
  });

  test('does not give a login name of another source, unless LinkExistingUsers is on', async () => {
    const page = await logIn(new WebVisitor(), 'admin');
    assert.equal(page.searchParams.get('failure'), 'name_taken');
    await change({ LinkExistingUsers: 'true' });
    const visitor = new WebVisitor();
    await logIn(visitor, 'admin');
    assert.equal((await sessionOf(visitor)).json.login_name, 'admin');
    await change({});
  });

  test('lets in only known users, where the configuration says so', async () => {
    provider.people.erin = person('Erin New', 'everybody');
    await change({}, { allow_only_known_users_to_login: true });
    assert.equal((await logIn(new WebVisitor(), 'erin')).searchParams.get('failure'), 'not_known');
    accepted(await server.post('/api/users', { login_name: 'erin' }));
    assert.equal((await logIn(new WebVisitor(), 'erin')).searchParams.get('signed_in'), 'true');
    await change({});
  });

  test('is not possible for disabled users', async () => {
    provider.people.fred = person('Fred Former', 'everybody');
    const visitor = new WebVisitor();
    await logIn(visitor, 'fred');
    accepted(await server.patch('/api/users/fred', { enabled: false }));
    assert.equal((await sessionOf(visitor)).status, 401);
    assert.equal((await logIn(new WebVisitor(), 'fred')).searchParams.get('failure'), 'disabled');
  });

  test('leaves no code, token or secret in the log and in the database', async () => {
    const visitor = new WebVisitor();
    const { location } = await atProvider(visitor, 'carol');
    await visitor.follow(location!, isLoginPage);
    const code = location!.searchParams.get('code')!;
    for (const secret of [code, CLIENT_SECRET, TOKEN_BEGINS]) {
      assert.ok(!server.log.includes(secret), secret);
      assert.equal(await isStored(server.dataDir, secret), false, secret);
    }
  });
});

describe('the address that the provider knows', () => {
  const SITE_URLS = '/api/admin/config/server/site_urls';
  const started = (visitor: WebVisitor, query = '') => visitor.go(`${server.url}/auth/login/${ID}${query}`);
  after(async () => accepted(await server.post(SITE_URLS, { site_url: '', secure_site_url: '' })));

  test('is the site URL, where a login begins, too, because the cookie has to be there', async () => {
    accepted(await server.post(SITE_URLS, { site_url: 'http://cd.example.org', secure_site_url: '' }));
    const { location } = await started(new WebVisitor(), '?return_to=/agents');
    assert.equal(location!.href, `http://cd.example.org/auth/login/${ID}?return_to=%2Fagents&moved=true`);
    // A proxy that hides the name of the server must not lead it here again and again.
    const moved = await started(new WebVisitor(), '?moved=true');
    assert.equal(moved.location!.searchParams.get('redirect_uri'), `http://cd.example.org/auth/callback/${ID}`);
  });

  test('a site URL with HTTPS gives a cookie that no other server of the domain can set', async () => {
    accepted(await server.post(SITE_URLS, { site_url: 'https://cd.example.org', secure_site_url: '' }));
    const visitor = new WebVisitor();
    await started(visitor, '?moved=true');
    assert.deepEqual([...visitor.cookies(server.url).keys()], ['__Host-slipway_login']);
  });
});

describe('the list of ways to log in', () => {
  test('needs no login, and reveals no settings', async () => {
    const { json, text } = accepted(await server.get('/api/login_sources', { as: '' }));
    assert.equal(json.takes_passwords, true);
    assert.deepEqual(
      json._embedded.login_sources.map(({ id, label, _links }: { id: string; label: string; _links: { login: { href: string } } }) => [
        id,
        label,
        _links.login.href,
      ]),
      [[ID, 'the company account', `${server.url}/auth/login/${ID}`]],
    );
    assert.ok(!text.includes(CLIENT_ID) && !text.includes(provider.issuer));
  });
});

describe('a session of a login at the provider', () => {
  test('names its source in the lists, and ends with it', async () => {
    const visitor = new WebVisitor();
    await logIn(visitor, 'carol');
    const { json } = accepted(await server.get('/api/admin/sessions?login_name=carol'));
    assert.deepEqual(
      new Set(json._embedded.sessions.map(({ auth_config_id }: { auth_config_id: string }) => auth_config_id)),
      new Set([ID]),
    );
    accepted(await server.delete('/api/admin/security/roles/shop-team'));
    accepted(await server.delete(`${AUTH_CONFIGS}/${ID}`));
    assert.equal((await sessionOf(visitor)).status, 401);
    await until(
      'the end of the sessions',
      async () => accepted(await server.get('/api/admin/sessions?login_name=carol')).json._embedded.sessions.length === 0,
    );
    accepted(await server.post(AUTH_CONFIGS, authConfig()));
  });

  test('ends here and at the provider when its user logs out', async () => {
    const visitor = new WebVisitor();
    await logIn(visitor, 'carol');
    const out = await asPage(visitor, 'DELETE', '/api/session');
    const logout = new URL(accepted(out).json.logout_url);
    assert.equal(logout.origin, provider.issuer);
    assert.equal(logout.searchParams.get('post_logout_redirect_uri'), `${server.url}/auth/login`);
    assert.match(logout.searchParams.get('id_token_hint')!, /^eyJ/);
    const question = await visitor.go(logout);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(question.text)![1]!;
    const end = await visitor.follow(`${provider.issuer}/session/end/confirm`, isOurs, { xsrf, logout: 'yes' });
    assert.equal(end.location!.pathname, '/auth/login');
    // The provider asks for a login again.
    assert.match((await visitor.follow(`${server.url}/auth/login/${ID}`)).text, /name="password"/);
  });

  test('ends when the provider reports a logout', async () => {
    const [visitor, other] = [new WebVisitor(), new WebVisitor()];
    await logIn(visitor, 'carol');
    await logIn(other, 'bob');
    const question = await visitor.go(`${provider.issuer}/session/end`);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(question.text)![1]!;
    await visitor.follow(`${provider.issuer}/session/end/confirm`, isOurs, { xsrf, logout: 'yes' });
    assert.deepEqual(provider.failures, []);
    await until('the end of the session', async () => (await sessionOf(visitor)).status === 401);
    assert.equal((await sessionOf(other)).status, 200);
  });
});

describe('the sessions of all', () => {
  test('can be ended by administrators, one by one and all of a user', async () => {
    const [first, second] = [new WebVisitor(), new WebVisitor()];
    await logIn(first, 'bob');
    await logIn(second, 'bob');
    const listed = async () => accepted(await server.get('/api/admin/sessions?login_name=bob')).json._embedded.sessions;
    const [newest] = await listed();
    accepted(await server.delete(`/api/admin/sessions/${newest.id}`));
    assert.equal((await sessionOf(second)).status, 401);
    assert.equal((await sessionOf(first)).status, 200);
    failed(await server.delete('/api/admin/sessions'), 400, NO_USER_NAMED);
    accepted(await server.delete('/api/admin/sessions?login_name=bob'));
    assert.deepEqual(await listed(), []);
    failed(await server.delete(`/api/admin/sessions/${newest.id}`), 404, noSuchSession(newest.id));
  });
});

describe('checking the connection', () => {
  const verify = (changes: Readonly<Record<string, string>>) =>
    server.post('/api/admin/internal/security/auth_configs/verify_connection', authConfig(changes));

  test('fetches the metadata of the provider', async () => {
    assert.equal(accepted(await verify({})).json.status, 'success');
    const wrong = await verify({ Issuer: `${provider.issuer}/elsewhere` });
    assert.match(wrong.text, /failure/);
  });

  test('refuses an address without encryption, and one that must never be asked', async () => {
    const open = await verify({ Issuer: 'http://login.example.com' });
    assert.equal(open.status, 422);
    assert.match(open.text, /Issuer must be an address that begins with https/);
    const { text } = await verify({ Issuer: 'https://169.254.169.254' });
    assert.match(text, /link-local/);
  });
});

async function asPage(visitor: WebVisitor, method: string, path: string, body?: object) {
  const { json } = accepted(await sessionOf(visitor));
  const headers = { Cookie: `slipway_session=${visitor.cookies(server.url).get('slipway_session')}`, 'X-CSRF-Token': json.csrf_token };
  return server.ask(method, path, { as: '', headers, ...(body && { body }) });
}

async function tokenOf(visitor: WebVisitor): Promise<string> {
  return accepted(await asPage(visitor, 'POST', '/api/current_user/access_tokens', { description: 'for scripts' })).json.token;
}
