// The commands about users and tokens, on the data directory of a running server and through it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { accepted, givePassword } from '../support/requests/callers.ts';
import { slipway, type Terminal } from '../support/server/command-line.ts';
import { ADMIN_PASSWORD, basic, TestServer } from '../support/server/server.ts';

const PASSWORD = 'a long password';
const AUTH_CONFIG = '/api/admin/security/auth_configs/password-file';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const locally = () => ({ SLIPWAY_DATA_DIR: server.dataDir });
const remotely = () => ({ SLIPWAY_URL: server.url, SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD });
const run = (text: string, terminal: Terminal = {}) => slipway(text.split(' '), { environment: locally(), ...terminal });
const lets = async (login: string, password: string) =>
  (await server.get('/api/current_user', { as: basic(login, password) })).status === 200;

describe('user add', ABOUT_EMBEDDED, () => {
  test('adds a user with the password that was typed twice', async () => {
    const { status, out, err } = await run('user add alice', { typed: [PASSWORD, PASSWORD] });
    assert.deepEqual([status, out], [0, ''], err);
    assert.match(err, /^New password of alice: \nOnce more: \nalice can log in\. A hash of the password is in .*password\.properties\.\n$/);
    assert.ok(!err.includes(PASSWORD));
    assert.ok(await lets('alice', PASSWORD));
  });

  test('reads a password from standard input, and generates one', async () => {
    assert.equal((await run('user add bob --stdin', { input: `${PASSWORD}\n` })).status, 0);
    assert.ok(await lets('bob', PASSWORD));
    const { status, out } = await run('user add carol --generate');
    assert.equal(status, 0);
    assert.match(out, /^[\w-]{20}\n$/);
    assert.ok(await lets('carol', out.trim()));
  });

  test('makes the user known to the server, when it is named', async () => {
    const { status, err } = await run('user add dora --generate --email dora@example.org', {
      environment: { ...locally(), ...remotely() },
    });
    assert.equal(status, 0, err);
    assert.equal(accepted(await server.get('/api/users/dora')).json.email, 'dora@example.org');
    const known = await run('user add erik --no-password', { environment: remotely() });
    assert.equal(known.status, 0, known.err);
    assert.match(known.err, /knows erik now\. erik can log in with the password of an authorization configuration/);
    assert.equal((await server.get('/api/users/erik')).status, 200);
    assert.ok(!readFileSync(join(server.dataDir, 'password.properties'), 'utf8').includes('erik'));
    assert.match((await run('user add erik --no-password', { environment: remotely() })).err, /knows erik already/);
    assert.equal((await run('user add erik --generate', { environment: { ...locally(), ...remotely() } })).status, 0);
  });

  test('asks for the password of the login first, where there is none', async () => {
    const environment = { ...locally(), SLIPWAY_URL: server.url };
    const { status, err } = await run('user add frida --user admin', { environment, typed: [ADMIN_PASSWORD, PASSWORD, PASSWORD] });
    assert.match(err, /^Password of admin: \nNew password of frida: \nOnce more: \nfrida can log in/);
    assert.equal(status, 0);
    assert.equal((await server.get('/api/users/frida')).status, 200);
  });

  test('where only known users may log in, the server must be informed', async () => {
    const { json, etag } = await server.get(AUTH_CONFIG);
    const change = async (allow: boolean, tag: string) =>
      accepted(await server.put(AUTH_CONFIG, { ...json, allow_only_known_users_to_login: allow }, tag)).etag!;
    const strict = await change(true, etag!);
    assert.match((await run('user add gert --generate')).err, /lets in only users it knows: give --url/);
    const { status, out } = await run('user add gert --generate', { environment: { ...locally(), ...remotely() } });
    assert.equal(status, 0);
    assert.ok(await lets('gert', out.trim()));
    await change(false, strict);
  });

  test('a refused user or password changes nothing', async () => {
    const file = () => readFileSync(join(server.dataDir, 'password.properties'), 'utf8');
    const earlier = file();
    const elsewhere = mkdtempSync(join(tmpdir(), 'slipway-users-test-'));
    for (const [text, message, terminal] of [
      ['user add ALICE --generate', /ALICE is in .*password\.properties already\. Use user passwd/],
      ['user add a:b --generate', /must not hold a colon/],
      ['user add #a --generate', /must not begin with #/],
      ['user add a\u200bb --generate', /control characters or invisible ones/],
      ['user add hugo --stdin', /too short/, { input: 'short' }],
      ['user add hugo --stdin', /at most 72 bytes/, { input: 'x'.repeat(73) }],
      ['user add hugo --stdin', /control characters/, { input: 'first line\nsecond line\n' }],
      ['user add hugo', /differ\. Nothing was changed/, { typed: [PASSWORD, `${PASSWORD}!`] }],
      ['user add hugo', /Cancelled/, { typed: ['abc\u0003'] }],
      [`user add hugo --generate --data-dir ${elsewhere}`, /There is no server in the data directory/],
    ] as const) {
      const { status, err, out } = await run(text, terminal);
      assert.deepEqual([status, out], [1, ''], text);
      assert.match(err, message);
    }
    assert.equal(file(), earlier);
    rmSync(elsewhere, { recursive: true });
  });

  test('wrong arguments end with 2', async () => {
    for (const [text, message] of [
      ['user add', /NAME is missing: the login name/],
      ['user add hugo', /no terminal .* --stdin or --generate/],
      ['user add hugo --generate --stdin', /not both/],
      ['user add hugo --no-password', /give --url, too/],
      ['user add hugo --email a@b', /give --url, too/],
      ['user add hugo --password secret', /log in to a server: give --url, too\. The password of the new user is asked for/],
      ['user add hugo --pasword x', /Unknown option --pasword\. Did you mean --password\?/],
    ] as const) {
      const { status, err } = await run(text);
      assert.equal(status, 2, err);
      assert.match(err, message);
    }
  });
});

describe('user passwd', ABOUT_EMBEDDED, () => {
  test('changes the password at once', async () => {
    givePassword(server, 'ines', { password: 'older password' });
    assert.ok(await lets('ines', 'older password'));
    assert.equal((await run('user passwd INES --stdin', { input: PASSWORD })).status, 0);
    assert.ok(await lets('ines', PASSWORD));
    assert.ok(!(await lets('ines', 'older password')));
  });

  test('an unknown user gets no password', async () => {
    const { status, err } = await run('user passwd alise --generate');
    assert.equal(status, 1);
    assert.match(err, /There is no user alise in .*\. Did you mean alice\?/);
    assert.match((await run('user passwd zacharias --generate')).err, /Add them with user add\./);
  });
});

test('user disable locks a user out, and user enable lets them in again', ABOUT_EMBEDDED, async () => {
  const as = givePassword(server, 'jan');
  accepted(await server.get('/api/current_user', { as }));
  const through = (text: string) => run(text, { environment: remotely() });
  assert.deepEqual(
    [(await through('user disable jan')).out, (await server.get('/api/current_user', { as })).status],
    ['jan is disabled.\n', 401],
  );
  assert.deepEqual(
    [(await through('user enable jan')).out, (await server.get('/api/current_user', { as })).status],
    ['jan is enabled.\n', 200],
  );
  const unknown = await through('user disable jann');
  assert.deepEqual([unknown.status, unknown.err], [1, `${server.url} does not know jann. Did you mean jan?\n`]);
  const last = await through('user disable admin');
  assert.equal(last.status, 1);
  assert.match(last.err, /refused: .*admin/);
});

describe('token create', () => {
  test('prints the token and nothing else', async () => {
    const { status, out, err } = await run('token create --description nightly', { environment: remotely() });
    assert.deepEqual([status, err], [0, '']);
    const [token] = /^[0-9a-f]{40}(?=\n$)/.exec(out)!;
    assert.equal((await server.get('/api/current_user', { as: `bearer ${token}` })).json.login_name, 'admin');
    const { json } = await server.get('/api/current_user/access_tokens');
    assert.equal(json._embedded.access_tokens.at(-1).description, 'nightly');
    const whole = JSON.parse((await run('token create --json', { environment: remotely() })).out);
    assert.match(whole.token, /^[0-9a-f]{40}$/);
    assert.match(whole.description, /^slipway token create on ./);
  });

  test('limits the token as the API does', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const limits = `--expires-at ${year}-01-31 --scope pipelines:operate:build-* --scope agents:view:* --allowed-address 10.0.0.0/8`;
    const { status, out, err } = await run(`token create --json ${limits} --allowed-address 127.0.0.1`, { environment: remotely() });
    assert.deepEqual([status, err], [0, '']);
    const { token, expires_at, scopes, allowed_addresses } = JSON.parse(out);
    assert.equal(new Date(expires_at).toISOString(), `${year}-01-31T00:00:00.000Z`);
    assert.deepEqual(
      [scopes, allowed_addresses],
      [
        ['pipelines:operate:build-*', 'agents:view:*'],
        ['10.0.0.0/8', '127.0.0.1'],
      ],
    );
    assert.equal((await server.get('/api/agents', { as: `bearer ${token}` })).status, 200);
    assert.equal((await server.get('/api/admin/environments', { as: `bearer ${token}` })).status, 403);
  });

  test('refuses a wrong limit with the reason', async () => {
    const refused = async (text: string) => run(`token create ${text}`, { environment: remotely() });
    const unreadable = await refused('--expires-at tomorrow');
    assert.equal(unreadable.status, 2);
    assert.match(unreadable.err, /^--expires-at must be a time such as 2027-01-31T02:30:00Z, not 'tomorrow'\.\n/);
    for (const [text, message] of [
      ['--expires-at 2001-01-31', /expires_at/],
      ['--scope pipelines:run:*', /scopes.*pipelines:run:\*/],
      ['--allowed-address nowhere', /allowed_addresses.*nowhere/],
    ] as const) {
      const { status, out, err } = await refused(text);
      assert.deepEqual([status, out], [1, ''], text);
      assert.match(err, message);
    }
  });

  test('needs a password', async () => {
    const byToken = await run('token create', { environment: { ...remotely(), SLIPWAY_TOKEN: 'x' } });
    assert.equal(byToken.status, 2);
    assert.match(byToken.err, /cannot create another one/);
    const anonymous = await run('token create', { environment: { SLIPWAY_URL: server.url } });
    assert.match(anonymous.err, /^Log in with --user \(SLIPWAY_USER\) and a password\.\n/);
    assert.match((await run('token create --token x')).err, /^Unknown option --token\./);
    assert.doesNotMatch((await run('token create --help')).out, /--token/);
    const unasked = await run('token create --user admin', { environment: { SLIPWAY_URL: server.url } });
    assert.deepEqual(
      [unasked.status, unasked.err.split('\n')[0]],
      [2, 'There is no terminal to ask for the password of admin: set SLIPWAY_PASSWORD.'],
    );
    const empty = await run('token create --user admin', { environment: { SLIPWAY_URL: server.url }, typed: [''] });
    assert.deepEqual([empty.status, empty.err], [1, 'Password of admin: \nCancelled: the password is empty.\n']);
    const wrong = await run('token create', { environment: { ...remotely(), SLIPWAY_PASSWORD: 'wrong' } });
    assert.deepEqual([wrong.status, wrong.err], [1, `Login to ${server.url} failed: the user name or the password is wrong.\n`]);
  });
});
