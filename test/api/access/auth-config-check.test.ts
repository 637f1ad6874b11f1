// Authorization configurations at work: tried out, tried in order, broken, closed to unknown users, and deleted.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted, givePassword, startServer, tokenOf } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import { basic, type TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/security/auth_configs';
const VERIFY = '/api/admin/internal/security/auth_configs/verify_connection';
const PLUGIN = 'cd.go.authentication.passwordfile';
const FIRST = 'password-file';
const BAD_CREDENTIALS =
  'Invalid credentials. Either your username and password are incorrect, or there is a problem with your browser cookies. Please check with your administrator.';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { id } of (await server.get(PATH)).json._embedded.auth_configs)
    if (id !== FIRST) accepted(await server.delete(`${PATH}/${id}`));
  const others = (await server.get('/api/users')).json._embedded.users.filter((user: { is_admin: boolean }) => !user.is_admin);
  const users = others.map((user: { login_name: string }) => user.login_name);
  if (users.length === 0) return;
  accepted(await server.patch('/api/users/operations/state', { users, operations: { enable: false } }));
  accepted(await server.ask('DELETE', '/api/users', { body: { users } }));
});

const fileConfig = (id: string, file: string, more: object = {}) => ({
  id,
  plugin_id: PLUGIN,
  properties: [{ key: 'PasswordFilePath', value: file }],
  ...more,
});
const add = async (id: string, file: string, more: object = {}) => accepted(await server.post(PATH, fileConfig(id, file, more)));
const me = (as: string) => server.get('/api/current_user', { as });

describe('the connection check', () => {
  const verify = (body: object) => server.post(VERIFY, body);

  test('reports that a configuration works, and shows it back', async () => {
    const { json } = accepted(await verify(fileConfig('new', 'password.properties')));
    assert.deepEqual(json, {
      status: 'success',
      message: 'Connection ok',
      auth_config: {
        id: 'new',
        plugin_id: PLUGIN,
        allow_only_known_users_to_login: false,
        properties: [{ key: 'PasswordFilePath', value: 'password.properties' }],
      },
    });
    assert.equal((await server.get(`${PATH}/new`)).status, 404);
  });

  test('says why a configuration does not work', async () => {
    const missing = failed(await verify(fileConfig('new', 'nowhere')), 422, 'No password file at path `nowhere`.');
    assert.equal(missing.json.status, 'failure');
    mkdirSync(join(server.dataDir, 'folder'));
    failed(await verify(fileConfig('new', 'folder')), 422, 'Password file path `folder` is not a normal file.');
  });

  test('takes a stored configuration as it is shown, with its secret address', async () => {
    const directory = { key: 'Url', value: 'ldap://me:hush@127.0.0.1:1/' };
    const settings = [directory, { key: 'SearchBases', value: 'ou=people' }, { key: 'UserLoginFilter', value: '(uid={0})' }];
    accepted(await server.post(PATH, { id: 'stored', plugin_id: 'cd.go.authentication.ldap', properties: settings }));
    const { _links, ...shown } = (await server.get(`${PATH}/stored`)).json;
    assert.deepEqual(Object.keys(shown.properties[0]), ['key', 'encrypted_value']);
    assert.equal((await verify(shown)).json.status, 'failure', 'it gets as far as looking for the directory');
  });

  test('connects to nothing in a dry run, and still looks at the settings', async () => {
    const tried = (body: object) => server.post(`${VERIFY}?dry_run=true`, body);
    const { json, headers } = accepted(await tried(fileConfig('new', 'nowhere')));
    assert.equal(json.message, 'The connection was not tried: this is a dry run.');
    assert.equal(headers.get('x-svc-dry-run'), 'true');
    failed(await tried(fileConfig('new', '')), 422, 'Validation failed for the given Auth Config');
    assert.equal((await server.post(`${VERIFY}?dry_run=maybe`, fileConfig('new', 'nowhere'))).status, 400);
  });

  test('looks at the settings first', async () => {
    const properties = [
      { key: 'PasswordFilePath', value: '' },
      { key: 'Colour', value: 'blue' },
    ];
    const reply = failed(await verify({ id: 'new', plugin_id: PLUGIN, properties }), 422, 'Validation failed for the given Auth Config');
    assert.equal(reply.json.status, 'validation-failed');
    assert.deepEqual(
      reply.json.auth_config.properties.map((property: { errors: object }) => property.errors),
      [{ PasswordFilePath: ['PasswordFilePath must not be blank.'] }, { Colour: ['Is an unknown property'] }],
    );
    assert.equal((await verify({})).json.status, 'validation-failed');
  });

  test('cannot ask a plugin that is not installed', async () => {
    const reply = failed(await verify({ id: 'new', plugin_id: 'no.such' }), 422, 'Unable to verify connection, missing plugin: no.such');
    assert.equal(reply.json.status, 'failure');
  });

  test('a configuration without a plugin is incomplete', async () => {
    const reply = await verify({ id: 'new', plugin_id: '' });
    assert.equal(reply.json.status, 'validation-failed');
    assert.deepEqual(reply.json.auth_config.errors.plugin_id, ['Security authorization configuration cannot have a blank plugin id.']);
  });

  test('reports an unreachable directory, takes cipher text for the password, and gives neither away', async () => {
    const encrypted_value = (await server.post('/api/admin/encrypt', { value: 'hush' })).json.encrypted_value;
    for (const password of [{ value: 'hush' }, { encrypted_value }]) {
      const properties = [
        { key: 'Url', value: 'ldap://127.0.0.1:1' },
        { key: 'SearchBases', value: 'dc=example' },
        { key: 'UserLoginFilter', value: '(uid={0})' },
        { key: 'ManagerDN', value: 'cn=reader' },
        { key: 'Password', ...password },
      ];
      const reply = await verify({ id: 'new', plugin_id: 'cd.go.authentication.ldap', properties });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.status, 'failure');
      assert.match(reply.json.message, /127\.0\.0\.1:1/);
      assert.deepEqual(Object.keys(reply.json.auth_config.properties[4]), ['key', 'encrypted_value']);
      assert.ok(!reply.text.includes('hush') && !server.log.includes('hush'));
    }
  });
});

