// Attacks on logins at providers, all of which fail.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { CompactSign, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { BAD_LOGOUT_TOKEN, NO_LOGOUT_TOKEN, USED_LOGOUT_TOKEN } from '../../../src/api/endpoints/web-logins/docs.ts';
import { rowsIn } from '../../support/database/sql.ts';
import { accepted } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';
import { HostileProvider } from '../../support/services/hostile-provider.ts';
import { WebVisitor } from '../../support/services/web-visitor.ts';
import { until } from '../../support/until.ts';

const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const ID = 'shady';
const OTHER = 'other';

let server: TestServer;
let provider: HostileProvider;
before(async () => {
  server = await TestServer.start();
  provider = await HostileProvider.start();
  for (const id of [ID, OTHER]) accepted(await server.post(AUTH_CONFIGS, authConfig(id)));
});
after(async () => {
  await server?.stop();
  await provider?.stop();
});
/** A change of the configuration makes the server drop its cached data of the provider. */
let round = 0;
afterEach(async () => {
  provider.reset();
  accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, authConfig(ID, { PublicName: `round ${++round}` }), '*'));
});

function authConfig(id: string, changes: Readonly<Record<string, string>> = {}) {
  const settings = { Issuer: provider.issuer, ClientId: 'slipway', ClientSecret: 'secret', LinkExistingUsers: 'true', ...changes };
  const properties = Object.entries(settings).map(([key, value]) => ({ key, value }));
  return { id, plugin_id: 'slipway.authorization.oidc', allow_only_known_users_to_login: false, properties };
}

const start = (visitor: WebVisitor, query = '') => visitor.go(`${server.url}/auth/login/${ID}${query}`);

/** Logs in with an honest browser; the callback can be changed on the way. */
async function logIn(visitor = new WebVisitor(), onTheWay: (callback: URL) => URL = (callback) => callback): Promise<URL> {
  const { location } = await start(visitor);
  if (location!.origin === server.url) return location!;
  return (await visitor.go(onTheWay(provider.approve(location!)))).location!;
}

const failureIn = (page: URL) => page.searchParams.get('failure');
const hasSession = (visitor: WebVisitor) => visitor.cookies(server.url).has('slipway_session');

async function refusedAs(failure: string, visitor: WebVisitor, page: URL): Promise<void> {
  assert.equal(page.pathname, '/auth/login');
  assert.equal(failureIn(page), failure);
  assert.equal(hasSession(visitor), false);
}

const expectRefused = async (failure: string, onTheWay?: (callback: URL) => URL) => {
  const visitor = new WebVisitor();
  await refusedAs(failure, visitor, await logIn(visitor, onTheWay));
};

test('an honest login gets in, so the attacks below fail for their own reasons', async () => {
  const visitor = new WebVisitor();
  assert.equal((await logIn(visitor)).searchParams.get('signed_in'), 'true');
  assert.equal(hasSession(visitor), true);
});

