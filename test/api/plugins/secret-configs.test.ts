// Secret configs: their rules, members left out, the exact messages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/secret_configs';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const FILE = { key: 'SecretsFilePath', value: '/var/lib/secrets.json' };
const config = (more: object = {}) => ({ id: 's', plugin_id: 'cd.go.secrets.file-based-plugin', properties: [FILE], ...more });
const rule = (more: object = {}) => ({ directive: 'allow', action: 'refer', type: 'environment', resource: 'prod', ...more });

test('an answer has everything in the order of GoCD; a description that is not there is left out', async () => {
  const rules = [rule(), rule({ directive: 'deny', type: 'pipeline_group', resource: 'team-*' })];
  const whole = await server.post(PATH, config({ id: 'whole', description: 'For all.', rules }));
  assert.equal(whole.status, 200, whole.text);
  assert.equal(whole.headers.get('content-type'), 'application/vnd.svc.v3+json; charset=utf-8');
  assert.deepEqual(whole.json, {
    _links: {
      self: { href: `${server.url}${PATH}/whole` },
      doc: { href: `${server.url}/api/docs#secret-configs` },
      find: { href: `${server.url}${PATH}/:config_id` },
    },
    id: 'whole',
    plugin_id: 'cd.go.secrets.file-based-plugin',
    description: 'For all.',
    properties: [FILE],
    rules,
  });
  for (const description of [undefined, null, '']) {
    const { json } = await server.put(`${PATH}/whole`, config({ id: 'whole', description }), '*');
    assert.deepEqual(Object.keys(json), ['_links', 'id', 'plugin_id', 'properties', 'rules']);
    assert.deepEqual(json.rules, []);
  }
  assert.deepEqual((await server.get(PATH)).json._embedded.secret_configs.length, 1);
});

test('rules speak of five kinds of things, or of all', async () => {
  const types = ['environment', 'pipeline_group', 'pluggable_scm', 'package_repository', 'cluster_profile', '*', 'Environment'];
  const rules = types.map((type) => rule({ type }));
  const kept = await server.post(PATH, config({ id: 'types', rules }));
  assert.equal(kept.status, 200, kept.text);
  assert.deepEqual(kept.json.rules, rules);
  const reply = await server.post(
    PATH,
    config({ rules: [rule({ type: 'pipeline' }), { directive: 'maybe', action: 'view' }, rule({ resource: ' ' })] }),
  );
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "Validations failed for secretConfig 's'. Error(s): [Validation failed.]. Please correct and resubmit.");
  const invalidType = 'Invalid type, must be one of [pipeline_group, environment, pluggable_scm, package_repository, cluster_profile].';
  assert.deepEqual(
    reply.json.data.rules.map(({ errors }: { errors: unknown }) => errors),
    [
      { type: [invalidType] },
      {
        directive: ["Invalid directive, must be either 'allow' or 'deny'."],
        action: ['Invalid action, must be one of [refer].'],
        type: [invalidType],
        resource: ['Resource cannot be blank.'],
      },
      { resource: ['Resource cannot be blank.'] },
    ],
  );
});

test('a secret config without its file is refused by the plugin', async () => {
  const reply = await server.post(PATH, config({ properties: [] }));
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.json.data.errors, { SecretsFilePath: ['SecretsFilePath must not be blank.'] });
});

test('a plugin of another kind, a blank plugin, a blank id and equal keys are refused', async () => {
  const other = await server.post(PATH, config({ plugin_id: 'cd.go.artifact.s3' }));
  assert.deepEqual(other.json.data.errors, { plugin_id: ['Plugin with id `cd.go.artifact.s3` is not found.'] });
  const blank = await server.post(PATH, config({ plugin_id: '' }));
  assert.deepEqual(blank.json.data.errors, { plugin_id: ['Secret configuration cannot have a blank plugin id.'] });
  const nameless = await server.post(PATH, config({ id: '' }));
  assert.deepEqual(nameless.json.data.errors, { id: ['Secret configuration cannot have a blank id.'] });
  const twice = await server.post(PATH, config({ properties: [FILE, FILE] }));
  const message = "Duplicate key 'SecretsFilePath' found for Secret configuration 's'";
  assert.deepEqual(twice.json.data.properties[0].errors, { configuration_key: [message] });
});

test('taken ids, renames, stale copies and deletions are answered in the words of GoCD', async () => {
  await server.post(PATH, config({ id: 'known' }));
  const duplicate = await server.post(PATH, config({ id: 'known' }));
  assert.equal(duplicate.json.message, "Failed to add secretConfig 'known'. Another secretConfig with the same name already exists.");
  assert.deepEqual(duplicate.json.data.errors.id, [
    "Secret Configuration ids should be unique. Secret Configuration with id 'known' already exists.",
  ]);
  const renamed = await server.put(`${PATH}/known`, config({ id: 'other' }), '*');
  assert.equal(renamed.json.message, 'Renaming of secret config is not supported by this API.');
  const stale = await server.put(`${PATH}/known`, config({ id: 'known' }), '"old"');
  assert.equal(stale.json.message, 'Someone has modified the entity. Please update your copy with the changes and try again.');
  assert.equal((await server.delete(`${PATH}/known`)).json.message, "Secret config with id 'known' was deleted successfully!");
  assert.equal((await server.get(`${PATH}/known`)).json.message, "Secret config with id 'known' was not found!");
});