describe('several configurations', () => {
  test('are tried in the order of their creation until one knows the password', async () => {
    givePassword(server, 'jez', { password: 'one' });
    givePassword(server, 'Jez', { password: 'two', file: 'second' });
    givePassword(server, 'kim', { password: 'three', file: 'second' });
    await add('second', 'second');
    assert.equal(accepted(await me(basic('jez', 'one'))).json.display_name, 'jez');
    assert.equal(accepted(await me(basic('jez', 'two'))).json.display_name, 'Jez');
    assert.equal(accepted(await me(basic('kim', 'three'))).json.login_name, 'kim');
    failed(await me(basic('kim', 'one')), 401, BAD_CREDENTIALS);
    const order = (await server.get(PATH)).json._embedded.auth_configs.map((config: { id: string }) => config.id);
    assert.deepEqual(order, [FIRST, 'second']);
  });

  test('a broken configuration locks out no users of the others, before it or after it', async () => {
    const last = givePassword(server, 'liu', { file: 'last' });
    await add('gone', 'no-such-file');
    accepted(await server.post(PATH, { id: 'not-installed', plugin_id: 'no.such' }));
    const ldap = { Url: 'ldap://127.0.0.1:1', SearchBases: 'dc=example', UserLoginFilter: '(uid={0})' };
    const properties = Object.entries(ldap).map(([key, value]) => ({ key, value }));
    accepted(await server.post(PATH, { id: 'unreachable', plugin_id: 'cd.go.authentication.ldap', properties }));
    await add('last', 'last');
    accepted(await me(last));
    accepted(await server.get(PATH));
    failed(await me(basic('liu', 'wrong')), 401, BAD_CREDENTIALS);
    for (const id of ['gone', 'unreachable']) {
      assert.ok(
        server.lines.some((line) => line.includes('could not be asked') && line.includes(`"authConfigId":"${id}"`)),
        id,
      );
    }
  });

  test('a changed or deleted configuration counts at once, also for remembered logins', async () => {
    const mia = givePassword(server, 'mia', { file: 'second' });
    await add('second', 'second');
    accepted(await me(mia));
    accepted(await server.put(`${PATH}/second`, fileConfig('second', 'elsewhere'), '*'));
    failed(await me(mia), 401, BAD_CREDENTIALS);
    accepted(await server.put(`${PATH}/second`, fileConfig('second', 'second'), '*'));
    accepted(await me(mia));
    accepted(await server.delete(`${PATH}/second`));
    failed(await me(mia), 401, BAD_CREDENTIALS);
  });
});

describe('only known users', () => {
  test('an unknown user with the right password is sent to the administrator, and not added', async () => {
    const noa = givePassword(server, 'noa', { file: 'closed' });
    await add('closed', 'closed', { allow_only_known_users_to_login: true });
    const reply = failed(await me(noa), 401, 'Please ask the administrator to add you to Slipway.');
    assert.equal(reply.headers.get('www-authenticate'), 'Basic realm="Slipway"');
    failed(await me(basic('noa', 'wrong')), 401, BAD_CREDENTIALS);
    assert.equal((await server.get('/api/users/noa')).status, 404);
    accepted(await server.post('/api/users', { login_name: 'NOA' }));
    assert.equal(accepted(await me(noa)).json.login_name, 'NOA');
  });

  test('an unknown user becomes known by the first login if all users may log in', async () => {
    const ola = givePassword(server, 'ola', { file: 'open' });
    const { json } = await add('open', 'open');
    assert.equal(json.allow_only_known_users_to_login, false);
    accepted(await me(ola));
    assert.equal(accepted(await server.get('/api/users/ola')).json.enabled, true);
    accepted(await server.put(`${PATH}/open`, fileConfig('open', 'open', { allow_only_known_users_to_login: true }), '*'));
    accepted(await me(ola));
  });

  test('known does not mean welcome: a disabled user stays out', async () => {
    const pam = givePassword(server, 'pam', { file: 'closed' });
    await add('closed', 'closed', { allow_only_known_users_to_login: true });
    accepted(await server.post('/api/users', { login_name: 'pam', enabled: false }));
    failed(await me(pam), 401, 'Your account has been disabled by the administrator');
    accepted(await server.patch('/api/users/pam', { enabled: true }));
    accepted(await me(pam));
  });
});

