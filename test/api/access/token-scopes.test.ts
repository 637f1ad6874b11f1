// Access tokens with scopes, tried by an attacker who has found one: which routes do they open that they should not?
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { contentOf, OpenApi } from '../../support/requests/openapi.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';

const OWN_TOKENS = '/api/current_user/access_tokens';
const ENVIRONMENTS = '/api/admin/environments';
const PIPELINES = '/api/admin/pipelines';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  for (const group of ['linux', 'windows']) accepted(await server.post('/api/admin/pipeline_groups', { name: group }));
  for (const [name, group] of [
    ['build-linux', 'linux'],
    ['deploy-linux', 'linux'],
    ['build-windows', 'windows'],
  ]) {
    const pipeline = smallPipeline(name!);
    const materials = [{ type: 'git', attributes: { url: `https://example.org/${name}.git` } }];
    accepted(await server.post(PIPELINES, { group, pipeline: { ...pipeline, materials } }));
  }
  for (const name of ['dev-1', 'prod']) accepted(await server.post(ENVIRONMENTS, { name }));
  for (const id of ['a1', 'b1'])
    accepted(await server.post('/api/admin/secret_configs', { id, plugin_id: 'cd.go.secrets.file', properties: [], rules: [] }));
});
after(() => server.stop());

async function withScopes(scopes: readonly string[], as?: string): Promise<string> {
  const { json } = accepted(await server.post(OWN_TOKENS, { description: scopes.join(), scopes }, as === undefined ? {} : { as }));
  return `Bearer ${json.token}`;
}

function lacks(reply: Reply, scope: string): void {
  assert.equal(reply.status, 403, reply.text);
  assert.ok(reply.json.message.startsWith(`This access token lacks the scope ${scope}. `), reply.json.message);
}

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
const names = (members: any): string[] => members.map(({ name }: { name: string }) => name);

describe('every route', () => {
  test('needs a scope that is published, or is open to every token; the refusal of one with another scope names it', async () => {
    const as = await withScopes(['replicas:view:*']);
    const { json } = accepted(await server.get('/api/token_scopes', { as }));
    const resources = new Set<string>(names(json.resources));
    const { operations, document } = await OpenApi.of(server);
    const scopeOf = ({ path, method }: { path: string; method: string }): string | undefined =>
      document.paths[path][method.toLowerCase()]['x-token-scope'];
    const needed = new Set<string>();
    const open: string[] = [];
    for (const operation of operations) {
      const { path, method, request, permission, name } = operation;
      const scope = scopeOf(operation);
      if (permission === undefined || scope === undefined) continue;
      if (scope === 'none') {
        open.push(name);
        continue;
      }
      const [resource = '', action] = scope.split(':');
      needed.add(resource);
      assert.ok(resources.has(resource), `${name} needs the unknown resource ${resource}`);
      if (resource === 'replicas') continue;
      const address = path.replaceAll(/\{\w*counter\}/g, '1').replaceAll(/\{\w+\}/g, 'sample') + (method === 'GET' ? '' : '?dry_run=true');
      const content = request?.example === undefined ? {} : await contentOf(request);
      const reply = await server.ask(method, address, { as, ...content, headers: { 'X-Svc-Confirm': 'true', ...content.headers } });
      assert.equal(reply.status, 403, `${name}: ${reply.status} ${reply.text.slice(0, 200)}`);
      assert.match(reply.json.message, new RegExp(`^This access token lacks the scope ${RegExp.escape(`${resource}:${action}:`)}`), name);
    }
    assert.deepEqual(
      [...resources].filter((resource) => !needed.has(resource)),
      [],
    );
    // Those of sessions and access tokens refuse every token by themselves.
    assert.deepEqual(open.toSorted(), [
      'DELETE /api/admin/sessions',
      'DELETE /api/admin/sessions/{id}',
      'DELETE /api/current_user/sessions',
      'DELETE /api/current_user/sessions/{id}',
      'DELETE /api/session',
      'GET /',
      'GET /about',
      'GET /api/admin/access_tokens',
      'GET /api/admin/access_tokens/{id}',
      'GET /api/admin/service_accounts/{name}/access_tokens',
      'GET /api/admin/service_accounts/{name}/access_tokens/{id}',
      'GET /api/admin/sessions',
      'GET /api/auth/permissions',
      'GET /api/current_user',
      'GET /api/current_user/access_tokens',
      'GET /api/current_user/access_tokens/{id}',
      'GET /api/current_user/sessions',
      'GET /api/docs',
      'GET /api/docs/{chapter}',
      'GET /api/forms',
      'GET /api/forms/{resource}',
      'GET /api/live',
      'GET /api/openapi.json',
      'GET /api/session',
      'GET /api/token_scopes',
      'GET /api/version',
      'GET /is_backup_finished.json',
      'POST /api/admin/access_tokens/{id}/revoke',
      'POST /api/admin/service_accounts/{name}/access_tokens',
      'POST /api/admin/service_accounts/{name}/access_tokens/{id}/revoke',
      'POST /api/admin/service_accounts/{name}/access_tokens/{id}/rotate',
      'POST /api/current_user/access_tokens',
      'POST /api/current_user/access_tokens/{id}/revoke',
      'POST /api/current_user/access_tokens/{id}/rotate',
    ]);
  });
});

