// Elastic agent profiles: their cluster profile, settings checked by its plugin, deletion while in use, the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { dockerCluster } from '../../support/configuration/samples.ts';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/elastic/profiles';
const CLUSTERS = '/api/admin/elastic/cluster_profiles';
const PIPELINES = '/api/admin/pipelines';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  for (const cluster of [
    { id: 'farm', ...dockerCluster },
    { id: 'other-farm', ...dockerCluster },
    { id: 'foreign', plugin_id: 'com.example.not-installed' },
  ]) {
    assert.equal((await server.post(CLUSTERS, cluster)).status, 200);
  }
});
after(() => server.stop());
beforeEach(async () => {
  for (const { id } of (await server.get(PATH)).json._embedded.profiles) await server.delete(`${PATH}/${id}`);
});

const IMAGE = { key: 'Image', value: 'registry.example.org/agents/node:22' };
const profile = (more: object = {}) => ({ id: 'small', cluster_profile_id: 'farm', properties: [IMAGE], ...more });
const post = (more: object = {}) => server.post(PATH, profile(more));
const put = (more: object = {}) => server.put(`${PATH}/small`, profile(more), '*');
const invalid = (errors: string) => `Validations failed for agentProfile 'small'. Error(s): [${errors}]. Please correct and resubmit.`;

test('an elastic agent profile is written in the order of GoCD, with links and an ETag', async () => {
  const properties = [IMAGE, { key: 'MaxMemory', value: '2G' }, { key: 'ReservedMemory', value: '512M' }];
  const created = await post({ properties });
  assert.equal(created.status, 200, created.text);
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/small` },
      doc: { href: `${server.url}/api/docs#elastic-agent-profiles` },
      find: { href: `${server.url}${PATH}/:profile_id` },
    },
    id: 'small',
    cluster_profile_id: 'farm',
    properties,
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = await server.get(`${PATH}/small`);
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
});

test('the list is under profiles, with links and an ETag', async () => {
  await post();
  const list = await server.get(PATH);
  assert.match(list.etag!, /^"[0-9a-f]+"$/);
  assert.equal(
    JSON.stringify(list.json._links),
    JSON.stringify({
      self: { href: server.url + PATH },
      doc: { href: `${server.url}/api/docs#elastic-agent-profiles` },
      find: { href: `${server.url}${PATH}/:profile_id` },
    }),
  );
  assert.deepEqual(list.json._embedded, { profiles: [(await server.get(`${PATH}/small`)).json] });
});

test('an elastic agent profile that does not exist is not found', () =>
  isUnknown(server, `${PATH}/ghost`, profile(), "Elastic agent profile with id 'ghost' was not found!"));

test('an elastic agent profile with an id that is taken is refused, with any cluster profile', async () => {
  await post();
  const reply = await post({ cluster_profile_id: 'ghost' });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "Failed to add elasticProfile 'small'. Another elasticProfile with the same name already exists.");
  assert.deepEqual(reply.json.data.errors, {
    id: ["Elastic profile ids should be unique. Elastic profile with id 'small' already exists."],
  });
  assert.equal((await post({ id: 'Small' })).status, 200, 'ids that differ in letter case are different');
});

test('a rename is refused, by letter case too, and so is a stale copy', async () => {
  const { etag } = await post();
  for (const id of ['other', 'SMALL']) {
    const renamed = await put({ id });
    assert.equal(renamed.status, 422);
    assert.equal(renamed.json.message, 'Renaming of elasticProfile is not supported by this API.');
  }
  await put({ cluster_profile_id: 'other-farm' });
  for (const known of [etag, undefined]) {
    const reply = await server.put(`${PATH}/small`, profile(), known);
    stale(
      reply,
      "Someone has modified the configuration for elasticProfile 'small'. Please update your copy of the config with the changes and try again.",
      known !== undefined,
    );
  }
});

test('the id may be left out of a PUT, and the cluster profile may change', async () => {
  await post();
  const moved = await server.put(`${PATH}/small`, { cluster_profile_id: 'other-farm', properties: [IMAGE] }, '*');
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual([moved.json.id, moved.json.cluster_profile_id], ['small', 'other-farm']);
});

test('missing and blank members are refused', async () => {
  assert.equal((await server.post(PATH, {})).json.message, "Json `{}` does not contain property 'id'");
  assert.equal(
    (await server.post(PATH, { id: 'small' })).json.message,
    'Json `{"id":"small"}` does not contain property \'cluster_profile_id\'',
  );
  const blank = await post({ id: '' });
  assert.equal(blank.json.message, "The elastic agent profile config is invalid. Attribute 'id' cannot be null.");
  assert.deepEqual(blank.json.data.errors, { id: ['ElasticProfile cannot have a blank id.'] });
});

test('a cluster profile that does not exist is refused', async () => {
  await post();
  for (const reply of [await post({ id: 'new', cluster_profile_id: 'ghost' }), await put({ cluster_profile_id: 'ghost' })]) {
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, "No Cluster Profile exists with the specified cluster_profile_id 'ghost'.");
  }
});

