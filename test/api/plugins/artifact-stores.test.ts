// Artifact stores: settings checked by their plugin, secrets, the exact messages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { healthOf } from '../../support/server/health.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/artifact_stores';
let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const store = (properties: unknown, more: object = {}) => ({ id: 's', plugin_id: 'cd.go.artifact.s3', properties, ...more });

test('all problems of an artifact store are reported at once, beside their fields', async () => {
  const reply = await server.post(PATH, store([{ key: 'S3Bucket' }, { key: 'AWSAccessKey', value: 'k' }], { id: 'bad id' }));
  assert.equal(reply.status, 422);
  const both = 'AWSAccessKey and AWSSecretAccessKey must be filled altogether, if required.';
  assert.deepEqual(reply.json, {
    message: "Validations failed for artifactStore 'bad id'. Error(s): [Validation failed.]. Please correct and resubmit.",
    data: {
      id: 'bad id',
      plugin_id: 'cd.go.artifact.s3',
      properties: [
        { key: 'S3Bucket', errors: { S3Bucket: ['S3Bucket must not be blank.'] } },
        { key: 'AWSAccessKey', value: 'k', errors: { AWSAccessKey: [both] } },
      ],
      errors: {
        id: [
          "Invalid id 'bad id'. This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.",
        ],
        AWSSecretAccessKey: [both],
      },
    },
  });
});

test('missing and unreadable members are named with the JSON that lacks them, other problems beside', async () => {
  assert.equal((await server.post(PATH, {})).json.message, "Json `{}` does not contain property 'id'");
  const reply = await server.post(PATH, { id: { a: 1 }, properties: [{ key: 'Password', value: 'hush' }] });
  assert.equal(reply.status, 422);
  assert.match(reply.json.message, /^Could not read property 'id' as a String in json `\{.*\}` $/);
  assert.deepEqual(Object.keys(reply.json.data.errors), ['id', 'plugin_id']);
  assert.ok(!reply.text.includes('hush'));
  assert.equal(
    (await server.post(PATH, store('x'))).json.message.split(' in json')[0],
    "Could not read property 'properties' as a JsonArray",
  );
});

test('a blank id and a blank plugin id have their own words', async () => {
  const blank = await server.post(PATH, store([], { id: '' }));
  assert.equal(blank.json.message, "The artifact store config is invalid. Attribute 'id' cannot be null.");
  assert.deepEqual(blank.json.data.errors.id, ['ArtifactStore cannot have a blank id.']);
  const noPlugin = await server.post(PATH, store([], { plugin_id: '' }));
  assert.deepEqual(noPlugin.json.data.errors.plugin_id, ['Artifact store cannot have a blank plugin id.']);
});

test('a plugin of another kind is not found', async () => {
  const reply = await server.post(PATH, store([], { plugin_id: 'cd.go.authentication.passwordfile' }));
  assert.deepEqual(reply.json.data.errors.plugin_id, ['Plugin with id `cd.go.authentication.passwordfile` is not found.']);
});

test('secrets go in clear or as cipher text, not both, and come out as cipher text', async () => {
  const keys = [
    { key: 'S3Bucket', value: 'b' },
    { key: 'AWSAccessKey', value: 'k' },
  ];
  const created = await server.post(PATH, store([...keys, { key: 'AWSSecretAccessKey', value: 'sesame' }]));
  const cipherText = created.json.properties[2].encrypted_value;
  assert.match(cipherText, /^v2:/);
  const put = (property: object) => server.put(`${PATH}/s`, store([...keys, { key: 'AWSSecretAccessKey', ...property }]), '*');

  const both = await put({ value: 'x', encrypted_value: cipherText });
  const message = 'You may only specify `value` or `encrypted_value`, not both!';
  assert.deepEqual(both.json.data.properties[2].errors.configuration_value, [message]);
  assert.deepEqual(both.json.data.properties[2].errors.encrypted_value, [message]);
  assert.ok(!('errors' in both.json.data.properties[1]), both.text);

  const encrypted_value = cipherText.replace(/.{4}$/, 'AAA=');
  const tampered = await put({ encrypted_value });
  const isInvalid =
    "Encrypted value for property with key 'AWSSecretAccessKey' is invalid. This usually happens when the cipher text is modified to have an invalid value.";
  assert.deepEqual(tampered.json.data.properties, [
    ...keys,
    { key: 'AWSSecretAccessKey', encrypted_value, errors: { encrypted_value: [isInvalid] } },
  ]);

  const unsecured = await server.put(`${PATH}/s`, store([{ key: 'S3Bucket', encrypted_value: cipherText }]), '*');
  assert.deepEqual(unsecured.json.data.properties[0].errors.encrypted_value, [
    'encrypted_value cannot be specified to a unsecured property.',
  ]);

  const same = await put({ value: 'sesame' });
  assert.equal(same.etag, created.etag);
  assert.equal(same.json.properties[2].encrypted_value, cipherText);
  const other = await put({ value: 'other' });
  assert.notEqual(other.etag, created.etag);
});

