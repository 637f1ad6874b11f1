// Speaks as gocd-sdk-go does, the SDK in Go on which gocd-cli and a Terraform provider are built: its paths, Accept headers and bodies.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dockerCluster } from '../support/configuration/samples.ts';
import { accepted } from '../support/requests/callers.ts';
import { type Reply, TestServer } from '../support/server/server.ts';

const V1 = 'application/vnd.go.cd.v1+json';
const V2 = 'application/vnd.go.cd.v2+json';
const V3 = 'application/vnd.go.cd.v3+json';
const V4 = 'application/vnd.go.cd.v4+json';
const V7 = 'application/vnd.go.cd.v7+json';
const V11 = 'application/vnd.go.cd.v11+json';
const NEWEST = 'application/vnd.go.cd+json';
/** The plugin wants an address that ends with the usual context path. */
const farm = {
  id: 'farm',
  ...dockerCluster,
  properties: dockerCluster.properties.map((one) => (one.key === 'go_server_url' ? { ...one, value: 'https://cd.example.com/go' } : one)),
};
const CONFIRM = { 'X-GoCD-Confirm': 'true' };

let server: TestServer;
before(async () => {
  server = await TestServer.start({ 'context-path': '/go' });
  accepted(await post('/api/admin/elastic/cluster_profiles', V1, farm));
  const properties = [{ key: 'Image', value: 'registry.example.org/agents/node:22' }];
  accepted(await post('/api/elastic/profiles', V2, { id: 'small', cluster_profile_id: 'farm', properties }));
  const created = await post('/api/admin/pipelines', V11, { group: 'sdk', pipeline: { name: 'web', materials, stages } });
  assert.ok(accepted(created).etag);
});
after(() => server.stop());

const get = async (path: string, accept: string): Promise<Reply> => {
  const reply = accepted(await server.get(path, { accept }));
  assert.ok(reply.etag, `${path} has no ETag, which the SDK keeps`);
  return reply;
};
const post = (path: string, accept: string, body: object, headers = {}) => server.post(path, body, { accept, headers });
/** Sends back the body that the client got, with the ETag as a member. */
const put = async (path: string, accept: string, body: object, etag: string) =>
  accepted(await server.put(path, { ...body, etag }, etag, { accept }));
const stages = [{ name: 'build', jobs: [{ name: 'compile', elastic_profile_id: 'small', tasks: [exec('make')] }] }];
const materials = [{ type: 'git', attributes: { url: 'https://scm.example.org/web.git', branch: 'main', auto_update: false } }];

function exec(command: string): object {
  return { type: 'exec', attributes: { run_if: ['passed'], command } };
}

test('the version is the one whose API versions the client asks for', async () => {
  const { json } = await get('/api/version', V1);
  assert.equal(json.version, '23.2.0');
});

test('cluster profiles are listed under both keys, and updated with the ETag that the client kept', async () => {
  const { json } = await get('/api/admin/elastic/cluster_profiles', V1);
  for (const key of ['profiles', 'cluster_profiles']) assert.equal(json._embedded[key][0].id, 'farm');
  const read = await get('/api/admin/elastic/cluster_profiles/farm', V1);
  const again = await put('/api/admin/elastic/cluster_profiles/farm', V1, farm, read.etag!);
  assert.equal(again.etag, read.etag);
});

test('elastic agent profiles list their usages', async () => {
  const { json } = await get('/api/internal/elastic/profiles/small/usages', V1);
  assert.deepEqual(json[0], { pipeline_name: 'web', stage_name: 'build', job_name: 'compile', pipeline_config_origin: 'gocd' });
});

