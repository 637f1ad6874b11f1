// Browser sessions: logging in and out by cookie, CSRF tokens of changes, and the ends of a session.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { CROSS_ORIGIN, CROSS_SITE } from '../../src/api/http/cross-site.ts';
import { NO_CSRF_TOKEN } from '../../src/api/http/login/csrf.ts';
import { TWO_COOKIES } from '../../src/api/http/login/identify.ts';
import { StreamReader } from '../events/stream-reader.ts';
import { changeRows, isStored, rowsIn } from '../support/database/sql.ts';
import { Browser } from '../support/requests/browser-session.ts';
import { accepted, addUser, givePassword, PASSWORD, tokenOf } from '../support/requests/callers.ts';
import { failed } from '../support/requests/replies.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';
import { until } from '../support/until.ts';

const SESSION = '/api/session';
const OWN_SESSIONS = '/api/current_user/sessions';
const ENDED = 'Your session has ended. Log in again.';
const ENVIRONMENTS = '/api/admin/environments';
const MINUTE = 60_000;

let server: TestServer;
before(async () => {
  server = await TestServer.start({ 'session-idle-minutes': '60', 'session-days': '2' });
});
after(() => server.stop());

describe('logging in', () => {
  test('gives a cookie that scripts cannot read, and returns the session data for pages', async () => {
    const browser = new Browser(server);
    const reply = await browser.logIn('admin', ADMIN_PASSWORD);
    assert.match(browser.setCookie, /^slipway_session=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/$/);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const { _links, csrf_token, expires_at, ...rest } = reply.json;
    assert.match(csrf_token, /^[0-9a-f]{64}$/);
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 60 * MINUTE) < MINUTE, expires_at);
    assert.deepEqual(
      { ...rest, server: undefined },
      {
        login_name: 'admin',
        display_name: 'admin',
        is_admin: true,
        is_group_admin: true,
        anonymous: false,
        security_enabled: true,
        server: undefined,
        can: {
          view_admin: true,
          administer_server: true,
          administer_pipelines: true,
          view_templates: true,
          view_environments: true,
          view_config_repos: true,
          view_cluster_profiles: true,
          view_elastic_agent_profiles: true,
          list_member_names: true,
          manage_access_tokens: true,
        },
      },
    );
    const shown = accepted(await browser.get(SESSION));
    assert.equal(shown.json.csrf_token, csrf_token);
    assert.equal(shown.json.login_name, 'admin');
    assert.equal((await browser.get('/api/current_user')).json.login_name, 'admin');
  });

  test('keeps neither the cookie nor its token', async () => {
    const browser = new Browser(server);
    const { json } = await browser.logIn('admin', ADMIN_PASSWORD);
    assert.equal(await isStored(server.dataDir, browser.token), false);
    assert.equal(await isStored(server.dataDir, json.csrf_token), false);
  });

  test('tells a user without rights that there is nothing to administer', async () => {
    await addUser(server, 'plain');
    const { json } = await new Browser(server).logIn('plain', PASSWORD);
    assert.deepEqual([json.is_admin, json.is_group_admin, json.can.view_admin], [false, false, false]);
    assert.equal(json.can.manage_access_tokens, true);
  });

  test('is shown for passwords and tokens, too, which need no token beside them', async () => {
    const byPassword = accepted(await server.get(SESSION));
    assert.deepEqual([byPassword.json.login_name, byPassword.json.csrf_token, byPassword.json.expires_at], ['admin', null, null]);
    const byToken = accepted(await server.get(SESSION, { as: await tokenOf(server, basic('admin', ADMIN_PASSWORD)) }));
    assert.deepEqual([byToken.json.csrf_token, byToken.json.can.manage_access_tokens], [null, false]);
  });

  test('a login with a wrong password is refused without a cookie, and without a dialog of the browser', async () => {
    const browser = new Browser(server);
    const reply = await browser.ask('POST', SESSION, { body: { login_name: 'admin', password: 'wrong' } });
    assert.equal(reply.status, 401);
    assert.match(reply.json.message, /^Invalid credentials/);
    assert.equal(reply.headers.get('set-cookie'), null);
  });

  test('needs both texts, and never repeats a password', async () => {
    const reply = await new Browser(server).ask('POST', SESSION, { body: { login_name: 'admin', password: { is: 'hunter2' } } });
    failed(reply, 422, "A login needs the texts 'login_name' and 'password'.");
    assert.doesNotMatch(reply.text, /hunter2/);
  });

  test('a login that is only tried begins no session', async () => {
    const before = await rowsIn(server.dataDir, 'select hash from sessions');
    const reply = accepted(await server.post(`${SESSION}?dry_run=true`, { login_name: 'admin', password: ADMIN_PASSWORD }, { as: '' }));
    assert.equal(reply.headers.get('set-cookie'), null);
    assert.equal(reply.json.csrf_token, null);
    assert.equal((await rowsIn(server.dataDir, 'select hash from sessions')).length, before.length);
  });

  test('is throttled together with other logins', async () => {
    await addUser(server, 'guessed');
    const statuses: number[] = [];
    for (let round = 0; round < 30 && !statuses.includes(429); round++) {
      const reply =
        round % 2
          ? await server.post(SESSION, { login_name: 'guessed', password: `no ${round}` }, { as: '' })
          : await server.get('/api/current_user', { as: basic('guessed', `no ${round}`) });
      statuses.push(reply.status);
    }
    assert.equal(statuses.at(-1), 429, String(statuses));
    const right = await server.post(SESSION, { login_name: 'guessed', password: PASSWORD }, { as: '' });
    assert.equal(right.status, 429);
    assert.equal(right.headers.get('set-cookie'), null);
    const { json } = await server.get('/api/admin/events?type=login.failed&page_size=1');
    assert.equal(json._embedded.events[0].data.by, 'password');
  });

  test('never makes a cookie valid that an attacker put into the browser beforehand', async () => {
    const planted = 'A'.repeat(43);
    const browser = new Browser(server);
    browser.cookie = `slipway_session=${planted}`;
    await browser.logIn('admin', ADMIN_PASSWORD);
    assert.notEqual(browser.token, planted);
    const attacker = new Browser(server);
    attacker.cookie = `slipway_session=${planted}`;
    assert.equal((await attacker.get(SESSION)).status, 401);
  });

  test('ends the session that the browser had', async () => {
    const browser = new Browser(server);
    await browser.logIn('admin', ADMIN_PASSWORD);
    const former = browser.copy();
    await browser.logIn('admin', ADMIN_PASSWORD);
    accepted(await browser.get(SESSION));
    failed(await former.get(SESSION), 401, ENDED);
  });

  test('two different cookies of one name are refused: a neighbour may have set one', async () => {
    const browser = new Browser(server);
    await browser.logIn('admin', ADMIN_PASSWORD);
    browser.cookie = `slipway_session=${'B'.repeat(43)}; ${browser.cookie}`;
    failed(await browser.get(SESSION), 401, TWO_COOKIES);
  });
});

