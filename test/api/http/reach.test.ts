// A server as it is started without any settings: the addresses it connects to for users, kind by kind.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sha256 } from '../../../src/kit/bytes/hash.ts';
import { ConfigRepoServer } from '../../config-repos/support/config-repo-server.ts';
import { SECRET as WEBHOOK_SECRET } from '../../events/receiver.ts';
import { startGitHttp } from '../../materials/support/git-http.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { SmtpTestServer } from '../../support/services/smtp.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';
import { until } from '../../support/until.ts';
import { git, PATH, pipeline } from '../pipelines/bodies.ts';

const THIS_MACHINE =
  /(?:is|leads to) the machine of the server itself\. The server connects there only when it is started with --allow-loopback\./;
const NEVER = /(?:is|leads to) a link-local address, or one of the metadata service of a cloud/;
const METADATA = ['http://169.254.169.254', 'http://[::ffff:169.254.169.254]', 'http://0xa9fea9fe', 'http://2852039166'];
const SECRET = 'only this machine may read this';
const lab = new Lab();
let server: TestServer;
let jane: string;
let inside: WebServer;
let repository: WebServer;

before(async () => {
  const root = lab.newPath('served');
  mkdirSync(root);
  await (await GitOrigin.make(join(root, 'app'))).commit('one', { 'a.txt': 'a' });
  repository = await startGitHttp({ root });
  inside = await startWebServer((_, response) => void response.end(JSON.stringify({ version: SECRET, 'dist-tags': { latest: SECRET } })));
  server = await TestServer.start({ 'allow-loopback': 'false' });
  jane = await addUser(server, 'jane');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization: { admins: { users: ['jane'] } } }));
});
after(async () => {
  await server.stop();
  await inside.stop();
  await repository.stop();
  lab.remove();
});

const failureOf = (what: string) =>
  until(`the failure of ${what}`, async () =>
    (await server.get('/api/server_health_messages')).json.find(({ message }: { message: string }) => message.includes(what)),
  );
const poll = (fingerprint: string) =>
  server.ask('POST', `/api/internal/materials/${fingerprint}/trigger_update`, { headers: { 'X-Svc-Confirm': 'true' } });