test('a setting that holds an address with a password can be sent back as it was returned', async () => {
  const registry = { key: 'RegistryURL', value: 'https://me:hush@registry.example.org/releases' };
  const settings = [registry, { key: 'RegistryType', value: 'other' }, { key: 'Username', value: 'me' }, { key: 'Password', value: 'x' }];
  const docker = (properties: unknown) => ({ id: 'address', plugin_id: 'cd.go.artifact.docker.registry', properties });
  const created = await server.post(PATH, docker(settings));
  assert.equal(created.status, 200, created.text);
  assert.deepEqual(Object.keys(created.json.properties[0]), ['key', 'encrypted_value']);
  const { _links, ...sentBack } = created.json;
  const echoed = await server.put(`${PATH}/address`, sentBack, created.etag);
  assert.equal(echoed.status, 200, echoed.text);
  assert.equal(echoed.text, created.text);
  const { encrypted_value } = created.json.properties[0];
  const elsewhere = await server.put(`${PATH}/address`, docker([...settings, { key: 'RegistryID', encrypted_value }]), '*');
  assert.deepEqual(elsewhere.json.data.properties[4].errors, {
    encrypted_value: ['encrypted_value cannot be specified to a unsecured property.'],
  });
});

test('duplicate keys are reported on each of them', async () => {
  const reply = await server.post(
    PATH,
    store(
      [
        { key: 'Region', value: 'a' },
        { key: 'region', value: 'b' },
      ],
      { id: 'dup' },
    ),
  );
  assert.deepEqual(reply.json.data.properties[0].errors.configuration_key, ["Duplicate key 'Region' found for Artifact store 'dup'"]);
  assert.deepEqual(reply.json.data.properties[1].errors.configuration_key, ["Duplicate key 'region' found for Artifact store 'dup'"]);
});

test('an entry without a key cannot be read', async () => {
  const reply = await server.post(PATH, store([{ value: 'x' }]));
  assert.equal(reply.status, 400);
  assert.equal(reply.json.message, 'Payload data is not valid JSON: Could not parse configuration property');
});

test('settings of a plugin that is not installed are kept, secret-looking ones as secrets, and the health messages say so', async () => {
  const properties = [
    { key: 'Host', value: 'h' },
    { key: 'ApiToken', value: 'hush-hush' },
  ];
  const reply = await server.post(PATH, { id: 'foreign', plugin_id: 'com.example.unknown', properties });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.json.properties[0].value, 'h');
  assert.match(reply.json.properties[1].encrypted_value, /^v2:/);
  const [message] = (await healthOf(server)).filter((one) => one.message.includes('com.example.unknown'));
  assert.equal(message?.level, 'WARNING');
  await server.delete(`${PATH}/foreign`);
  assert.deepEqual(await healthOf(server), []);
});

test('a password in an address is a secret with any plugin; a text that mentions such an address is none', async () => {
  const mention = { key: 'Script', value: 'git push https://$U:$P@example.org/a.git' };
  const properties = [{ key: 'Endpoint', value: 'https://me:hush-in-url@example.org/' }, mention];
  const reply = await server.post(PATH, { id: 'addressed', plugin_id: 'com.example.unknown', properties });
  assert.match(reply.json.properties[0].encrypted_value, /^v2:/);
  assert.deepEqual(reply.json.properties[1], mention);
  assert.equal((await server.put(`${PATH}/addressed`, { ...reply.json, _links: undefined }, '*')).etag, reply.etag);
  await server.delete(`${PATH}/addressed`);
});

test('ids that differ in letter case are different stores, and a rename by case is a rename', async () => {
  const properties = [{ key: 'S3Bucket', value: 'b' }];
  assert.equal((await server.post(PATH, store(properties, { id: 'Docker' }))).status, 200);
  assert.equal((await server.post(PATH, store(properties, { id: 'docker' }))).status, 200);
  const renamed = await server.put(`${PATH}/docker`, store(properties, { id: 'DOCKER' }), '*');
  assert.equal(renamed.json.message, 'Renaming of artifactStore is not supported by this API.');
});

test('links are absolute and in order', async () => {
  await server.post(PATH, store([{ key: 'S3Bucket', value: 'b' }], { id: 'linked' }));
  assert.deepEqual((await server.get(`${PATH}/linked`)).json._links, {
    self: { href: `${server.url}${PATH}/linked` },
    doc: { href: `${server.url}/api/docs#artifact-store` },
    find: { href: `${server.url}${PATH}/:storeId` },
  });
});