describe('the cookie is for encrypted connections only', () => {
  test('the cookie is for encrypted connections only when the site URL is encrypted', async () => {
    const urls = '/api/admin/config/server/site_urls';
    accepted(await server.put(urls, { site_url: 'https://cd.example.org', secure_site_url: '' }));
    const browser = new Browser(server);
    await browser.logIn('admin', ADMIN_PASSWORD);
    assert.match(browser.setCookie, /^__Host-slipway_session=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Secure$/);
    accepted(await browser.get(SESSION));
    accepted(await server.put(urls, { site_url: '', secure_site_url: '' }));
    accepted(await browser.get(SESSION));
  });

  test('the cookie is for encrypted connections when a trusted proxy encrypts, and no other server can set it', async () => {
    const proxied = await TestServer.start({ 'trust-proxy': '127.0.0.1', 'context-path': '/cd' });
    const headers = { 'X-Forwarded-Proto': 'https' };
    try {
      const [attacker, browser] = [new Browser(proxied), new Browser(proxied)];
      await attacker.logIn('admin', ADMIN_PASSWORD, headers);
      assert.match(attacker.setCookie, /^__Host-slipway_session%2Fcd=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/; Secure$/);
      // Browsers let no other server set a name that begins with `__Host-`; all other names they do.
      const planted = `slipway_session=${attacker.token}`;
      browser.cookie = planted;
      assert.equal((await browser.get(SESSION, { headers })).status, 401);
      await browser.logIn('admin', ADMIN_PASSWORD, headers);
      const own = browser.csrfToken;
      browser.cookie = `${planted}; ${browser.cookie}`;
      assert.equal(accepted(await browser.get(SESSION, { headers })).json.csrf_token, own);
      accepted(await attacker.get(SESSION, { headers }));
    } finally {
      await proxied.stop();
    }
  });
});