test('the plugin of the cluster profile checks the settings; one that was not sent gets an entry for its problem', async () => {
  const reply = await post({ properties: [{ key: 'MaxMemory', value: '2G' }] });
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.json, {
    message: invalid('Image must not be blank.'),
    data: {
      id: 'small',
      cluster_profile_id: 'farm',
      properties: [
        { key: 'MaxMemory', value: '2G' },
        { key: 'Image', errors: { Image: ['Image must not be blank.'] } },
      ],
    },
  });
});

test('all problems are in the message, joined, and each beside its setting', async () => {
  const properties = [
    { key: 'Image', value: '' },
    { key: 'MaxMemory', value: '1M' },
    { key: 'Cpus', value: 'some' },
    { key: 'Colour', value: 'red' },
  ];
  const reply = await post({ properties });
  const problems = new Map([
    ['Image', 'Image must not be blank.'],
    ['Colour', 'Is an unknown property'],
    ['MaxMemory', 'Minimum allowed value is 4M'],
    ['Cpus', 'Invalid float number: some'],
  ]);
  assert.equal(reply.json.message, invalid([...problems.values()].join(', ')));
  assert.deepEqual(
    reply.json.data.properties.map((one: { errors: unknown }) => one.errors),
    properties.map(({ key }) => ({ [key]: [problems.get(key)] })),
  );
});

test('without the plugin of the cluster profile nothing is checked, and a property that looks secret is a secret', async () => {
  const { json } = await post({
    cluster_profile_id: 'foreign',
    properties: [
      { key: 'Colour', value: 'red' },
      { key: 'ApiToken', value: 'hush' },
    ],
  });
  assert.deepEqual(json.properties[0], { key: 'Colour', value: 'red' });
  assert.deepEqual(Object.keys(json.properties[1]), ['key', 'encrypted_value']);
});

test('both forms of a value, a form that is not for the setting, and equal keys are refused', async () => {
  const both = await post({ properties: [IMAGE, { key: 'Command', value: 'x', encrypted_value: 'y' }] });
  const message = 'You may only specify `value` or `encrypted_value`, not both!';
  assert.deepEqual(both.json.data.properties[1].errors, { value: [message], encrypted_value: [message] });
  assert.equal(both.json.message, invalid(message));

  const dropped = await post({ properties: [IMAGE, { key: 'Command', encrypted_value: 'v1:00000000:AAAA' }] });
  assert.equal(dropped.status, 200, dropped.text);
  assert.deepEqual(dropped.json.properties[1], { key: 'Command' });

  const pods = [{ key: 'go_server_url', value: 'https://ci.example.org/go' }];
  await server.post(CLUSTERS, { id: 'pods', plugin_id: 'cd.go.contrib.elasticagent.kubernetes', properties: pods });
  const address = { key: 'RemoteFile', value: 'https://me:hush@files.example.org/pod.yaml' };
  const remote = [address, { key: 'RemoteFileType', value: 'yaml' }, { key: 'PodSpecType', value: 'remote' }];
  const { status, json, text } = await put({ cluster_profile_id: 'pods', properties: remote });
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(json.properties[0]), ['key', 'encrypted_value']);
  const again = await put({ cluster_profile_id: 'pods', properties: json.properties });
  assert.equal(again.text, text, 'one that is stored is not dropped');

  const duplicates = await put({ properties: [IMAGE, { key: 'Command', value: 'a' }, { key: 'command', value: 'b' }] });
  assert.deepEqual(duplicates.json.data.properties[1].errors.configuration_key, [
    "Duplicate key 'Command' found for Elastic agent profile 'small'",
  ]);
  assert.deepEqual(duplicates.json.data.properties[2].errors.configuration_key, [
    "Duplicate key 'command' found for Elastic agent profile 'small'",
  ]);
});

test('an elastic agent profile is deleted only when no job uses it', async () => {
  await post();
  const job = (name: string, elastic_profile_id: string) => ({
    name,
    elastic_profile_id,
    tasks: [{ type: 'exec', attributes: { command: 'make' } }],
  });
  await post({ id: 'large' });
  const pipeline = {
    name: 'Nightly',
    materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/a.git' } }],
    stages: [{ name: 'build', jobs: [job('compile', 'small'), job('test', 'large'), job('lint', 'small')] }],
  };
  await server.post('/api/admin/pipeline_groups', { name: 'shop' });
  const created = await server.post(PIPELINES, { group: 'shop', pipeline });
  assert.equal(created.status, 200, created.text);
  const refused = await server.delete(`${PATH}/small`);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json, {
    message:
      "Cannot delete the elastic agent profile 'small' as it is used by pipeline(s): 'JobConfigIdentifier[Nightly:build:compile], JobConfigIdentifier[Nightly:build:lint]'",
  });
  assert.equal((await server.get(`${PATH}/small`)).status, 200);
  await server.delete(`${PIPELINES}/Nightly`);
  const deleted = await server.delete(`${PATH}/small`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: "Elastic agent profile with id 'small' was deleted successfully!" });
});