describe('deleting', () => {
  const message =
    'No user could log in any more: no authorization configuration would be left whose plugin is installed and whose file exists. Create another one first.';

  test('the last configuration is refused', async () => {
    failed(await server.delete(`${PATH}/${FIRST}`), 422, message);
    failed(await server.delete(`${PATH}/${FIRST}?dry_run=true`), 422, message);
    accepted(await me(givePassword(server, 'someone')));
  });

  test('pointing the last configuration to a file that is not there is refused', async () => {
    const { json } = await server.get(`${PATH}/${FIRST}`);
    const lost = { ...json, properties: [{ key: 'PasswordFilePath', value: 'not-there.properties' }] };
    const noFile = 'The file `not-there.properties` does not exist.';
    const refused = await server.put(`${PATH}/${FIRST}`, lost, '*');
    failed(refused, 422, message.replace('exists.', `exists. ${noFile}`));
    assert.deepEqual(refused.json.data.properties, [{ ...lost.properties[0], errors: { PasswordFilePath: [noFile] } }]);
    const noPlugin = "The plugin 'nobody.knows' is not installed.";
    const other = await server.put(`${PATH}/${FIRST}`, { ...json, plugin_id: 'nobody.knows' }, '*');
    failed(other, 422, message.replace('exists.', `exists. ${noPlugin}`));
    assert.deepEqual(other.json.data.errors, { plugin_id: [noPlugin] });
    accepted(await me(givePassword(server, 'someone')));
  });

  test('the configuration of one’s own login is refused if those that are left may be out of reach', async () => {
    const unreachable = [
      ['Url', 'ldap://127.0.0.1:1'],
      ['SearchBases', 'dc=example'],
      ['UserLoginFilter', '(uid={0})'],
    ].map(([key, value]) => ({ key, value }));
    accepted(await server.post(PATH, { id: 'away', plugin_id: 'cd.go.authentication.ldap', properties: unreachable }));
    const sure =
      'You are logged in through this authorization configuration. After the change, no password file would have an enabled administrator, and whether other sources can be reached is not known. Log in through one of them and change this one then.';
    failed(await server.delete(`${PATH}/${FIRST}`), 422, sure);
    failed(
      await server.put(`${PATH}/${FIRST}`, { id: FIRST, plugin_id: 'cd.go.authentication.ldap', properties: unreachable }, '*'),
      422,
      sure,
    );
    accepted(await me(givePassword(server, 'someone')));
    accepted(await server.delete(`${PATH}/away`));
    writeFileSync(join(server.dataDir, 'empty.properties'), '# nobody\n');
    const { json } = await server.get(`${PATH}/${FIRST}`);
    for (const value of ['empty.properties', '/dev/null']) {
      failed(await server.put(`${PATH}/${FIRST}`, { ...json, properties: [{ key: 'PasswordFilePath', value }] }, '*'), 422, sure);
    }
    accepted(await server.put(`${PATH}/${FIRST}`, { ...json, allow_only_known_users_to_login: true }, '*'));
    accepted(await server.put(`${PATH}/${FIRST}`, json, '*'));
  });

  test('a configuration revokes the tokens made under it, at once and for good, and no others', async () => {
    const kept = await tokenOf(server, givePassword(server, 'quin'));
    const rex = givePassword(server, 'rex', { file: 'second' });
    await add('second', 'second');
    const lost = await tokenOf(server, rex);
    accepted(await me(lost));
    accepted(await server.delete(`${PATH}/second`));
    const [token] = (await server.get('/api/admin/access_tokens?filter=revoked')).json._embedded.access_tokens.slice(-1);
    assert.deepEqual(
      [token.username, token.revoked_by, token.revoke_cause, token.revoked_because_user_deleted],
      [
        'rex',
        'Slipway',
        "Revoked by Slipway: The authorization configuration 'second' referenced from the current access token is deleted from Slipway.",
        false,
      ],
    );
    assert.equal((await me(lost)).status, 401);
    await add('second', 'second');
    assert.match((await me(lost)).json.message, /^Invalid Personal Access Token\. Access token was revoked at: /);
    accepted(await me(kept));
  });

  test('an entry of the password file ends its tokens', async () => {
    const sue = givePassword(server, 'sue', { file: 'second' });
    await add('second', 'second');
    const token = await tokenOf(server, sue);
    accepted(await me(token));
    givePassword(server, 'somebody-else', { file: 'third' });
    accepted(await server.put(`${PATH}/second`, fileConfig('second', 'third'), '*'));
    failed(
      await me(token),
      401,
      'Invalid Personal Access Token. Access Token belonging to the user has either been disabled, removed or expired.',
    );
  });
});