describe('a change with the cookie', () => {
  let browser: Browser;
  before(async () => {
    browser = new Browser(server);
    await browser.logIn('admin', ADMIN_PASSWORD);
  });
  let count = 0;
  const change = (headers: Readonly<Record<string, string>>) =>
    browser.ask('POST', ENVIRONMENTS, { body: { name: `env-${++count}` }, headers });

  test('is let in with the token, from a page of this server', async () => {
    accepted(await change({ 'X-CSRF-Token': browser.csrfToken, Origin: server.url, 'Sec-Fetch-Site': 'same-origin' }));
    accepted(await change({ 'X-CSRF-Token': browser.csrfToken }));
    accepted(await browser.ask('DELETE', `${ENVIRONMENTS}/env-1`, { headers: { 'X-CSRF-Token': browser.csrfToken } }));
  });

  test('is refused without the token, also as DELETE', async () => {
    const reply = failed(await change({}), 403, NO_CSRF_TOKEN);
    assert.equal(reply.json.reason, 'csrf_token');
    failed(await change({ 'X-Svc-Confirm': 'true' }), 403, NO_CSRF_TOKEN);
    const bare: Record<string, string>[] = [{}, { 'X-Svc-Confirm': 'true' }, { Origin: server.url }, { 'Sec-Fetch-Site': 'same-origin' }];
    for (const headers of bare) failed(await browser.ask('DELETE', `${ENVIRONMENTS}/env-2`, { headers }), 403, NO_CSRF_TOKEN);
    accepted(await server.get(`${ENVIRONMENTS}/env-2`));
  });

  test('is let in without the token where the browser says that a page of this server sends it, and no form can', async () => {
    accepted(await change({ Origin: server.url }));
    accepted(await change({ 'Sec-Fetch-Site': 'same-origin' }));
    const headers = { Origin: server.url, 'X-Svc-Confirm': 'true' };
    accepted(await browser.ask('DELETE', `${ENVIRONMENTS}/env-${count}`, { headers }));
    failed(await change({ Origin: 'null' }), 403, CROSS_ORIGIN);
    failed(await change({ Origin: server.url, 'X-CSRF-Token': 'x' }), 403, NO_CSRF_TOKEN);
  });

  test('begins also with a short login, whose answer is the cookie alone', async () => {
    const short = await server.ask('POST', SESSION, { as: '', body: { login: 'admin', password: ADMIN_PASSWORD } });
    assert.deepEqual([short.status, short.text], [204, '']);
    // HTTP forbids a length with this status, and there is nothing of a type.
    assert.deepEqual([short.headers.get('content-length'), short.headers.get('content-type')], [null, null]);
    assert.match(short.headers.get('set-cookie') ?? '', /^slipway_session=[\w-]+; HttpOnly/);
    assert.equal((await server.ask('POST', SESSION, { as: '', body: { login: 'admin', password: 'wrong' } })).status, 401);
    assert.equal((await server.ask('POST', SESSION, { as: '', body: { login: null, password: 'x' } })).status, 422);
  });

  test('is refused with a wrong token, and with that of another session', async () => {
    const other = new Browser(server);
    await other.logIn('admin', ADMIN_PASSWORD);
    for (const token of ['', 'x', '0'.repeat(64), browser.csrfToken.toUpperCase(), other.csrfToken, browser.token]) {
      failed(await change({ 'X-CSRF-Token': token }), 403, NO_CSRF_TOKEN);
    }
  });

  for (const [what, headers, message] of [
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, CROSS_SITE],
    ['a neighbour', { 'Sec-Fetch-Site': 'same-site' }, CROSS_SITE],
    ['outside of any page', { 'Sec-Fetch-Site': 'none' }, CROSS_SITE],
    ['a foreign origin', { Origin: 'https://evil.example' }, CROSS_ORIGIN],
    ['an origin without a name', { Origin: 'null' }, CROSS_ORIGIN],
  ] as const) {
    test(`is refused from ${what}, even with the token`, async () => {
      failed(await change({ 'X-CSRF-Token': browser.csrfToken, ...headers }), 403, message);
    });
  }

  test('a login that a foreign page makes a browser send is refused', async () => {
    const body = { login_name: 'admin', password: ADMIN_PASSWORD };
    failed(await new Browser(server).ask('POST', SESSION, { body, headers: { Origin: 'https://evil.example' } }), 403, CROSS_ORIGIN);
    const form = await server.ask('POST', SESSION, { text: JSON.stringify(body), headers: { 'Content-Type': 'text/plain' }, as: '' });
    assert.equal(form.status, 415);
  });

  test('counts as one by password: access tokens can be made', async () => {
    const headers = { 'X-CSRF-Token': browser.csrfToken };
    accepted(await browser.ask('POST', '/api/current_user/access_tokens', { body: { description: 'by a page' }, headers }));
  });

  test('needs no token when a program sends a login beside the cookie', async () => {
    accepted(await server.post(ENVIRONMENTS, { name: 'by-program' }, { headers: { Cookie: browser.cookie } }));
  });
});