test('a pipeline is created paused, read, changed, moved to a new group, and its stages become a template', async () => {
  const paused = { 'X-pause-pipeline': 'true', 'X-pause-cause': 'not yet' };
  accepted(await post('/api/admin/pipelines', V11, { group: 'sdk', pipeline: { name: 'api', materials, stages } }, paused));
  assert.equal((await get('/api/pipelines/api/status', V1)).json.paused_cause, 'not yet');
  const read = await get('/api/admin/pipelines/api', V11);
  const changed = await put('/api/admin/pipelines/api', V11, { ...read.json, lock_behavior: 'lockOnFailure' }, read.etag!);
  const moved = await put('/api/admin/pipelines/api', V11, { ...changed.json, group: 'moved' }, changed.etag!);
  assert.equal(moved.json.group, 'moved');
  const { json, etag } = accepted(
    await server.put('/api/admin/pipelines/api/extract_to_template', { template_name: 'api-stages' }, undefined, { accept: V11 }),
  );
  assert.deepEqual([json.template, json.stages], ['api-stages', null]);
  assert.ok(etag);
});

test('a pipeline without its wrapper is refused with the missing property', async () => {
  const reply = await post('/api/admin/pipelines', V11, { group: 'sdk', name: 'bare', materials, stages });
  assert.equal(reply.status, 422);
  assert.match(reply.json.message, /does not contain property 'pipeline'$/);
});

test('materials are listed with their state, and name their usages', async () => {
  const { json } = await get('/api/internal/materials', NEWEST);
  const [{ config, modification, messages }] = json.materials;
  assert.deepEqual([config.type, config.attributes.url, modification, messages], ['git', 'https://scm.example.org/web.git', null, []]);
  const usages = await get(`/api/internal/materials/${config.fingerprint}/usages`, NEWEST);
  assert.equal(usages.json.usages[0], 'web');
  assert.equal((await get('/api/config/materials', V2)).json._embedded.materials[0].fingerprint, config.fingerprint);
});

test('environments are created in one version and read merged in another', async () => {
  accepted(await post('/api/admin/environments', V3, { name: 'qa', pipelines: [{ name: 'web' }], environment_variables: [] }));
  assert.equal((await get('/api/admin/environments', V3)).json._embedded.environments[0].name, 'qa');
  const [merged] = (await get('/api/admin/internal/environments/merged', NEWEST)).json._embedded.environments;
  assert.deepEqual(merged.pipelines, [{ name: 'web', origin: { type: 'gocd' } }]);
  assert.deepEqual(merged.origins, [{ type: 'gocd' }]);
});

test('a config repo is created, updated, triggered and watched', async () => {
  const material = { type: 'git', attributes: { url: 'https://scm.example.org/a.git', branch: 'main', auto_update: false } };
  const rules = [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'sdk' }];
  const repo = { id: 'team-a', plugin_id: 'yaml.config.plugin', material, configuration: [], rules };
  accepted(await post('/api/admin/config_repos', V4, repo));
  const read = await get('/api/admin/config_repos/team-a', V4);
  await put('/api/admin/config_repos/team-a', V4, { ...read.json, rules: [] }, read.etag!);
  const triggered = await server.ask('POST', '/api/admin/config_repos/team-a/trigger_update', { accept: V4, headers: CONFIRM });
  assert.ok([201, 409].includes(triggered.status), triggered.text);
  assert.equal(typeof triggered.json.message, 'string');
  assert.equal(typeof accepted(await server.get('/api/admin/config_repos/team-a/status', { accept: V4 })).json.in_progress, 'boolean');
  assert.equal((await get('/api/internal/config_repos', V4)).json._embedded.config_repos[0].id, 'team-a');
});

test('plugins, secret configs, groups, maintenance mode and backups answer in the versions of the client', async () => {
  const { json } = await get('/api/admin/plugin_info?include_bad=true', V7);
  assert.ok(json._embedded.plugin_info.some(({ id }: { id: string }) => id === 'yaml.config.plugin'));
  assert.deepEqual((await get('/api/admin/secret_configs', V3)).json._embedded.secret_configs, []);
  assert.equal((await get('/api/admin/pipeline_groups', V1)).json._embedded.groups[0].name, 'sdk');
  assert.equal((await get('/api/admin/maintenance_mode/info', V1)).json.is_maintenance_mode, false);
  const scheduled = await server.ask('POST', '/api/backups', { accept: V2, headers: CONFIRM });
  assert.equal(scheduled.status, 202, scheduled.text);
  assert.match(scheduled.headers.get('location')!, /^\/go\/api\/backups\/\d+$/);
});
