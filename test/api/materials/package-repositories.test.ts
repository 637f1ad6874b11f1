// Package repositories: ids made up, settings checked by the plugin, names, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/repositories';
const NPM = { id: 'slipway.package.npm', version: '1.0.0' };
const URL = { key: 'REPO_URL', value: 'https://npm.example.org' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NAME_RULE =
  'This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.';
const INVALID = "Validations failed for repository 'npm'. Error(s): [Validation failed.]. Please correct and resubmit.";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { repo_id } of (await server.get(PATH)).json._embedded.package_repositories) await server.delete(`${PATH}/${repo_id}`);
});

const repository = (more: object = {}) => ({ repo_id: 'npm', name: 'npm', plugin_metadata: NPM, configuration: [URL], ...more });
const post = (more: object = {}) => server.post(PATH, repository(more));
const put = (more: object = {}) => server.put(`${PATH}/npm`, repository(more), '*');

test('a package repository is written in the order of GoCD, with links and an ETag', async () => {
  const created = await post({ configuration: [URL, { key: 'TOKEN', value: 'hush' }] });
  assert.equal(created.status, 200, created.text);
  const cipherText = created.json.configuration[1].encrypted_value;
  assert.match(cipherText, /^v2:/);
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/npm` },
      doc: { href: `${server.url}/api/docs#package-repositories` },
      find: { href: `${server.url}${PATH}/:repo_id` },
    },
    repo_id: 'npm',
    name: 'npm',
    plugin_metadata: NPM,
    configuration: [URL, { key: 'TOKEN', encrypted_value: cipherText }],
    _embedded: { packages: [] },
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = await server.get(`${PATH}/npm`);
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
});

test('the list is under package_repositories, with links', async () => {
  for (const id of ['zeta', 'alpha']) await post({ repo_id: id, name: id });
  const list = await server.get(PATH);
  assert.deepEqual(list.json._links, { self: { href: server.url + PATH }, doc: { href: `${server.url}/api/docs#package-repositories` } });
  assert.deepEqual(Object.keys(list.json._embedded), ['package_repositories']);
  assert.deepEqual(
    list.json._embedded.package_repositories.map((one: { repo_id: string }) => one.repo_id),
    ['zeta', 'alpha'],
  );
});

test('errors of a package repository sent without an id are reported without an id', async () => {
  const reply = await server.post(PATH, {});
  const message = "Json `{}` does not contain property 'plugin_metadata'";
  assert.deepEqual(reply.json, {
    message,
    data: {
      repo_id: null,
      name: null,
      plugin_metadata: { id: null, version: null, errors: { id: ['Please select package repository plugin'] } },
      configuration: [],
      errors: { plugin_metadata: [message], name: ['Please provide name'] },
    },
  });
  for (const id of [undefined, null, '', ' ']) {
    const { json } = await post({ repo_id: id, name: '' });
    assert.equal(json.message, INVALID.replace("'npm'", "''"));
    assert.equal(json.data.repo_id, null);
  }
});

test('an id is made up when there is none', async () => {
  for (const [index, id] of [undefined, null, '', ' '].entries()) {
    const created = await post({ repo_id: id, name: `made-up-${index}` });
    assert.equal(created.status, 200, created.text);
    assert.match(created.json.repo_id, UUID);
    assert.equal((await server.get(`${PATH}/${created.json.repo_id}`)).text, created.text);
  }
});

test('a package repository that does not exist is not found', () =>
  isUnknown(server, `${PATH}/ghost`, repository(), "Package repository with id 'ghost' was not found!"));

test('a package repository with an id that is taken is refused beside the id', async () => {
  await post();
  const reply = await post({ name: 'other' });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.data.errors.repo_id.length, 1);
});

test('names are unique, ignoring letter case', async () => {
  await post();
  await post({ repo_id: 'other', name: 'other' });
  const again = (name: string) => ({
    name: [`You have defined multiple repositories called '${name}'. Repository names are case-insensitive and must be unique.`],
  });
  const created = await post({ repo_id: 'third', name: 'NPM' });
  assert.equal(created.status, 422);
  assert.equal(
    created.json.message,
    "Validations failed for repository 'third'. Error(s): [Validation failed.]. Please correct and resubmit.",
  );
  assert.deepEqual(created.json.data.errors, again('NPM'));
  assert.deepEqual((await put({ name: 'Other' })).json.data.errors, again('Other'));
  assert.equal((await put({ name: 'Npm' })).status, 200, 'its own name in another letter case is free');
});

test('a missing or invalid name is refused', async () => {
  for (const name of [undefined, null, '', '  ']) {
    const reply = await post({ name });
    assert.equal(reply.json.message, INVALID);
    assert.deepEqual(reply.json.data.errors, { name: ['Please provide name'] });
  }
  assert.deepEqual((await post({ name: '.npm' })).json.data.errors, { name: [`Invalid PackageRepository name '.npm'. ${NAME_RULE}`] });
});

test('the plugin must be named', async () => {
  const { plugin_metadata, ...without } = repository();
  assert.equal(
    (await server.post(PATH, { ...without, configuration: [] })).json.message,
    'Json `{"repo_id":"npm","name":"npm","configuration":[]}` does not contain property \'plugin_metadata\'',
  );
  for (const blank of [{}, { id: '' }, { id: null }]) {
    const reply = await post({ plugin_metadata: blank });
    assert.equal(reply.json.message, INVALID);
    assert.deepEqual(reply.json.data.plugin_metadata.errors, { id: ['Please select package repository plugin'] });
  }
});

