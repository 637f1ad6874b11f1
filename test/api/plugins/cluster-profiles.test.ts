// Cluster profiles: settings checked by the elastic agent plugin, secrets, deletion while in use, the exact messages.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { writeSecretsFile } from '../../support/configuration/secrets-file.ts';
import { accepted } from '../../support/requests/callers.ts';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/elastic/cluster_profiles';
const PROFILES = '/api/elastic/profiles';
const DOCKER = 'cd.go.contrib.elastic-agent.docker';
const REQUIRED = [
  { key: 'go_server_url', value: 'https://cd.example.com/app' },
  { key: 'docker_uri', value: 'unix:///var/run/docker.sock' },
  { key: 'max_docker_containers', value: '20' },
  { key: 'auto_register_timeout', value: '5' },
];
const INVALID = "Validations failed for clusterProfile 'farm'. Error(s): [Validation failed.]. Please correct and resubmit.";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { id } of (await server.get(PROFILES)).json._embedded.profiles) await server.delete(`${PROFILES}/${id}`);
  for (const { id } of (await server.get(PATH)).json._embedded.profiles) await server.delete(`${PATH}/${id}`);
});

const profile = (more: object = {}) => ({ id: 'farm', plugin_id: DOCKER, properties: REQUIRED, ...more });
const post = (more: object = {}) => server.post(PATH, profile(more));
const put = (more: object = {}) => server.put(`${PATH}/farm`, profile(more), '*');

test('a cluster profile is written in the order of GoCD, with links and an ETag', async () => {
  const created = await post({ properties: [...REQUIRED, { key: 'docker_client_key', value: 'example-private-key' }] });
  assert.equal(created.status, 200, created.text);
  const cipherText = created.json.properties[4].encrypted_value;
  assert.match(cipherText, /^v2:/);
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/farm` },
      doc: { href: `${server.url}/api/docs#cluster-profiles` },
      find: { href: `${server.url}${PATH}/:id` },
    },
    id: 'farm',
    plugin_id: DOCKER,
    properties: [...REQUIRED, { key: 'docker_client_key', encrypted_value: cipherText }],
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = await server.get(`${PATH}/farm`);
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
});

test('the list is under profiles and, for public clients, under cluster_profiles, has an ETag, and keeps the order of creation', async () => {
  for (const id of ['zeta', 'alpha']) await post({ id });
  const list = await server.get(PATH);
  assert.match(list.etag!, /^"[0-9a-f]+"$/);
  assert.deepEqual(list.json._links, { self: { href: server.url + PATH }, doc: { href: `${server.url}/api/docs#cluster-profiles` } });
  assert.deepEqual(Object.keys(list.json._embedded), ['profiles', 'cluster_profiles']);
  assert.deepEqual(list.json._embedded.cluster_profiles, list.json._embedded.profiles);
  assert.deepEqual(
    list.json._embedded.profiles.map((one: { id: string }) => one.id),
    ['zeta', 'alpha'],
  );
});

test('a cluster profile that does not exist is not found', () =>
  isUnknown(server, `${PATH}/ghost`, profile(), "Cluster profile with id 'ghost' was not found!"));

test('a cluster profile with an id that is taken is refused', async () => {
  await post();
  const reply = await post();
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "Failed to add Cluster Profile 'farm'. Another Cluster Profile with the same name already exists.");
  assert.deepEqual(reply.json.data.errors, {
    id: ["Cluster Profile ids should be unique. Cluster Profile with id 'farm' already exists."],
  });
  assert.equal((await post({ id: 'Farm' })).status, 200, 'ids that differ in letter case are different');
});

test('a rename is refused, by letter case too', async () => {
  await post();
  for (const id of ['other', 'FARM']) {
    const reply = await put({ id });
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, 'Renaming of Cluster Profile is not supported by this API.');
  }
});

test('a stale copy is refused', async () => {
  const { etag } = await post();
  await put({ properties: [...REQUIRED, { key: 'docker_ca_cert', value: 'x' }] });
  for (const known of [etag, undefined]) {
    const reply = await server.put(`${PATH}/farm`, profile(), known);
    stale(
      reply,
      "Someone has modified the configuration for Cluster Profile 'farm'. Please update your copy of the config with the changes and try again.",
      known !== undefined,
    );
  }
});

test('a missing member is reported before a stale copy', async () => {
  await post();
  const reply = await server.put(`${PATH}/farm`, { properties: [] }, '"stale"');
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.json.message, /does not contain property 'plugin_id'$/);
});

