// Repositories of pipelines and config repos, tried out before they are saved.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';
import { until } from '../../support/until.ts';

const OF_PIPELINES = '/api/admin/internal/pipelines/verify_connection';
const OF_CONFIG_REPOS = '/api/admin/internal/config_repos/verify_connection';
const SECRET = 'hush-hush';

const lab = new Lab();
let server: TestServer;
let origin: GitOrigin;
let scm: WebServer;
const authorizations: (string | undefined)[] = [];
before(async () => {
  server = await TestServer.start({ 'local-repositories': '' });
  origin = await GitOrigin.make(join(lab.directory, 'origin'));
  await origin.commit('first');
  scm = await startWebServer(({ headers }, response) => {
    authorizations.push(headers.authorization);
    response.writeHead(headers.authorization === undefined ? 401 : 404, { 'WWW-Authenticate': 'Basic realm="scm"' }).end();
  });
});
after(async () => {
  await server.stop();
  await scm.stop();
  lab.remove();
});

const git = (more: object = {}) => ({ type: 'git', attributes: { url: origin.path, branch: 'main', ...more } });
const ofPipeline = (material: object, more: object = {}) => server.post(OF_PIPELINES, { group: 'shop', material, ...more });

describe('a repository', () => {
  test('a repository that answers passes the check', async () => {
    for (const { status, json } of [await ofPipeline(git()), await server.post(OF_CONFIG_REPOS, { material: git() })])
      assert.deepEqual([status, json], [200, { message: 'Connection OK.' }]);
  });

  test('a missing repository or branch fails the check', async () => {
    for (const material of [git({ url: `${origin.path}-gone` }), git({ branch: 'no-such-branch' })]) {
      const { status, json } = await ofPipeline(material);
      assert.equal(status, 422);
      assert.match(json.message, /^Check connection failed\. ./);
    }
  });

  test('an incomplete material is refused', async () => {
    const { status, json } = await ofPipeline(git({ url: ' ' }));
    assert.deepEqual([status, json.message], [422, 'Check connection failed. URL cannot be blank']);
    assert.equal((await ofPipeline({ type: 'dependency', attributes: { pipeline: 'a', stage: 'b' } })).status, 422);
    assert.equal((await server.post(OF_PIPELINES, { group: 'shop' })).status, 422);
  });

  test('parameters of the pipeline are replaced before the check', async () => {
    const parameters = [{ name: 'branch', value: 'main' }];
    assert.equal((await ofPipeline(git({ branch: '#{branch}' }), { parameters })).status, 200);
    assert.equal((await ofPipeline(git({ branch: '#{branch}' }), { parameters: [{ name: 'branch', value: 'gone' }] })).status, 422);
  });

  test('is not asked by a dry run', async () => {
    const { json } = await server.post(`${OF_PIPELINES}?dry_run=true`, { group: 'shop', material: git({ url: `${origin.path}-gone` }) });
    assert.match(json.message, /dry run/);
  });
});

describe('a stored password', () => {
  before(async () => {
    const attributes = { url: `${scm.url}/web.git`, branch: 'main', username: 'jez', password: SECRET };
    const body = { id: 'team-a', plugin_id: 'yaml.config.plugin', material: { type: 'git', attributes } };
    accepted(await server.post('/api/admin/config_repos', body));
  });

  test('is used where it belongs, and shown to no user', async () => {
    const { material } = accepted(await server.get('/api/admin/config_repos/team-a')).json;
    const { status, text } = await server.post(OF_CONFIG_REPOS, { id: 'team-a', material });
    assert.equal(status, 422);
    assert.ok(!text.includes(SECRET));
    assert.ok(authorizations.includes(`Basic ${Buffer.from(`jez:${SECRET}`).toString('base64')}`));
  });

  test('is not sent elsewhere', async () => {
    const { material } = accepted(await server.get('/api/admin/config_repos/team-a')).json;
    const moved = { ...material, attributes: { ...material.attributes, url: `http://localhost:1/web.git` } };
    const { status, json } = await server.post(OF_CONFIG_REPOS, { id: 'team-a', material: moved });
    assert.equal(status, 422);
    assert.match(json.message, /Encrypted (password )?value/);
  });
});

test('administrators of a group try out for their group, and not on the machine of the server', async () => {
  const as = await addUser(server, 'jane');
  const authorization = { view: {}, operate: {}, admins: { users: ['jane'], roles: [] } };
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'hers', authorization }));
  assert.equal((await server.post(OF_PIPELINES, { group: 'shop', material: git() }, { as })).status, 403);
  const { status, json } = await server.post(OF_PIPELINES, { group: 'hers', material: git() }, { as });
  assert.equal(status, 422);
  assert.match(json.message, /A path of the machine of the server/);
  assert.equal((await server.post(OF_CONFIG_REPOS, { material: git() }, { as })).status, 403);
});

test('a repository that does not answer one user does not block others, and starts few programs', async () => {
  const release = Promise.withResolvers<void>();
  const slow = await startWebServer(async (_, response) => {
    await release.promise;
    response.writeHead(404).end();
  });
  try {
    const as = await addUser(server, 'mary');
    const authorization = { view: {}, operate: {}, admins: { users: ['mary'], roles: [] } };
    accepted(await server.post('/api/admin/pipeline_groups', { name: 'slow', authorization }));
    const body = { group: 'slow', material: git({ url: `${slow.url}/web.git` }) };
    const refused: Reply[] = [];
    const requests = Array.from({ length: 12 }, async () => {
      const reply = await server.post(OF_PIPELINES, body, { as });
      if (reply.status === 429) refused.push(reply);
      return reply;
    });
    await until('a refusal', () => refused.length === 3 || slow.requests.length > 3);
    assert.ok(slow.requests.length <= 3, `${slow.requests.length} were asked at once`);
    assert.equal(refused[0]!.json.message, 'Too many connections are being tried out. Try again in a moment.');
    assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0);
    assert.equal((await ofPipeline(git())).status, 200);
    release.resolve();
    const statuses = (await Promise.all(requests)).map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(9).fill(422), ...Array(3).fill(429)]);
  } finally {
    release.resolve();
    await slow.stop();
  }
});
