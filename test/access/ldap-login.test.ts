// Logging in through an authorization configuration that asks a real OpenLDAP server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { Browser } from '../support/requests/browser-session.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway } from '../support/server/command-line.ts';
import { basic, TestServer } from '../support/server/server.ts';
import { type Slapd, startSlapd } from '../support/services/slapd.ts';

const SUFFIX = 'dc=example,dc=org';
const AUTH_CONFIGS = '/api/admin/security/auth_configs';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const LDIF = `dn: ${SUFFIX}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: cn=Alice Liddell,${SUFFIX}
objectClass: inetOrgPerson
sn: Liddell
uid: alice
mail: alice@example.org
userPassword: wonderland

dn: cn=Unseen,${SUFFIX}
objectClass: inetOrgPerson
sn: Unseen
uid:: ${base64('carol\u200b')}
userPassword: unseen

dn: cn=Look-alike,${SUFFIX}
objectClass: inetOrgPerson
sn: Look-alike
uid:: ${base64('\u0430lice')}
userPassword: looking-glass

dn: cn=Decomposed,${SUFFIX}
objectClass: inetOrgPerson
sn: Decomposed
uid:: ${base64('zoe\u0308')}
userPassword: decomposed
`;

let slapd: Slapd;
let server: TestServer;
before(async () => {
  slapd = await startSlapd({
    suffix: SUFFIX,
    rootDn: `cn=root,${SUFFIX}`,
    rootPassword: 'unused',
    ldif: LDIF,
    databaseLines: ['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read'],
  });
  server = await TestServer.start();
});
after(async () => {
  await server.stop();
  await slapd.stop();
});

const address = () => `ldap://127.0.0.1:${slapd.port}`;
const directory = (url: string, more: object = {}) => ({
  id: 'directory',
  plugin_id: 'cd.go.authentication.ldap',
  properties: [
    { key: 'Url', value: url },
    { key: 'SearchBases', value: SUFFIX },
    { key: 'UserLoginFilter', value: '(uid={0})' },
  ],
  ...more,
});
const me = (login: string, password: string) => server.get('/api/current_user', { as: basic(login, password) });

test('only known users may log in where the configuration says so; otherwise all users of the directory', async () => {
  const known = directory(address(), { allow_only_known_users_to_login: true });
  assert.equal((await server.post(AUTH_CONFIGS, known)).status, 200);
  assert.equal((await me('alice', 'wonderland')).json.message, 'Please ask the administrator to add you to Slipway.');
  assert.equal((await server.put(`${AUTH_CONFIGS}/directory`, directory(address()), '*')).status, 200);
  const { status, json } = await me('alice', 'wonderland');
  assert.equal(status, 200);
  assert.deepEqual([json.login_name, json.display_name, json.email], ['alice', 'Alice Liddell', 'alice@example.org']);
  assert.equal((await me('alice', 'wrong')).status, 401);
  assert.equal((await me('alice', '')).status, 401);
});

test('a token of a directory user works, and the connection can be tried out', async () => {
  const as = basic('alice', 'wonderland');
  const { json } = await server.post('/api/current_user/access_tokens', { description: 'x' }, { as });
  assert.equal((await server.get('/api/current_user', { as: `bearer ${json.token}` })).json.login_name, 'alice');
  const check = '/api/admin/internal/security/auth_configs/verify_connection';
  assert.equal((await server.post(check, directory(address()))).json.status, 'success');
  assert.equal((await server.post(check, directory('ldap://127.0.0.1:1'))).json.status, 'failure');
});

test('a browser of a directory user logs in, and stays logged in until the directory knows them no more', async () => {
  const browser = new Browser(server);
  assert.equal((await browser.logIn('alice', 'wonderland')).json.display_name, 'Alice Liddell');
  assert.equal((await browser.get('/api/session')).json.login_name, 'alice');
  const noMatch = { properties: [...directory(address()).properties.slice(0, 2), { key: 'UserLoginFilter', value: '(&(uid={0})(sn=x))' }] };
  accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(address(), noMatch), '*'));
  assert.equal((await browser.get('/api/session')).status, 401);
  accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory('ldap://127.0.0.1:1'), '*'));
  assert.equal((await browser.get('/api/session')).status, 503);
  accepted(await server.put(`${AUTH_CONFIGS}/directory`, directory(address()), '*'));
  accepted(await browser.get('/api/session'));
});

test('the directory identifies the user, but the rules for login names still apply', async () => {
  const unseen = await me('carol\u200b', 'unseen');
  assert.equal(unseen.status, 401);
  assert.match(
    unseen.json.message,
    /^You cannot log in here\. The login name 'carol\\u\{200b\}' must not hold .* Please ask your administrator\.$/,
  );
  const lookAlike = await me('\u0430lice', 'looking-glass');
  assert.equal(lookAlike.status, 401);
  assert.match(lookAlike.json.message, /^You cannot log in here: another user has a login name that looks the same\./);
  for (const typed of ['zoe\u0308', 'zo\u00eb']) assert.equal((await me(typed, 'decomposed')).json.login_name, 'zo\u00eb', typed);
  const logins = (await server.get('/api/users')).json._embedded.users.map((user: { login_name: string }) => user.login_name);
  assert.deepEqual(logins, ['admin', 'alice', 'zo\u00eb']);
});

test('an administrator who is logged in through the directory may remove the password file as a source', ABOUT_EMBEDDED, async () => {
  const other = await TestServer.start();
  try {
    const as = basic('alice', 'wonderland');
    accepted(await other.post(AUTH_CONFIGS, directory(address())));
    accepted(await other.get('/api/current_user', { as }));
    accepted(await other.put('/api/admin/security/system_admins', { users: ['admin', 'alice'], roles: [] }, '*'));
    assert.equal((await other.delete(`${AUTH_CONFIGS}/password-file`)).status, 422);
    accepted(await other.delete(`${AUTH_CONFIGS}/password-file`, { as }));
    const { status, err } = await slipway(['user', 'add', 'bob', '--generate', '--data-dir', other.dataDir], {});
    assert.equal(status, 1);
    assert.match(err, /reads no password file/);
  } finally {
    await other.stop();
  }
});

test('a directory that is out of reach locks out no users of other sources', async () => {
  assert.equal((await server.put(`${AUTH_CONFIGS}/directory`, directory('ldap://127.0.0.1:1'), '*')).status, 200);
  assert.equal((await me('alice', 'wonderland')).status, 401);
  assert.equal((await server.get('/api/current_user')).json.login_name, 'admin');
});