test('the id may be left out of a PUT, the plugin may change, and the settings are replaced', async () => {
  await post();
  const swarm = 'cd.go.contrib.elastic-agent.docker-swarm';
  const replaced = await server.put(`${PATH}/farm`, { plugin_id: swarm, properties: REQUIRED.toReversed() }, '*');
  assert.equal(replaced.status, 200, replaced.text);
  assert.deepEqual([replaced.json.id, replaced.json.plugin_id], ['farm', swarm]);
  assert.deepEqual(replaced.json.properties, REQUIRED.toReversed());
  const emptied = await server.put(`${PATH}/farm`, { plugin_id: 'com.example.not-installed' }, '*');
  assert.deepEqual(emptied.json.properties, []);
});

test('a missing, blank or invalid id is refused', async () => {
  assert.equal((await server.post(PATH, {})).json.message, "Json `{}` does not contain property 'id'");
  assert.equal((await server.post(PATH, { id: 'farm' })).json.message, 'Json `{"id":"farm"}` does not contain property \'plugin_id\'');
  const blank = await post({ id: '' });
  assert.equal(blank.status, 422);
  assert.equal(blank.json.message, "The cluster profile config is invalid. Attribute 'id' cannot be null.");
  assert.deepEqual(blank.json.data.errors, { id: ['ClusterProfile cannot have a blank id.'] });
  const unsuitable = await post({ id: '.farm' });
  assert.deepEqual(unsuitable.json.data.errors, {
    id: [
      "Invalid id '.farm'. This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.",
    ],
  });
});

test('a blank id does not hide the other problems', async () => {
  const reply = await post({ id: '', properties: REQUIRED.slice(1) });
  assert.deepEqual(reply.json.data.errors, {
    go_server_url: ['Go Server URL must not be blank.'],
    id: ['ClusterProfile cannot have a blank id.'],
  });
});

test('a plugin that is blank or of another kind is refused', async () => {
  const blank = await post({ plugin_id: '' });
  assert.equal(blank.json.message, INVALID);
  assert.deepEqual(blank.json.data.errors, { plugin_id: ['Cluster Profile cannot have a blank plugin id.'] });
  const other = await post({ plugin_id: 'cd.go.artifact.s3', properties: [] });
  assert.deepEqual(other.json, {
    message: INVALID,
    data: {
      id: 'farm',
      plugin_id: 'cd.go.artifact.s3',
      properties: [],
      errors: { plugin_id: ['Plugin with id `cd.go.artifact.s3` is not found.'] },
    },
  });
});

test('errors of the plugin stand beside the setting, or on the profile when the setting was not sent', async () => {
  const [url, ...others] = REQUIRED;
  const reply = await post({ properties: [{ ...url, value: 'ftp://cd.example.com' }, others[0], { key: 'colour', value: 'red' }] });
  assert.equal(reply.json.message, INVALID);
  assert.deepEqual(reply.json.data, {
    id: 'farm',
    plugin_id: DOCKER,
    properties: [
      { key: 'go_server_url', value: 'ftp://cd.example.com', errors: { go_server_url: ['Go Server URL must use http or https protocol'] } },
      others[0],
      { key: 'colour', value: 'red', errors: { colour: ['Is an unknown property'] } },
    ],
    errors: {
      max_docker_containers: ['max_docker_containers must not be blank.'],
      auto_register_timeout: ['auto_register_timeout must not be blank.'],
    },
  });
});

test('each of several equal keys has an error, in any letter case', async () => {
  const properties = [...REQUIRED, { key: 'docker_ca_cert', value: 'a' }, { key: 'DOCKER_CA_CERT', value: 'b' }];
  const reply = await post({ properties });
  assert.deepEqual(reply.json.data.properties[4].errors.configuration_key, [
    "Duplicate key 'docker_ca_cert' found for Cluster Profile 'farm'",
  ]);
  assert.deepEqual(reply.json.data.properties[5].errors.configuration_key, [
    "Duplicate key 'DOCKER_CA_CERT' found for Cluster Profile 'farm'",
  ]);
  const nameless = await server.post(PATH, { plugin_id: DOCKER, properties });
  assert.deepEqual(nameless.json.data.properties[4].errors.configuration_key, [
    "Duplicate key 'docker_ca_cert' found for Cluster Profile (noname)",
  ]);
});

test('a secret comes in one form at a time, can be sent back, and is refused for settings that are not secret', async () => {
  const withKey = (property: object) => ({ properties: [...REQUIRED, { key: 'docker_client_key', ...property }] });
  const created = await post(withKey({ value: 'hush' }));
  const cipherText = created.json.properties[4].encrypted_value;
  assert.equal((await put(withKey({ encrypted_value: cipherText }))).etag, created.etag);
  assert.equal((await put(withKey({ value: 'hush' }))).text, created.text);

  const both = 'You may only specify `value` or `encrypted_value`, not both!';
  assert.deepEqual((await put(withKey({ value: 'x', encrypted_value: cipherText }))).json.data.properties[4].errors, {
    configuration_value: [both],
    encrypted_value: [both],
  });
  const tampered = `${cipherText.slice(0, -8)}AAAAAAA=`;
  assert.deepEqual((await put(withKey({ encrypted_value: tampered }))).json.data.properties[4].errors, {
    encrypted_value: [
      "Encrypted value for property with key 'docker_client_key' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
    ],
  });
  const unsecured = await put({ properties: [...REQUIRED, { key: 'docker_ca_cert', encrypted_value: cipherText }] });
  assert.deepEqual(unsecured.json.data.properties[4].errors, {
    encrypted_value: ['encrypted_value cannot be specified to a unsecured property.'],
  });
  assert.equal((await server.get(`${PATH}/farm`)).text, created.text);
});