describe('the way to the provider and back', () => {
  test('an intercepted code is of no use in another browser', async () => {
    const [victim, attacker] = [new WebVisitor(), new WebVisitor()];
    const { location } = await start(victim);
    const callback = provider.approve(location!);
    await refusedAs('expired', attacker, (await attacker.go(callback)).location!);
    // Nor with a login that the attacker has started: neither the state nor the verifier fits.
    const own = (await start(attacker)).location!;
    await refusedAs('expired', attacker, (await attacker.go(callback)).location!);
    await start(attacker);
    const forged = new URL(callback);
    forged.searchParams.set('state', own.searchParams.get('state')!);
    await refusedAs('expired', attacker, (await attacker.go(forged)).location!);
  });

  test('a code of another login is refused by the provider: its verifier is missing', async () => {
    const victim = await start(new WebVisitor());
    const stolen = provider.approve(victim.location!).searchParams.get('code')!;
    await expectRefused('invalid', (callback) => withQuery(callback, { code: stolen }));
  });

  test('a forged, a missing and a doubled state are refused', async () => {
    await expectRefused('expired', (callback) => withQuery(callback, { state: 'A'.repeat(43) }));
    await expectRefused('expired', (callback) => {
      callback.searchParams.delete('state');
      return callback;
    });
    const visitor = new WebVisitor();
    const { location } = await start(visitor);
    const callback = provider.approve(location!);
    const { status } = await visitor.go(`${callback}&state=${'A'.repeat(43)}`);
    assert.equal(status, 400);
  });

  test('a login that another site starts does not log the victim in as the attacker', async () => {
    const [attacker, victim] = [new WebVisitor(), new WebVisitor()];
    const { location } = await start(attacker);
    const callback = provider.approve(location!);
    await start(victim);
    await refusedAs('expired', victim, (await victim.go(callback)).location!);
  });

  test('a callback counts once, also for the browser that has started the login', async () => {
    const visitor = new WebVisitor();
    const { location } = await start(visitor);
    const cookie = visitor.cookies(server.url).get('slipway_login')!;
    const callback = provider.approve(location!);
    const { code } = Object.fromEntries(callback.searchParams);
    const grant = provider.grants.get(code!)!;
    assert.equal((await visitor.go(callback)).location!.searchParams.get('signed_in'), 'true');
    // Even if the provider gives tokens for the same code once more.
    provider.grants.set(code!, grant);
    const again = new WebVisitor();
    again.setCookie(server.url, 'slipway_login', cookie);
    await refusedAs('expired', again, (await again.go(callback)).location!);
  });

  test('a callback for one source does not count for another', async () => {
    const visitor = new WebVisitor();
    const { location } = await start(visitor);
    const callback = provider.approve(location!);
    callback.pathname = `/auth/callback/${OTHER}`;
    await refusedAs('expired', visitor, (await visitor.go(callback)).location!);
  });

  test('a cookie that was made up or changed is refused', async () => {
    const visitor = new WebVisitor();
    const { location } = await start(visitor);
    const cookie = visitor.cookies(server.url).get('slipway_login')!;
    visitor.setCookie(server.url, 'slipway_login', `${cookie.slice(0, -2)}AA`);
    await refusedAs('expired', visitor, (await visitor.go(provider.approve(location!))).location!);
  });

  test('the answer of another provider is refused by its issuer', async () => {
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    await expectRefused('invalid', (callback) => withQuery(callback, { iss: 'https://evil.example' }));
  });

  test('a refusal of the provider is reported in our own words', async () => {
    await expectRefused('denied', (callback) => {
      callback.searchParams.delete('code');
      return withQuery(callback, { error: 'access_denied', error_description: 'Call 555-EVIL' });
    });
    assert.ok(!server.log.includes('555-EVIL'));
  });

  test('a login leads to no other site afterwards, whatever return_to is in the link', async () => {
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
    ]) {
      const visitor = new WebVisitor();
      const { location } = await start(visitor, `?return_to=${encodeURIComponent(to)}`);
      const page = (await visitor.go(provider.approve(location!))).location!;
      assert.equal(page.origin, server.url);
      assert.equal(page.searchParams.get('from'), '/pipelines', to);
    }
  });

  test('a planted session cookie does not become the session of the user who logs in', async () => {
    const planted = 'B'.repeat(43);
    const visitor = new WebVisitor();
    visitor.setCookie(server.url, 'slipway_session', planted);
    await logIn(visitor);
    assert.notEqual(visitor.cookies(server.url).get('slipway_session'), planted);
  });
});

describe('the ID token', () => {
  const withClaims = (changes: JWTPayload) => {
    provider.idToken = (claims) => provider.sign({ ...claims, ...changes });
  };

  test('an ID token with an old nonce is refused, as issued for another login', async () => {
    withClaims({ nonce: 'A'.repeat(43) });
    await expectRefused('invalid');
    provider.idToken = ({ nonce: _, ...claims }) => provider.sign(claims);
    await expectRefused('invalid');
  });

  test('an ID token of another audience, client or issuer is refused', async () => {
    for (const changes of [
      { aud: 'another-client' },
      { aud: ['slipway', 'another-client'], azp: 'another-client' },
      { azp: 'another-client' },
      { iss: 'https://evil.example' },
    ]) {
      withClaims(changes);
      await expectRefused('invalid');
    }
  });

  test('an ID token that is expired, or lacks the times from and until which it counts, is refused', async () => {
    const now = Math.floor(Date.now() / 1000);
    withClaims({ iat: now - 7200, exp: now - 3600 });
    await expectRefused('invalid');
    provider.idToken = ({ exp: _, ...claims }) => provider.sign(claims);
    await expectRefused('invalid');
    provider.idToken = ({ iat: _, ...claims }) => provider.sign(claims);
    await expectRefused('invalid');
  });

  test('signed by another key is refused', async () => {
    const keys = await generateKeyPair('RS256');
    provider.idToken = (claims) => provider.sign(claims, keys);
    await expectRefused('invalid');
  });

  test('an ID token without a signature is refused, even if the provider says that it makes such', async () => {
    provider.metadata = { id_token_signing_alg_values_supported: ['RS256', 'none'] };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    provider.idToken = async (claims) => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
    await expectRefused('invalid');
  });

  test('signed with the public key, or the secret of the client, as a shared secret is refused', async () => {
    provider.metadata = { id_token_signing_alg_values_supported: ['RS256', 'HS256'] };
    const publicKey = new TextEncoder().encode(JSON.stringify(await provider.publicKey()));
    for (const secret of [publicKey, new TextEncoder().encode('secret'.padEnd(32, '\0'))]) {
      provider.idToken = (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: '1' }).sign(secret);
      await expectRefused('invalid');
    }
  });

  test('an ID token that is no JWT, or holds no claims, is refused', async () => {
    const keys = await generateKeyPair('RS256');
    provider.idToken = async () => 'nonsense';
    await expectRefused('invalid');
    provider.idToken = () => new CompactSign(Buffer.from('[1]')).setProtectedHeader({ alg: 'RS256', kid: '1' }).sign(keys.privateKey);
    await expectRefused('invalid');
  });

  test('is accepted after the provider has changed its keys, at the second try at the latest', async () => {
    assert.equal((await logIn()).searchParams.get('signed_in'), 'true');
    await provider.rotateKeys();
    const tries = [await logIn(), await logIn()];
    assert.equal(tries[1]!.searchParams.get('signed_in'), 'true');
  });
});

