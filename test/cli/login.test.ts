// The commands `login`, `logout` and `context`: which server a command works on, and the file with its token.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { targetOf } from '../../src/cli/terminal/target.ts';
import { accepted } from '../support/requests/callers.ts';
import { slipway, type Terminal } from '../support/server/command-line.ts';
import { ADMIN_PASSWORD, TestServer } from '../support/server/server.ts';
import { makeCertificates } from '../support/services/certificates.ts';

let server: TestServer;
let home: string;
before(async () => {
  server = await TestServer.start();
  home = mkdtempSync(join(tmpdir(), 'slipway-login-test-'));
});
after(async () => {
  await server.stop();
  rmSync(home, { recursive: true });
});

const file = () => join(home, '.config', 'slipway', 'contexts.json');
const kept = () => JSON.parse(readFileSync(file(), 'utf8'));
const run = (text: string, terminal: Terminal = {}) =>
  slipway(text.split(' '), { ...terminal, directory: home, environment: { HOME: home, ...terminal.environment } });
const tokens = async () => accepted(await server.get('/api/current_user/access_tokens')).json._embedded.access_tokens;

async function expect(status: number, text: string, terminal?: Terminal) {
  const ending = await run(text, terminal);
  assert.equal(ending.status, status, `${text}\n${ending.out}\n${ending.err}`);
  return ending;
}

describe('login', () => {
  test('asks for user and password, and keeps a token that only the user can read', async () => {
    const { out, err } = await expect(0, `login ${server.url}/`, { typed: ['admin', ADMIN_PASSWORD] });
    const { host } = new URL(server.url);
    assert.equal(out, `Logged in to ${server.url} as admin. The context ${host} is the current one now, kept in ${file()}.\n`);
    assert.equal(err, `User of ${server.url}: Password of admin: \n`);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(join(home, '.config', 'slipway')).mode & 0o777, 0o700);
    const { token, token_id: id, url } = kept().contexts[host];
    assert.equal(url, server.url);
    assert.doesNotMatch(readFileSync(file(), 'utf8'), new RegExp(ADMIN_PASSWORD));
    const [created] = await tokens();
    assert.equal(created.id, id);
    assert.match(created.description, /^slipway CLI on ./);
    assert.ok(!out.includes(token));
    await expect(0, 'agents');
  });

  test('makes a new token the second time, and revokes the one before', async () => {
    const { host } = new URL(server.url);
    const before = kept().contexts[host];
    const { err } = await expect(0, 'login', { environment: { SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD } });
    assert.equal(err, '');
    assert.notEqual(kept().contexts[host].token_id, before.token_id);
    assert.deepEqual(
      (await tokens()).map(({ id }: { id: number }) => id),
      [kept().contexts[host].token_id],
    );
  });

  test('takes an existing token', async () => {
    const { token } = accepted(await server.post('/api/current_user/access_tokens', { description: 'mine' })).json;
    await expect(0, `login ${server.url} --context other --token-stdin`, { input: `${token}\n` });
    assert.deepEqual(kept().contexts.other, { url: server.url, user: 'admin', token });
    assert.equal(kept().current, 'other');
    assert.match((await expect(4, `login ${server.url} --token abc`)).err, /Login to .* failed: the access token is wrong\./);
  });

  test('wrong arguments and failed logins change nothing', async () => {
    const earlier = readFileSync(file(), 'utf8');
    for (const [status, text, message] of [
      [2, 'login ftp://x --user u', /must be an address/],
      [2, 'login http://127.0.0.1:1 --token a --user b', /leave --user out/],
      [2, 'login http://127.0.0.1:1', /Give --user, or --token-stdin/],
      [2, 'login http://127.0.0.1:1 --context -x', /needs a value/],
      [2, 'login http://127.0.0.1:1 --context a/b', /cannot name a context/],
      [2, 'login http://127.0.0.1:1 --token-stdin', /holds no token/],
      [6, 'login http://127.0.0.1:1 --user u --password p', /cannot be reached/],
      [4, `login ${server.url} --user admin --password wrong`, /the user name or the password is wrong/],
    ] as const) {
      assert.match((await expect(status, text)).err, message);
    }
    assert.equal(readFileSync(file(), 'utf8'), earlier);
  });
});