describe('a token for some pipelines', () => {
  let as: string;
  before(async () => {
    as = await withScopes(['pipelines:view:build-*']);
  });

  test('opens those, ignoring letter case, and names the scope that it lacks for others', async () => {
    assert.equal((await server.get('/api/pipelines/build-linux/status', { as })).status, 200);
    assert.equal((await server.get('/api/pipelines/BUILD-Windows/status', { as })).status, 200);
    lacks(await server.get('/api/pipelines/deploy-linux/status', { as }), 'pipelines:view:deploy-linux');
    lacks(await server.get('/api/pipelines/nonsense/status', { as }), 'pipelines:view:nonsense');
    lacks(await server.get('/api/pipelines/*/status', { as }), 'pipelines:view:*');
    lacks(await server.ask('POST', '/api/pipelines/build-linux/pause', { as, body: {} }), 'pipelines:operate:build-linux');
    lacks(await server.ask('DELETE', `${PIPELINES}/build-linux`, { as }), 'pipelines:administer:build-linux');
    lacks(await server.get(`${ENVIRONMENTS}/dev-1`, { as }), 'environments:view:dev-1');
  });

  test('shows nothing else in any list', async () => {
    const { _embedded: config } = accepted(await server.get(PIPELINES, { as })).json;
    assert.deepEqual(
      config.groups.map(({ name, pipelines }: { name: string; pipelines: { name: string }[] }) => [name, names(pipelines)]),
      [
        ['linux', ['build-linux']],
        ['windows', ['build-windows']],
      ],
    );
    const { _embedded: dashboard } = accepted(await server.get('/api/dashboard', { as })).json;
    assert.deepEqual(names(dashboard.pipelines).toSorted(), ['build-linux', 'build-windows']);
    assert.deepEqual(names(dashboard.pipeline_groups), ['linux', 'windows']);
    for (const path of [
      '/api/dashboard/rows',
      '/api/config/pipeline_groups',
      '/api/config/materials',
      '/api/internal/materials',
      '/api/feed/pipelines.xml',
      '/cctray.xml',
      `${PIPELINES}?at=100000`,
      `${PIPELINES}?fields=materials`,
      '/api/auth/permissions',
    ]) {
      const { text } = await server.get(path, { as });
      assert.ok(!text.includes('deploy-linux'), path);
    }
    const materials = accepted(await server.get('/api/config/materials', { as })).text;
    assert.ok(materials.includes('build-windows.git') && !materials.includes('prod'));
  });

  test('sees the same list as before after a user without limits has asked for it', async () => {
    for (const path of ['/api/dashboard/rows', '/api/config/materials', '/api/dashboard']) {
      const before = (await server.get(path, { as })).text;
      assert.ok((await server.get(path)).text.includes('deploy-linux'), path);
      assert.equal((await server.get(path, { as })).text, before, path);
    }
  });

  test('opens neither a material that only others use, nor its map', async () => {
    const { json } = accepted(await server.get('/api/config/materials'));
    const of = (name: string) =>
      json._embedded.materials.find((one: { attributes: { url?: string } }) => one.attributes.url?.includes(name)).fingerprint;
    assert.equal((await server.get(`/api/materials/${of('deploy-linux')}/modifications`, { as })).status, 403);
    assert.equal((await server.get(`/api/materials/${of('build-linux')}/modifications`, { as })).status, 200);
    const usages = await server.get(`/api/internal/materials/${of('deploy-linux')}/usages`, { as });
    assert.deepEqual(usages.json.usages, []);
    const poll = await server.ask('POST', `/api/internal/materials/${of('build-linux')}/trigger_update`, {
      as,
      headers: { 'X-Svc-Confirm': 'true' },
    });
    lacks(poll, 'pipelines:operate:*');
  });

  test('hears nothing of others in live notices', async () => {
    const start = accepted(await server.get('/api/live', { as })).json.id;
    const all = accepted(await server.get('/api/live')).json.id;
    for (const name of ['deploy-linux', 'build-linux']) accepted(await server.post(`/api/pipelines/${name}/pause`, {}));
    await until('the notices', async () => {
      const heard = (await server.get(`/api/live?since=${all}`)).text;
      return heard.includes('deploy-linux') && heard.includes('build-linux');
    });
    const { text } = await server.get(`/api/live?since=${start}`, { as });
    assert.ok(text.includes('build-linux') && !text.includes('deploy-linux'), text);
  });

  test('makes and sees no tokens, though its user is an administrator', async () => {
    for (const [method, path] of [
      ['POST', OWN_TOKENS],
      ['GET', OWN_TOKENS],
      ['GET', '/api/admin/access_tokens'],
      ['POST', `${OWN_TOKENS}/1/rotate`],
    ] as const) {
      const reply = await server.ask(method, path, { as, ...(method === 'POST' && { body: { description: 'more' } }) });
      assert.equal(reply.status, 403);
      assert.match(reply.json.message, /Accessing this API using access token is forbidden/);
    }
  });
});