test('a plugin of another kind is reported beside the id of the plugin', async () => {
  const reply = await post({ plugin_metadata: { id: 'cd.go.artifact.s3', version: '1' } });
  assert.equal(reply.json.message, INVALID);
  assert.deepEqual(reply.json.data.plugin_metadata.errors, { id: ['Invalid plugin id'] });
  assert.equal(reply.json.data.errors, undefined);
});

test('the settings of a plugin that is not installed are kept, secret-looking ones as secrets', async () => {
  const reply = await post({
    plugin_metadata: { id: 'com.example.not-installed' },
    configuration: [
      { key: 'HOST', value: 'h' },
      { key: 'API_TOKEN', value: 'hush' },
    ],
  });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(reply.json.configuration[0], { key: 'HOST', value: 'h' });
  assert.deepEqual(Object.keys(reply.json.configuration[1]), ['key', 'encrypted_value']);
});

test('all errors at once: those of the plugin stand beside the setting, or on the repository when it was not sent', async () => {
  const password = { key: 'PASSWORD', value: 'hush' };
  const reply = await post({ name: '', configuration: [{ ...URL, value: 'ftp://npm.example.org' }, password] });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, INVALID);
  assert.deepEqual(reply.json.data.configuration[0].errors, { REPO_URL: ['REPO_URL must be a valid http or https URL.'] });
  assert.deepEqual(reply.json.data.errors, {
    USERNAME: ['USERNAME cannot be blank when PASSWORD is provided.'],
    name: ['Please provide name'],
  });
  assert.deepEqual((await post({ configuration: [] })).json.data.errors, { REPO_URL: ['REPO_URL must not be blank.'] });
  assert.ok(!reply.text.includes('hush'));
});

test('each of several equal keys has an error, which names the repository', async () => {
  const reply = await post({ repo_id: 'some-id', configuration: [URL, { key: 'repo_url', value: 'https://x.example.org' }] });
  assert.deepEqual(reply.json.data.configuration[0].errors.configuration_key, ["Duplicate key 'REPO_URL' found for Repository 'npm'"]);
  assert.deepEqual(reply.json.data.configuration[1].errors.configuration_key, ["Duplicate key 'repo_url' found for Repository 'npm'"]);
});

test('a secret comes in one form at a time, can be sent back, and is refused for settings that are not secret', async () => {
  const token = (property: object) => ({ configuration: [URL, { key: 'TOKEN', ...property }] });
  const created = await post(token({ value: 'hush' }));
  const cipherText = created.json.configuration[1].encrypted_value;
  assert.equal((await put(token({ encrypted_value: cipherText }))).text, created.text);
  assert.equal((await put(token({ value: 'hush', is_secure: false }))).text, created.text, 'the sender does not decide what is secret');

  const both = 'You may only specify `value` or `encrypted_value`, not both!';
  assert.deepEqual((await put(token({ value: 'x', encrypted_value: cipherText }))).json.data.configuration[1].errors, {
    configuration_value: [both],
    encrypted_value: [both],
  });
  assert.deepEqual((await put(token({ encrypted_value: 'v1:00000000:AAAA' }))).json.data.configuration[1].errors, {
    encrypted_value: [
      "Encrypted value for property with key 'TOKEN' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
    ],
  });
  const unsecured = await put({ configuration: [URL, { key: 'USERNAME', encrypted_value: cipherText }] });
  assert.deepEqual(unsecured.json.data.configuration[1].errors, {
    encrypted_value: ['encrypted_value cannot be specified to a unsecured property.'],
  });
});

test('an entry without a key cannot be read', async () => {
  const reply = await post({ configuration: [{ value: 'x' }] });
  assert.equal(reply.status, 400);
  assert.deepEqual(reply.json, { message: 'Payload data is not valid JSON: Could not parse configuration property' });
});

test('a PUT replaces the settings, and may leave the id out', async () => {
  await post({ configuration: [URL, { key: 'TOKEN', value: 'hush' }] });
  const { repo_id, ...body } = repository({ name: 'renamed' });
  const replaced = await server.put(`${PATH}/npm`, body, '*');
  assert.equal(replaced.status, 200, replaced.text);
  assert.deepEqual([replaced.json.repo_id, replaced.json.name, replaced.json.configuration], ['npm', 'renamed', [URL]]);
});

test('another id in the body is refused', async () => {
  await post();
  for (const repo_id of ['other', 'NPM']) {
    const reply = await put({ repo_id });
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, 'Changing the repository id is not supported by this API.');
  }
});

test('a stale copy is refused before another id in the body', async () => {
  const { etag } = await post();
  await put({ name: 'changed' });
  const message =
    "Someone has modified the configuration for package repository 'npm'. Please update your copy of the config with the changes and try again.";
  for (const [known, repo_id] of [
    [etag, 'npm'],
    [undefined, 'npm'],
    [etag, 'other'],
  ] as const) {
    const reply = await server.put(`${PATH}/npm`, repository({ repo_id }), known);
    stale(reply, message, known !== undefined);
  }
});

test('a package repository is deleted', async () => {
  await post();
  const deleted = await server.delete(`${PATH}/npm`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: "Package repository with id 'npm' was deleted successfully!" });
});