describe('a context', () => {
  test('is listed, used, renamed, and shown without its token', async () => {
    const { host } = new URL(server.url);
    await expect(0, `context rename ${host} lab`);
    await expect(0, 'context use lab');
    assert.equal((await expect(0, 'context current')).out, 'lab\n');
    assert.equal(
      (await expect(0, 'context list')).out,
      `CURRENT  NAME   URL${' '.repeat(server.url.length - 1)}USER\n*        lab    ${server.url}  admin\n-        other  ${server.url}  admin\n`,
    );
    const listed = JSON.parse((await expect(0, 'context list -o json')).out);
    assert.deepEqual(listed[0], { name: 'lab', url: server.url, user: 'admin', is_current: true });
    assert.equal((await expect(0, 'context list -o name')).out, 'lab\nother\n');
    assert.match((await expect(2, 'context use lap')).err, /There is no context lap\. Did you mean lab\?/);
    assert.match((await expect(2, 'context rename lab other')).err, /There is a context other already/);
  });

  test('counts after options and variables, and never takes a login of the environment', async () => {
    const url = 'http://127.0.0.1:1';
    await expect(0, 'agents --context other');
    await expect(0, 'agents', { environment: { SLIPWAY_CONTEXT: 'other', SLIPWAY_TOKEN: 'of-another-server' } });
    assert.match((await expect(1, `agents --url ${url} --token x`)).err, /cannot be reached/);
    assert.match((await expect(1, 'agents', { environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'x' } })).err, /cannot be reached/);
    assert.match((await expect(2, `agents --url ${url}`)).err, /needs a login/);
    assert.match((await expect(2, `agents --url ${url} --context lab`)).err, /not both/);
    const both = { environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'x', SLIPWAY_CONTEXT: 'lab' } };
    assert.match((await expect(2, 'agents', both)).err, /SLIPWAY_URL and SLIPWAY_CONTEXT both name a server/);
    assert.match((await expect(2, 'agents --context nope')).err, /There is no context nope/);
    const prompted = await expect(1, 'agents --user admin', { typed: ['wrong'] });
    assert.match(prompted.err, /^Password of admin: \nLogin to .* failed/);
  });

  test('a current context does not count for a command that works on a data directory', () => {
    const values = { 'data-dir': undefined, url: undefined, token: undefined, user: undefined, password: undefined };
    const target = (more: object, environment = {}) =>
      targetOf({ ...values, ...more }, { environment: { HOME: home, ...environment }, directory: home });
    assert.deepEqual(Object.keys(target({})), ['dataDir']);
    for (const found of [target({ context: 'lab' }), target({}, { SLIPWAY_CONTEXT: 'lab' })])
      assert.ok('url' in found && found.url === server.url);
    assert.throws(() => target({ context: 'lab', 'data-dir': 'x' }), /Give --context or --data-dir, not both/);
  });

  test('a context whose file others can read, or that is not whole, is refused', async () => {
    chmodSync(file(), 0o640);
    assert.match((await expect(1, 'context list')).err, /is open to others \(mode 0640\).*chmod 600/);
    assert.match((await expect(1, 'agents')).err, /is open to others/);
    chmodSync(file(), 0o600);
    const whole = readFileSync(file(), 'utf8');
    for (const broken of ['{', '[]', '{"version":1,"contexts":{"a":{"url":1}}}', '{"version":1,"contexts":[]}']) {
      writeFileSync(file(), broken);
      assert.match((await expect(1, 'context list')).err, /is not as Slipway wrote it/);
    }
    writeFileSync(file(), '{"version":9}');
    assert.match((await expect(1, 'context list')).err, /another version/);
    writeFileSync(file(), whole);
  });

  test('keeps the authority of its server', async () => {
    const certificates = await makeCertificates();
    const trusted = getCACertificates('default');
    const proxy = createServer(certificates, async ({ url, method, headers }, response) => {
      const answer = await server.ask(method ?? 'GET', url ?? '/', { as: headers.authorization ?? '' });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    try {
      const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const { token } = kept().contexts.lab;
      const login = `login ${url} --context tls --token-stdin`;
      assert.match((await expect(6, login, { input: token })).err, /give it as --ca-file/);
      writeFileSync(join(home, 'no.pem'), 'nothing');
      assert.match((await expect(1, `${login} --ca-file no.pem`, { input: token })).err, /no\.pem holds no certificate/);
      assert.match((await expect(1, `${login} --ca-file none.pem`, { input: token })).err, /none\.pem cannot be read/);
      await expect(0, `${login} --ca-file ${certificates.caFile}`, { input: token });
      assert.equal(kept().contexts.tls.ca_file, certificates.caFile);
      await expect(0, 'agents --context tls');
      await expect(0, 'context delete tls');
    } finally {
      setDefaultCACertificates(trusted);
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
      await certificates.remove();
    }
  });
});