describe('a token for a pipeline group', () => {
  test('operates its pipelines and no others, and does not reveal which exist', async () => {
    const as = await withScopes(['pipeline_groups:operate:linux']);
    for (const name of ['deploy-linux', 'build-linux'])
      assert.equal((await server.ask('POST', `/api/pipelines/${name}/unpause`, { as, headers: { 'X-Svc-Confirm': 'true' } })).status, 200);
    lacks(await server.ask('POST', '/api/pipelines/build-windows/pause', { as, body: {} }), 'pipelines:operate:build-windows');
    lacks(await server.ask('POST', '/api/pipelines/unknown/pause', { as, body: {} }), 'pipelines:operate:unknown');
    const { json } = accepted(await server.get('/api/dashboard', { as }));
    assert.deepEqual(names(json._embedded.pipelines).toSorted(), ['build-linux', 'deploy-linux']);
    assert.ok(
      json._embedded.pipelines.every((one: { can_operate: boolean; can_administer: boolean }) => one.can_operate && !one.can_administer),
    );
  });

  test('cannot move a pipeline out of it, or create one elsewhere', async () => {
    const as = await withScopes(['pipeline_groups:administer:linux']);
    const shown = accepted(await server.get(`${PIPELINES}/deploy-linux`, { as }));
    const moved = await server.ask('PUT', `${PIPELINES}/deploy-linux`, {
      as,
      body: { ...shown.json, group: 'windows' },
      headers: { 'If-Match': shown.etag! },
    });
    assert.equal(moved.status, 403, moved.text);
    lacks(
      await server.ask('POST', PIPELINES, { as, body: { group: 'windows', pipeline: smallPipeline('new') } }),
      'pipelines:administer:new',
    );
    accepted(await server.ask('POST', PIPELINES, { as, body: { group: 'linux', pipeline: smallPipeline('new') } }));
    lacks(await server.ask('POST', '/api/admin/pipeline_groups', { as, body: { name: 'more' } }), 'pipeline_groups:administer:*');
  });
});

describe('a token of an administrator that is limited', () => {
  test('renames no group to a name that it has no scope for', async () => {
    const as = await withScopes(['pipeline_groups:administer:win*']);
    const { etag, json } = accepted(await server.get('/api/admin/pipeline_groups/windows', { as }));
    const rename = (name: string) =>
      server.ask('PUT', '/api/admin/pipeline_groups/windows?dry_run=true', {
        as,
        body: { ...json, name },
        headers: { 'If-Match': etag! },
      });
    lacks(await rename('linux-too'), 'pipeline_groups:administer:linux-too');
    assert.equal((await rename('win-11')).status, 200);
  });

  test('makes no group by a pipeline that it puts into one', async () => {
    const as = await withScopes(['pipelines:administer:*']);
    const create = (group: string) =>
      server.ask('POST', `${PIPELINES}?dry_run=true`, { as, body: { group, pipeline: smallPipeline('another') } });
    lacks(await create('made-up'), 'pipeline_groups:administer:*');
    assert.equal((await create('linux')).status, 200);
    const { etag, json } = accepted(await server.get(`${PIPELINES}/build-linux`, { as }));
    const moved = { as, body: { ...json, group: 'made-up' }, headers: { 'If-Match': etag! } };
    lacks(await server.ask('PUT', `${PIPELINES}/build-linux?dry_run=true`, moved), 'pipeline_groups:administer:*');
  });

  test('enters no path of the machine of the server', async () => {
    const { etag, json } = accepted(await server.get(`${PIPELINES}/build-linux`));
    const local = { type: 'git', attributes: { url: 'file:///srv/private/config.git' } };
    const save = (as?: string) =>
      server.ask('PUT', `${PIPELINES}/build-linux?dry_run=true`, {
        ...(as !== undefined && { as }),
        body: { ...json, materials: [local] },
        headers: { 'If-Match': etag! },
      });
    const refused = await save(await withScopes(['pipelines:administer:build-linux', 'pipelines:view:*']));
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /or when a system administrator enters it/);
    for (const as of [undefined, await withScopes(['*:administer:*'])]) assert.equal((await save(as)).status, 200);
  });

  test('does not see the jobs that agents have built', async () => {
    const path = '/api/agents/unknown/job_run_history';
    lacks(await server.get(path, { as: await withScopes(['agents:view:*', 'pipelines:view:build-*']) }), 'pipelines:view:*');
    assert.equal((await server.get(path, { as: await withScopes(['agents:view:*', 'pipelines:view:*']) })).status, 404);
  });

  test('opens no support bundle with a scope on health messages', async () => {
    const as = await withScopes(['server_health_messages:administer:*']);
    assert.equal((await server.get('/api/server_health_messages', { as })).status, 200);
    lacks(await server.get('/api/admin/support_bundle', { as }), '*:view:*');
  });
});