describe('the provider itself', () => {
  test('a provider that calls itself otherwise is refused', async () => {
    provider.metadata = { issuer: 'https://evil.example' };
    await expectRefused('invalid');
  });

  test('cannot make the server ask link-local addresses, or follow a redirect to them', async () => {
    provider.metadata = { token_endpoint: 'http://169.254.169.254/token' };
    await expectRefused('invalid');
    provider.metadata = {};
    accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, authConfig(ID, { PublicName: 'redirects' }), '*'));
    provider.answer = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end();
      return true;
    };
    await expectRefused('invalid');
  });

  test('a provider that answers without an end is not listened to', async () => {
    provider.answer = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
      return true;
    };
    await expectRefused('invalid');
  });

  test('a provider that is away is reported on the login page', async () => {
    provider.answer = (_, response) => {
      response.destroy();
      return true;
    };
    await expectRefused('away');
  });

  test('a provider with an unexpected answer causes a refusal, and no fault of the server', async () => {
    for (const body of ['', 'null', '[]', '{"access_token":1}', '<html>']) {
      provider.answer = (path, response) => {
        if (path !== '/token') return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        return true;
      };
      await expectRefused('invalid');
    }
  });
});

describe('a name at the provider', () => {
  test('a name at the provider that changes hands does not give the account to its next owner', async () => {
    assert.equal((await logIn()).searchParams.get('signed_in'), 'true');
    provider.idToken = (claims) => provider.sign({ ...claims, sub: 'another-eve' });
    await expectRefused('name_taken');
  });

  test('a name at the provider that looks like that of another user, or cannot be one, is refused', async () => {
    provider.idToken = (claims) => provider.sign({ ...claims, sub: 'x', preferred_username: 'ev:e' });
    await expectRefused('bad_name');
    provider.idToken = (claims) => provider.sign({ ...claims, sub: 'y', preferred_username: 'аdmin' }); // the first letter is Cyrillic
    await expectRefused('look_alike');
  });
});

describe('the claims of a provider about a user', () => {
  const asAdministrator = async (visitor: WebVisitor, sub: string) => {
    accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, authConfig(ID, { AdminGroups: 'ops' }), '*'));
    provider.idToken = (claims) => provider.sign({ ...claims, sub, preferred_username: sub, groups: ['ops'] });
    assert.equal((await logIn(visitor)).searchParams.get('signed_in'), 'true');
    assert.equal(await isAdmin(sub), true);
  };
  const isAdmin = async (name: string) => accepted(await server.get(`/api/users/${name}`)).json.is_admin;

  test('are not inherited by the next user of the name', async () => {
    await asAdministrator(new WebVisitor(), 'mallory');
    accepted(await server.ask('PATCH', '/api/users/mallory', { body: { enabled: false } }));
    accepted(await server.ask('DELETE', '/api/users/mallory'));
    accepted(await server.post('/api/admin/service_accounts', { name: 'mallory', description: '', owner: 'admin' }));
    assert.equal(await isAdmin('mallory'), false);
  });

  test('end, with the sessions, when the source is another provider', async () => {
    const visitor = new WebVisitor();
    await asAdministrator(visitor, 'trent');
    const session = { as: '', headers: { Cookie: `slipway_session=${visitor.cookies(server.url).get('slipway_session')}` } };
    accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, authConfig(ID, { AdminGroups: 'ops', PublicName: 'renamed' }), '*'));
    accepted(await server.get('/api/session', session));
    const elsewhere = authConfig(ID, { AdminGroups: 'ops', Issuer: 'https://login.example.org' });
    accepted(await server.put(`${AUTH_CONFIGS}/${ID}`, elsewhere, '*'));
    await until('the end of the session', async () => (await server.get('/api/session', session)).status === 401);
    await until('the end of the right', async () => !(await isAdmin('trent')));
  });
});