describe('logout', () => {
  test('revokes the token that login has created, and forgets it', async () => {
    const { token } = kept().contexts.lab;
    assert.match((await expect(0, 'logout --context lab')).out, /^Logged out of .* The access token is revoked\.\n$/);
    assert.equal((await server.get('/api/current_user', { as: `bearer ${token}` })).status, 401);
    assert.deepEqual(Object.keys(kept().contexts), ['other']);
  });

  test('leaves a token valid that login did not create', async () => {
    const { token } = kept().contexts.other;
    await expect(0, 'context use other');
    assert.match((await expect(0, 'logout')).out, /still valid/);
    accepted(await server.get('/api/current_user', { as: `bearer ${token}` }));
    assert.match((await expect(2, 'logout')).err, /No context is current/);
    assert.equal((await expect(3, 'context current')).err, 'No context is current.\n');
  });

  test('a logout from a server that is away needs to be forced', async () => {
    const context = { url: 'http://127.0.0.1:1', user: 'u', token: 't', token_id: 1 };
    writeFileSync(file(), JSON.stringify({ version: 1, current: 'gone', contexts: { gone: context } }));
    assert.match((await expect(6, 'logout')).err, /could not be revoked.*\n.*npm run slipway -- logout --force/);
    await expect(0, 'logout --force');
    assert.deepEqual(kept().contexts, {});
  });

  test('a token may revoke itself, and no other token', async () => {
    const create = async () => accepted(await server.post('/api/current_user/access_tokens', { description: 'x' })).json;
    const [one, other] = [await create(), await create()];
    const revoke = (id: number) => server.post(`/api/current_user/access_tokens/${id}/revoke`, {}, { as: `bearer ${one.token}` });
    assert.equal((await revoke(other.id)).status, 403);
    assert.equal((await server.post(`/api/admin/access_tokens/${one.id}/revoke`, {}, { as: `bearer ${one.token}` })).status, 403);
    accepted(await revoke(one.id));
    assert.equal((await revoke(one.id)).status, 401);
  });
});

test('logins and logouts at the same moment are all kept', async () => {
  const names = ['east', 'west', 'north', 'south'];
  const password = { environment: { SLIPWAY_USER: 'admin', SLIPWAY_PASSWORD: ADMIN_PASSWORD } };
  await Promise.all(names.map((name) => expect(0, `login ${server.url} --context ${name}`, password)));
  assert.deepEqual(Object.keys(kept().contexts).sort(), names.toSorted());
  await Promise.all(names.map((name) => expect(0, `logout --context ${name}`)));
  assert.deepEqual(kept().contexts, {});
});

test('logins are neither kept nor looked for without a home directory', async () => {
  const nowhere = { environment: { HOME: '' } };
  assert.match((await expect(2, 'agents', nowhere)).err, /Log in with npm run slipway -- login URL, or name the server with --url/);
  const { token } = accepted(await server.post('/api/current_user/access_tokens', { description: 'x' })).json;
  assert.match((await expect(1, `login ${server.url} --token ${token}`, nowhere)).err, /set HOME or XDG_CONFIG_HOME/);
});