test('a blank value leaves only the key, and an entry without a key cannot be read', async () => {
  const { json } = await post({ properties: [...REQUIRED, { key: 'docker_ca_cert', value: ' ' }, { key: 'docker_client_key' }] });
  assert.deepEqual(json.properties.slice(4), [{ key: 'docker_ca_cert' }, { key: 'docker_client_key' }]);
  for (const entry of [{ value: 'x' }, { key: 'docker_ca_cert', value: {} }, 'docker_ca_cert']) {
    const reply = await post({ properties: [entry] });
    assert.equal(reply.status, 400);
    assert.deepEqual(reply.json, { message: 'Payload data is not valid JSON: Could not parse configuration property' });
  }
});

test('a cluster profile is deleted only when no elastic agent profile uses it', async () => {
  await post();
  for (const id of ['small', 'large']) {
    const body = { id, cluster_profile_id: 'farm', properties: [{ key: 'Image', value: 'node' }] };
    assert.equal((await server.post(PROFILES, body)).status, 200);
  }
  const refused = await server.delete(`${PATH}/farm`);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json, {
    message:
      "Validations failed for clusterProfile 'farm'. Error(s): [Cannot delete cluster profile 'farm' as it is referenced from elastic agent profile(s) [small, large]]. Please correct and resubmit.",
  });
  assert.equal((await server.get(`${PATH}/farm`)).status, 200);
  for (const id of ['small', 'large']) await server.delete(`${PROFILES}/${id}`);
  const deleted = await server.delete(`${PATH}/farm`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: "The Cluster Profile 'farm' was deleted successfully." });
});

test('secrets that a cluster profile refers to must exist, and be permitted for it', async () => {
  const config = (id: string, resource: string) => ({
    id,
    plugin_id: 'cd.go.secrets.file-based-plugin',
    properties: [{ key: 'SecretsFilePath', value: 'cluster.json' }],
    rules: [{ directive: 'allow', action: 'refer', type: 'cluster_profile', resource }],
  });
  writeSecretsFile(join(server.dataDir, 'cluster.json'), { key: 'sesame', url: 'not an address' });
  for (const one of [config('for-farm', 'f*'), config('for-others', 'other')])
    accepted(await server.post('/api/admin/secret_configs', one));
  const refersTo = (reference: string, key = 'docker_client_key') =>
    post({ properties: [...REQUIRED.filter((one) => one.key !== key), { key, value: reference }] });

  for (const [reference, reason] of [
    ['{{SECRET:[nope][k]}}', "Secret config with id 'nope' does not exist."],
    ['{{SECRET:[for-farm][none]}}', "The secret config 'for-farm' has no secret 'none'."],
    ['{{SECRET:[for-others][key]}}', "The cluster profile 'farm' may not refer to secrets of the secret config 'for-others'."],
  ] as const) {
    const refused = await refersTo(reference);
    assert.equal(refused.status, 422, reference);
    assert.equal(refused.json.message, INVALID.replace('Validation failed.', reason));
    assert.deepEqual(refused.json.data.properties[4].errors, { docker_client_key: [reason] });
  }

  for (const key of ['docker_client_key', 'go_server_url']) {
    const saved = accepted(await refersTo(`{{SECRET:[for-farm][${key === 'go_server_url' ? 'url' : 'key'}]}}`, key));
    assert.ok(!saved.text.includes('sesame') && !saved.text.includes('not an address'));
    await server.delete(`${PATH}/farm`);
  }
  const health = (await server.get('/api/server_health_messages')).text;
  assert.ok(!health.includes('farm'), health);
});

test('a cluster profile may refer to a secret config in the same plan, in any order', async () => {
  writeSecretsFile(join(server.dataDir, 'planned.json'), { key: 'sesame' });
  const secretConfig = {
    id: 'planned',
    plugin_id: 'cd.go.secrets.file-based-plugin',
    properties: [{ key: 'SecretsFilePath', value: 'planned.json' }],
    rules: [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }],
  };
  const properties = [...REQUIRED, { key: 'docker_client_key', value: '{{SECRET:[planned][key]}}' }];
  const planned = accepted(
    await server.post('/api/admin/config/plan', { cluster_profiles: [profile({ properties })], secret_configs: [secretConfig] }),
  );
  assert.deepEqual([planned.json.errors, planned.json.changes.length], [[], 2]);
});