describe('a logout token', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const sendLogout = (token: string | undefined, type = 'application/x-www-form-urlencoded') =>
    server.ask('POST', `/auth/backchannel_logout/${ID}`, {
      as: '',
      text: token === undefined ? '' : new URLSearchParams({ logout_token: token }).toString(),
      headers: { 'Content-Type': type },
    });
  const claimsOf = (changes: JWTPayload = {}): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: provider.issuer,
      aud: 'slipway',
      iat: now,
      exp: now + 120,
      jti: crypto.randomUUID(),
      sub: 'eve',
      events: EVENTS,
      ...changes,
    };
  };
  const without = (claims: JWTPayload, ...names: string[]) =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

  test('a logout token of this provider for this server ends the sessions of the user, once', async () => {
    const visitor = new WebVisitor();
    await logIn(visitor);
    const token = await provider.sign(claimsOf());
    accepted(await sendLogout(token));
    const cookie = `slipway_session=${visitor.cookies(server.url).get('slipway_session')}`;
    assert.equal((await server.get('/api/session', { as: '', headers: { Cookie: cookie } })).status, 401);
    failed(await sendLogout(token), 400, USED_LOGOUT_TOKEN);
  });

  test('a logout token that is forged, expired or for another client ends nothing', async () => {
    const visitor = new WebVisitor();
    await logIn(visitor);
    const keys = await generateKeyPair('RS256');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const bad: Readonly<Record<string, string>> = {
      'another key': await provider.sign(claimsOf(), keys),
      'no signature': `${part({ alg: 'none' })}.${part(claimsOf())}.`,
      'a shared secret': await new SignJWT(claimsOf())
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode('secret'.padEnd(32))),
      'another issuer': await provider.sign(claimsOf({ iss: 'https://evil.example' })),
      'another audience': await provider.sign(claimsOf({ aud: 'another-client' })),
      'an old one': await provider.sign(claimsOf({ iat: now - 86_400, exp: now + 60 })),
      'an expired one': await provider.sign(claimsOf({ exp: now - 600 })),
      'an ID token': await provider.sign(claimsOf({ nonce: 'n' })),
      'no event': await provider.sign(without(claimsOf(), 'events')),
      'another event': await provider.sign(claimsOf({ events: { 'https://other.example': {} } })),
      'nobody named': await provider.sign(without(claimsOf(), 'sub')),
      'no id': await provider.sign(without(claimsOf(), 'jti')),
      nonsense: 'nonsense',
    };
    for (const [what, token] of Object.entries(bad)) {
      const reply = await sendLogout(token);
      assert.deepEqual([what, reply.status, reply.json.message], [what, 400, BAD_LOGOUT_TOKEN]);
    }
    failed(await sendLogout(undefined), 400, NO_LOGOUT_TOKEN);
    failed(await sendLogout(await provider.sign(claimsOf()), 'text/plain'), 400, NO_LOGOUT_TOKEN);
    const cookie = `slipway_session=${visitor.cookies(server.url).get('slipway_session')}`;
    assert.equal((await server.get('/api/session', { as: '', headers: { Cookie: cookie } })).status, 200);
  });
});

test('unauthenticated clients that start logins write nothing into the database', async () => {
  const counted = async () => (await rowsIn(server.dataDir, 'select key from used_once')).length;
  const before = await counted();
  for (let index = 0; index < 5; index++) await expectRefused('expired', (callback) => withQuery(callback, { state: 'A'.repeat(43) }));
  assert.equal(await counted(), before);
});

test('a started login has a few tries, and a new login gets in', async () => {
  const visitor = new WebVisitor();
  const { location } = await start(visitor);
  const cookies = new Map(visitor.cookies(server.url));
  const callback = withQuery(provider.approve(location!), { code: 'guessed' });
  const failures: (string | null)[] = [];
  while (failures.at(-1) !== 'too_many' && failures.length < 20) {
    for (const [name, value] of cookies) visitor.setCookie(server.url, name, value);
    failures.push(failureIn((await visitor.go(callback)).location!));
  }
  assert.deepEqual(new Set(failures), new Set(['invalid', 'too_many']));
  assert.ok(failures.length > 5);
  assert.equal((await logIn()).searchParams.get('signed_in'), 'true');
});

test('a failed login is an event', async () => {
  provider.idToken = async () => 'nonsense';
  await expectRefused('invalid');
  const { json } = accepted(await server.get('/api/admin/events?type=login.failed&page_size=1'));
  assert.equal(json._embedded.events[0].data.by, 'provider');
});

function withQuery(url: URL, changes: Readonly<Record<string, string>>): URL {
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url;
}