describe('a client that is not logged in', () => {
  const challengeOf = async (headers: Readonly<Record<string, string>>) => {
    const reply = await server.get('/api/current_user', { as: '', headers });
    assert.equal(reply.status, 401);
    return reply.headers.get('www-authenticate');
  };

  test('is asked for a password by the browser only where no page of ours asks', async () => {
    assert.match((await challengeOf({}))!, /^Basic/);
    assert.match((await challengeOf({ Cookie: 'other=1', 'Sec-Fetch-Mode': 'navigate' }))!, /^Basic/);
    assert.equal(await challengeOf({ Cookie: `slipway_session=${'C'.repeat(43)}` }), null);
    assert.equal(await challengeOf({ 'X-Requested-With': 'fetch' }), null);
    assert.equal(await challengeOf({ 'Sec-Fetch-Mode': 'cors' }), null);
  });

  test('is refused with any value of the cookie', async () => {
    for (const value of ['', 'x', 'D'.repeat(43), 'D'.repeat(5000), "' or 1=1 --", 'ambiguous']) {
      const reply = await server.get(SESSION, { as: '', headers: { Cookie: `slipway_session=${value}` } });
      assert.equal(reply.status, 401, value);
    }
  });
});

test('a stream of events can be read with the cookie alone, which is all that an EventSource sends', async () => {
  const browser = new Browser(server);
  await browser.logIn('admin', ADMIN_PASSWORD);
  const headers = { Accept: 'text/event-stream', Cookie: browser.cookie };
  const response = await fetch(`${server.url}/api/admin/events`, { headers });
  assert.equal(response.status, 200);
  await response.body!.cancel();
});