describe('a token for configuration', () => {
  test('changes the entities that its pattern names, and creates no others', async () => {
    const as = await withScopes(['environments:administer:dev-*']);
    accepted(await server.ask('POST', ENVIRONMENTS, { as, body: { name: 'dev-2' } }));
    lacks(await server.ask('POST', ENVIRONMENTS, { as, body: { name: 'prod-2' } }), 'environments:administer:prod-2');
    lacks(await server.ask('DELETE', `${ENVIRONMENTS}/prod`, { as }), 'environments:administer:prod');
    lacks(await server.ask('DELETE', `${ENVIRONMENTS}/nonsense`, { as }), 'environments:administer:nonsense');
    for (const query of ['', '?at=100000'])
      assert.deepEqual(
        names((await server.get(`${ENVIRONMENTS}${query}`, { as })).json._embedded?.environments ?? []).includes('prod'),
        false,
      );
    assert.deepEqual(names(accepted(await server.get(ENVIRONMENTS, { as })).json._embedded.environments), ['dev-1', 'dev-2']);
  });

  test('shows its part of a list for administrators', async () => {
    const as = await withScopes(['secret_configs:view:a*']);
    const { json } = accepted(await server.get('/api/admin/secret_configs', { as }));
    assert.deepEqual(
      json._embedded.secret_configs.map(({ id }: { id: string }) => id),
      ['a1'],
    );
    lacks(await server.get('/api/admin/secret_configs/b1', { as }), 'secret_configs:view:b1');
    lacks(await server.ask('DELETE', '/api/admin/secret_configs/a1', { as }), 'secret_configs:administer:a1');
  });

  test('makes no template out of a pipeline', async () => {
    const body = { template_name: 'stages' };
    const as = await withScopes(['pipelines:administer:build-linux']);
    lacks(await server.ask('PUT', `${PIPELINES}/build-linux/extract_to_template`, { as, body }), 'templates:administer:stages');
  });

  test('opens the whole configuration only with a scope on all of it', async () => {
    const whole = ['/api/admin/config.xml', '/api/config-repository.git/info/refs?service=git-upload-pack'];
    const many = await withScopes(['pipelines:administer:*', 'environments:*:*', '*:view:*', '*:administer:a*']);
    for (const path of whole) lacks(await server.get(path, { as: many }), '*:administer:*');
    lacks(await server.ask('POST', '/api/admin/config/batch', { as: many, body: { operations: [] } }), '*:administer:*');
    lacks(await server.ask('POST', '/api/admin/config/plan', { as: many, body: { operations: [] } }), '*:administer:*');
    assert.equal((await server.get('/api/admin/config/revisions', { as: many })).status, 200);
    const all = await withScopes(['*:*:*']);
    for (const path of whole) assert.equal((await server.get(path, { as: all })).status, 200, path);
  });

  test('gives no right that its user does not have', async () => {
    const jez = await addUser(server, 'jez');
    const as = await withScopes(['*:*:*'], jez);
    assert.equal((await server.get('/api/admin/config.xml', { as })).status, 403);
    assert.equal((await server.get(ENVIRONMENTS, { as })).status, 403);
    assert.equal((await server.get('/api/pipelines/build-linux/status', { as })).status, 403);
    assert.equal((await server.get('/api/version', { as })).status, 200);
  });
});

test('scopes that mean nothing are refused, and the error names the reason', async () => {
  for (const [scope, why] of [
    ['pipelines:view', 'is no scope'],
    ['pipelines:run:*', "unknown action 'run'"],
    ['pipeline:view:*', 'unknown resource'],
    ['', 'is no scope'],
    [`pipelines:view:${'x'.repeat(400)}`, 'is longer than 300 characters'],
  ] as const) {
    const reply = await server.post(OWN_TOKENS, { description: 'wrong', scopes: ['pipelines:view:*', scope] });
    assert.equal(reply.status, 422, scope);
    assert.ok(reply.json.errors.scopes[0].includes(why), reply.text);
  }
  const many = Array.from({ length: 101 }, (_, index) => `pipelines:view:p${index}`);
  assert.equal((await server.post(OWN_TOKENS, { description: 'many', scopes: many })).status, 422);
});