describe('a group administrator', () => {
  const settings = (id: string, values: Readonly<Record<string, string>>) => ({
    plugin_metadata: { id, version: '1.0.0' },
    configuration: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  const packageRepository = (url: string, plugin: string) => ({
    repo_id: 'r',
    name: 'r',
    ...settings(plugin, { REPO_URL: url, ...(plugin.endsWith('debian') && { SUITE: 'stable' }) }),
  });

  for (const plugin of ['slipway.package.npm', 'slipway.package.debian', 'slipway.package.http-json'])
    test(`a group administrator reads nothing of this machine through ${plugin}`, async () => {
      const check = async (url: string) =>
        (await server.post('/api/admin/internal/repositories/verify_connection', packageRepository(url, plugin), { as: jane })).json
          .message;
      assert.match(await check(inside.url), THIS_MACHINE);
      assert.match(await check(inside.url.replace('127.0.0.1', 'localhost')), THIS_MACHINE);
      for (const url of METADATA) assert.match(await check(url), NEVER, url);
    });

  test('a group administrator reads nothing of this machine by trying out or polling a package', async () => {
    accepted(await server.post('/api/admin/repositories', packageRepository(inside.url, 'slipway.package.http-json'), { as: jane }));
    const one = {
      id: 'pkg',
      name: 'pkg',
      package_repo: { id: 'r' },
      configuration: [
        { key: 'PACKAGE_PATH', value: 'x' },
        { key: 'REVISION_POINTER', value: '/version' },
      ],
    };
    const tried = await server.post('/api/admin/internal/packages/verify_connection', one, { as: jane });
    assert.match(tried.json.message, THIS_MACHINE);
    accepted(await server.post('/api/admin/packages', one, { as: jane }));
    const materials = [{ type: 'package', attributes: { ref: 'pkg' } }];
    accepted(await server.post(PATH, { group: 'g', pipeline: pipeline('packages', { materials }) }, { as: jane }));
    const listed = accepted(await server.get('/api/config/materials')).json._embedded.materials;
    await poll(listed.find(({ type }: { type: string }) => type === 'package').fingerprint);
    const { detail } = await failureOf('Package');
    assert.match(detail, THIS_MACHINE);
    assert.deepEqual(inside.requests, []);
  });

  test('a group administrator reads nothing of this machine through an SCM', async () => {
    const scm = (url: string) => ({ id: 's', name: 's', ...settings('git-path', { url, path: 'x' }) });
    const check = async (url: string) =>
      (await server.post('/api/admin/internal/scms/verify_connection', scm(url), { as: jane })).json.message;
    assert.match(await check(`${repository.url}/app`), THIS_MACHINE);
    for (const url of METADATA) assert.match(await check(`${url}/x`), NEVER, url);
    assert.deepEqual(repository.requests, []);
  });

  test('a group administrator reads nothing of this machine through a material', async () => {
    const url = `${repository.url}/app`;
    const materials = [git({ url, branch: 'main' })];
    accepted(await server.post(PATH, { group: 'g', pipeline: pipeline('materials', { materials }) }, { as: jane }));
    await poll(sha256(`type=GitMaterial<|>url=${url}<|>branch=main`));
    const { detail } = await failureOf(url);
    assert.match(detail, THIS_MACHINE);
    assert.deepEqual(repository.requests, []);
  });
});

describe('an administrator', () => {
  test('an administrator has no config repo on this machine', async () => {
    const repos = new ConfigRepoServer(server);
    await repos.add('here', `${repository.url}/definitions`);
    await repos.update('here');
    assert.match((await failureOf('/definitions')).detail, THIS_MACHINE);
    assert.deepEqual(repository.requests, []);
  });

  test('an administrator has webhooks on this machine only by the setting for webhooks', async () => {
    const reply = await server.post('/api/admin/webhooks', { id: 'w', url: inside.url, secret: WEBHOOK_SECRET });
    assert.match(reply.json.data.errors.url[0], /--allow-private-webhooks/);
    const allowing = await TestServer.start({ 'allow-loopback': 'false', 'allow-private-webhooks': 'true' });
    try {
      accepted(await allowing.post('/api/admin/webhooks', { id: 'w', url: inside.url, secret: WEBHOOK_SECRET }));
      assert.equal((await allowing.post('/api/admin/webhooks/w/test', {})).json.status, 200);
    } finally {
      await allowing.stop();
    }
    const loopbackOnly = await TestServer.start();
    try {
      assert.equal((await loopbackOnly.post('/api/admin/webhooks', { id: 'w', url: inside.url, secret: WEBHOOK_SECRET })).status, 422);
    } finally {
      await loopbackOnly.stop();
    }
  });

  test('an administrator may use a mail server on this machine, but none at a link-local address', async () => {
    const smtp = await SmtpTestServer.start();
    try {
      const send = (hostname: string) =>
        server.post('/api/config/mailserver/test', {
          hostname,
          port: smtp.port,
          tls: false,
          sender_email: 'cd@example.org',
          admin_email: 'ops@example.org',
        });
      assert.equal((await send('127.0.0.1')).status, 200);
      assert.equal((await send('169.254.169.254')).status, 406);
      assert.match(server.log, NEVER);
    } finally {
      await smtp.stop();
    }
  });

  test('an administrator has no LDAP directory at a link-local address', async () => {
    const { status, json } = await server.post('/api/admin/internal/security/auth_configs/verify_connection', {
      id: 'ldap',
      plugin_id: 'cd.go.authentication.ldap',
      properties: Object.entries({ Url: 'ldap://169.254.169.254', SearchBases: 'dc=x', UserLoginFilter: '(uid={0})' }).map(
        ([key, value]) => ({
          key,
          value,
        }),
      ),
    });
    assert.equal(status, 422);
    assert.match(json.message, NEVER);
  });
});

test('repositories on this machine are asked if a setting allows it', async () => {
  const open = await TestServer.start({ 'allow-loopback': 'true' });
  try {
    const body = {
      repo_id: 'r',
      name: 'r',
      plugin_metadata: { id: 'slipway.package.http-json', version: '1.0.0' },
      configuration: [{ key: 'REPO_URL', value: inside.url }],
    };
    assert.equal(
      (await open.post('/api/admin/internal/repositories/verify_connection', body)).json.message,
      'Connection OK. The server answers.',
    );
  } finally {
    await open.stop();
  }
});