describe('a session ends', () => {
  let browser: Browser;
  const isOver = async (message = ENDED) => failed(await browser.get('/api/current_user'), 401, message);
  beforeEach(async () => {
    await addUser(server, 'jez').catch(() => {});
    browser = new Browser(server);
    await browser.logIn('jez', PASSWORD);
    accepted(await browser.get('/api/current_user'));
  });

  test('a session ends when its user logs out', async () => {
    const reply = accepted(await browser.ask('DELETE', SESSION, { headers: { 'X-CSRF-Token': browser.csrfToken } }));
    assert.match(reply.headers.get('set-cookie')!, /^slipway_session=; .*Max-Age=0$/);
    await isOver();
  });

  test('a session does not end for a page that has no CSRF token', async () => {
    failed(await browser.ask('DELETE', SESSION), 403, NO_CSRF_TOKEN);
    accepted(await browser.get(SESSION));
  });

  test('a session ends when its user is disabled, and does not come back with them', async () => {
    accepted(await server.patch('/api/users/jez', { enabled: false }));
    await isOver();
    accepted(await server.patch('/api/users/jez', { enabled: true }));
    await isOver();
  });

  test('a session ends when its user is deleted, and does not come back with them', async () => {
    accepted(await server.patch('/api/users/jez', { enabled: false }));
    accepted(await server.delete('/api/users/jez'));
    accepted(await server.post('/api/users', { login_name: 'jez' }));
    await isOver();
  });

  test('a session ends when the password of its user has changed, and no other session does', async () => {
    await addUser(server, 'other').catch(() => {});
    const other = new Browser(server);
    await other.logIn('other', PASSWORD);
    givePassword(server, 'jez', { password: 'a new one' });
    // For a moment the file is assumed to be as it was.
    await until('the end of the session', async () => (await browser.get(SESSION)).status === 401);
    await isOver();
    accepted(await other.get(SESSION));
    givePassword(server, 'jez');
  });

  test('a session ends when the password has changed, and so do open event streams of the user', async () => {
    await addUser(server, 'other').catch(() => {});
    const listen = (headers: Readonly<Record<string, string>>) => StreamReader.open(`${server.url}/api/live`, headers);
    const streams = [await listen({ Cookie: browser.cookie }), await listen({ Authorization: basic('jez', PASSWORD) })];
    const other = await listen({ Authorization: basic('other', PASSWORD) });
    for (const stream of [...streams, other]) await stream.until(() => stream.types.includes('ready'));
    givePassword(server, 'jez', { password: 'a new one' });
    for (const stream of streams) await stream.until(() => stream.hasEnded);
    assert.equal(other.hasEnded, false);
    other.close();
    givePassword(server, 'jez');
  });

  test('a session ends when the auth config of its user is deleted', async () => {
    const sources = '/api/admin/security/auth_configs';
    const properties = [{ key: 'PasswordFilePath', value: 'second' }];
    givePassword(server, 'guest', { file: 'second' });
    const source = { id: 'second', plugin_id: 'cd.go.authentication.passwordfile', allow_only_known_users_to_login: false, properties };
    accepted(await server.post(sources, source));
    browser = new Browser(server);
    await browser.logIn('guest', PASSWORD);
    accepted(await server.delete(`${sources}/second`));
    await isOver();
    accepted(await server.post(sources, source));
    await isOver();
    accepted(await server.delete(`${sources}/second`));
  });

  test('a session goes on after a restart of the server', async () => {
    await server.restart();
    accepted(await browser.get(SESSION));
  });

  const ageBy = (what: 'used_at' | 'created_at', minutes: number) =>
    server.restart(() => changeRows(server.dataDir, `update sessions set ${what} = ${what} - ?`, minutes * MINUTE));

  test('a session ends when it was not used for long', async () => {
    await ageBy('used_at', 50);
    accepted(await browser.get(SESSION));
    await ageBy('used_at', 61);
    await isOver();
  });

  test('a session ends after its longest time, however it was used', async () => {
    await ageBy('created_at', 47 * 60);
    accepted(await browser.get(SESSION));
    await ageBy('created_at', 61);
    await isOver();
  });

  test('sessions end one by one or all at once, when their user wants it', async () => {
    const other = new Browser(server);
    await other.logIn('jez', PASSWORD, { 'User-Agent': 'Testzilla/1.0' });
    const listed = accepted(await browser.get(OWN_SESSIONS)).json._embedded.sessions;
    const current = listed.filter((session: { current: boolean }) => session.current);
    assert.equal(current.length, 1);
    assert.equal(listed[0].browser, 'Testzilla/1.0');
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(other.token));
    const headers = { 'X-CSRF-Token': browser.csrfToken };
    accepted(await browser.ask('DELETE', `${OWN_SESSIONS}/${listed[0].id}`, { headers }));
    assert.equal((await other.get(SESSION)).status, 401);
    accepted(await browser.get(SESSION));
    const mine = listed[1].id;
    failed(await server.delete(`${OWN_SESSIONS}/${mine}`), 404, `You have no session with the id '${mine}'.`);
    accepted(await browser.ask('DELETE', OWN_SESSIONS, { headers }));
    await isOver();
  });

  test('the oldest session ends when its user has too many', async () => {
    const [{ hash }] = (await rowsIn(server.dataDir, "select hash from sessions where user_key = 'jez' order by created_at desc")) as [
      { hash: string },
    ];
    await changeRows(server.dataDir, "delete from sessions where user_key = 'jez' and hash <> ?", hash);
    for (let index = 0; index < 100; index++) {
      await changeRows(
        server.dataDir,
        'insert into sessions (hash, user_key, auth_config_id, password_mark, created_at, used_at, address, browser) values (?, ?, ?, ?, ?, ?, ?, ?)',
        `fill ${index}`,
        'jez',
        '',
        '',
        Date.now() + 1000,
        Date.now(),
        '',
        '',
      );
    }
    await new Browser(server).logIn('jez', PASSWORD);
    const left = await rowsIn(server.dataDir, "select hash from sessions where user_key = 'jez'");
    assert.equal(left.length, 100);
    await isOver();
  });
});
