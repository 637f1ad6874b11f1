// Packages: ids made up, their place in a repository, the pipelines that use them, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/packages';
const REPOSITORIES = '/api/admin/repositories';
const PIPELINES = '/api/admin/pipelines';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NAME_RULE =
  'This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.';
const invalid = (id: string) => `Validations failed for package '${id}'. Error(s): [Validation failed.]. Please correct and resubmit.`;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  assert.equal((await server.post('/api/admin/pipeline_groups', { name: 'shop' })).status, 200);
});
after(() => server.stop());
beforeEach(async () => {
  for (const name of pipelines.splice(0)) await server.delete(`${PIPELINES}/${name}`);
  for (const { repo_id } of (await server.get(REPOSITORIES)).json._embedded.package_repositories) {
    await server.delete(`${REPOSITORIES}/${repo_id}`);
  }
  for (const id of ['npm', 'spare']) assert.equal((await server.post(REPOSITORIES, repository(id))).status, 200);
});

const repository = (id: string, more: object = {}) => ({
  repo_id: id,
  name: `${id}-repository`,
  plugin_metadata: { id: 'slipway.package.npm', version: '1' },
  configuration: [{ key: 'REPO_URL', value: `https://${id}.example.org` }],
  ...more,
});
const pkg = (id: string, more: object = {}) => ({
  id,
  name: `${id}-package`,
  auto_update: false,
  package_repo: { id: 'npm' },
  configuration: [{ key: 'PACKAGE_NAME', value: `@acme/${id}` }],
  ...more,
});
const post = (id: string, more: object = {}) => server.post(PATH, pkg(id, more));
const put = (id: string, more: object = {}) => server.put(`${PATH}/${id}`, pkg(id, more), '*');
/** The pipelines of the test that runs. */
const pipelines: string[] = [];
const pipeline = async (name: string, ...packages: string[]) => {
  const reply = await server.post(PIPELINES, {
    group: 'shop',
    pipeline: {
      name,
      materials: packages.map((ref) => ({ type: 'package', attributes: { ref } })),
      stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
    },
  });
  assert.equal(reply.status, 200, reply.text);
  pipelines.push(name);
};
const embeddedIn = async (id: string) =>
  (await server.get(`${REPOSITORIES}/${id}`)).json._embedded.packages.map((one: { id: string }) => one.id);
const idsOf = async (path: string) => (await server.get(path)).json._embedded.packages.map((one: { id: string }) => one.id);

const linksTo = (path: string, id: string, doc: string, parameter: string) => ({
  self: { href: `${server.url}${path}/${id}` },
  doc: { href: `${server.url}/api/docs#${doc}` },
  find: { href: `${server.url}${path}/:${parameter}` },
});

test('a package is written in the order of GoCD, with links and an ETag', async () => {
  const created = await post('pad', { configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }, { key: 'DIST_TAG' }] });
  assert.equal(created.status, 200, created.text);
  const shown = {
    _links: linksTo(PATH, 'pad', 'packages', 'package_id'),
    name: 'pad-package',
    id: 'pad',
    auto_update: false,
    package_repo: { _links: linksTo(REPOSITORIES, 'npm', 'package-repositories', 'repo_id'), id: 'npm', name: 'npm-repository' },
    configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }, { key: 'DIST_TAG' }],
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = await server.get(`${PATH}/pad`);
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
});

test('the list has links, and the packages of each repository together', async () => {
  await post('one');
  await post('two', { package_repo: { id: 'spare' } });
  await post('three');
  const list = await server.get(PATH);
  assert.deepEqual(list.json._links, { self: { href: server.url + PATH }, doc: { href: `${server.url}/api/docs#packages` } });
  assert.deepEqual(Object.keys(list.json._embedded), ['packages']);
  assert.deepEqual(await idsOf(PATH), ['one', 'three', 'two']);
});

test('an id is made up if it is missing, and auto_update is true by default', async () => {
  for (const [index, id] of [undefined, null, ''].entries()) {
    const { auto_update, ...body } = pkg(`p${index}`, { id });
    const created = await server.post(PATH, body);
    assert.equal(created.status, 200, created.text);
    assert.match(created.json.id, UUID);
    assert.equal(created.json.auto_update, true);
    assert.equal((await server.get(`${PATH}/${created.json.id}`)).text, created.text);
  }
});

test('a package that does not exist is not found', () =>
  isUnknown(server, `${PATH}/ghost`, pkg('ghost'), "Package definition with id 'ghost' was not found!"));

test('a package with an id that is taken is refused beside the id', async () => {
  await post('pad');
  const reply = await post('pad', { name: 'other', configuration: [{ key: 'PACKAGE_NAME', value: 'other' }] });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.data.errors.id.length, 1);
});

test('a missing or invalid name is refused', async () => {
  for (const name of [undefined, null, '', ' ']) {
    const reply = await post('pad', { name });
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, invalid('pad'));
    assert.deepEqual(reply.json.data.errors, { name: ['Package name is mandatory'] });
  }
  assert.deepEqual((await post('pad', { name: 'left pad' })).json.data.errors, { name: [`Invalid Package name 'left pad'. ${NAME_RULE}`] });
});

test('names are unique in their repository, ignoring letter case', async () => {
  await post('pad');
  await post('other');
  const again = (name: string) => ({
    name: [
      `You have defined multiple packages called '${name}'. Package names are case-insensitive and must be unique within a repository.`,
    ],
  });
  const created = await post('third', { name: 'PAD-package' });
  assert.equal(created.json.message, invalid('third'));
  assert.deepEqual(created.json.data.errors, again('PAD-package'));
  assert.deepEqual((await put('pad', { name: 'Other-Package' })).json.data.errors, again('Other-Package'));
  assert.equal((await put('pad', { name: 'PAD-package' })).status, 200, 'its own name in another letter case is free');
  assert.equal((await post('third', { name: 'pad-package', package_repo: { id: 'spare' } })).status, 200);
});

test('two packages of a repository with the same settings are refused', async () => {
  await post('pad');
  const reply = await post('copy', { configuration: [{ key: 'PACKAGE_NAME', value: '@acme/pad' }] });
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, invalid('copy'));
  assert.deepEqual(reply.json.data.errors, {
    id: [
      "Cannot save package or repo, found duplicate packages. [Repo Name: 'npm-repository', Package Name: 'pad-package'], [Repo Name: 'npm-repository', Package Name: 'copy-package']",
    ],
  });
});

test('two packages with the same settings in different repositories are two', async () => {
  await post('pad');
  const { configuration } = pkg('pad');
  assert.equal((await post('copy', { package_repo: { id: 'spare' }, configuration })).status, 200);
});

test('packages are one as soon as their repositories have the same settings, too', async () => {
  const { configuration } = pkg('pad');
  const { configuration: settings } = repository('npm');
  const message =
    "Cannot save package or repo, found duplicate packages. [Repo Name: 'npm-repository', Package Name: 'pad-package'], [Repo Name: 'spare-repository', Package Name: 'copy-package']";
  await post('pad');
  await post('copy', { package_repo: { id: 'spare' }, configuration });
  const change = (more: object) => server.put(`${REPOSITORIES}/spare`, repository('spare', more), '*');
  const changed = await change({ configuration: settings });
  assert.deepEqual([changed.status, changed.json.message], [422, message]);
  assert.equal((await change({ name: 'spare-too' })).status, 200);
  await server.delete(`${PATH}/copy`);
  assert.equal((await change({ configuration: settings })).status, 200);
  const again = await post('copy', { package_repo: { id: 'spare' }, configuration });
  assert.deepEqual([again.status, again.json.data.errors], [422, { id: [message] }]);
});

test('two package repositories are one when they differ in credentials only', async () => {
  await post('pad');
  const login = ['USERNAME', 'PASSWORD'].map((key) => ({ key, value: 'jez' }));
  const { configuration: settings } = repository('npm');
  assert.equal(
    (await server.put(`${REPOSITORIES}/spare`, repository('spare', { configuration: [...settings, ...login] }), '*')).status,
    200,
  );
  const copy = await post('copy', { package_repo: { id: 'spare' }, configuration: pkg('pad').configuration });
  assert.equal(copy.status, 422);
  assert.match(copy.json.data.errors.id[0], /found duplicate packages\./);
});

test('a missing repository, or none, is refused', async () => {
  await post('pad');
  for (const reply of [await post('new', { package_repo: { id: 'ghost' } }), await put('pad', { package_repo: { id: 'ghost' } })]) {
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, "Package repository with id 'ghost' was not found!");
    assert.equal(reply.json.data.package_repo.id, 'ghost');
  }
  const { package_repo, configuration, ...without } = pkg('new');
  assert.equal(
    (await server.post(PATH, without)).json.message,
    'Json `{"id":"new","name":"new-package","auto_update":false}` does not contain property \'package_repo\'',
  );
  assert.equal((await post('new', { package_repo: {} })).json.message, "Json `{}` does not contain property 'id'");
});

test('a repository id of the wrong type is reported once', async () => {
  const reply = await post('new', { package_repo: { id: {} } });
  const message = 'Could not read property \'id\' as a String in json `{"id":{}}` ';
  assert.equal(reply.json.message, message);
  assert.deepEqual(reply.json.data.package_repo.errors, { id: [message] });
});

test('the name of the repository is accepted and ignored', async () => {
  const { json } = await post('pad', { package_repo: { id: 'npm', name: 'something else' } });
  assert.equal(json.package_repo.name, 'npm-repository');
});

test('errors of the plugin stand beside the setting, or on the package when the setting was not sent', async () => {
  const blank = await post('pad', { configuration: [{ key: 'PACKAGE_NAME', value: '' }] });
  assert.equal(blank.json.message, invalid('pad'));
  assert.deepEqual(blank.json.data.configuration, [{ key: 'PACKAGE_NAME', errors: { PACKAGE_NAME: ['PACKAGE_NAME must not be blank.'] } }]);
  const { configuration, ...without } = pkg('pad');
  assert.deepEqual((await server.post(PATH, without)).json.data.errors, { PACKAGE_NAME: ['PACKAGE_NAME must not be blank.'] });
});

test('equal keys, both forms of a value, and cipher text for settings that are not secret are refused', async () => {
  const name = { key: 'PACKAGE_NAME', value: 'x' };
  const duplicates = await post('pad', { configuration: [name, { key: 'package_name', value: 'y' }] });
  assert.deepEqual(duplicates.json.data.configuration[0].errors.configuration_key, [
    "Duplicate key 'PACKAGE_NAME' found for Package 'pad-package'",
  ]);
  assert.deepEqual(duplicates.json.data.configuration[1].errors.configuration_key, [
    "Duplicate key 'package_name' found for Package 'pad-package'",
  ]);
  const both = await post('pad', { configuration: [name, { key: 'DIST_TAG', value: 'x', encrypted_value: 'y' }] });
  const message = 'You may only specify `value` or `encrypted_value`, not both!';
  assert.deepEqual(both.json.data.configuration[1].errors, { configuration_value: [message], encrypted_value: [message] });
  const unsecured = await post('pad', { configuration: [name, { key: 'DIST_TAG', encrypted_value: 'v1:00000000:AAAA' }] });
  assert.deepEqual(unsecured.json.data.configuration[1].errors, {
    encrypted_value: ['encrypted_value cannot be specified to a unsecured property.'],
  });
});

test('a PUT may leave the id out, but not change it', async () => {
  await post('pad');
  const { id, ...body } = pkg('pad', { auto_update: true });
  const replaced = await server.put(`${PATH}/pad`, body, '*');
  assert.equal(replaced.status, 200, replaced.text);
  assert.deepEqual([replaced.json.id, replaced.json.auto_update], ['pad', true]);
  const renamed = await put('pad', { id: 'other' });
  assert.equal(renamed.status, 422);
  assert.equal(renamed.json.message, 'Changing the package id is not supported by this API.');
  assert.equal(renamed.json.data.id, 'other');
});

test('a stale copy is refused before another id in the body', async () => {
  const { etag } = await post('pad');
  await put('pad', { auto_update: true });
  for (const [known, id] of [
    [etag, 'pad'],
    [undefined, 'pad'],
    [etag, 'other'],
  ] as const) {
    const reply = await server.put(`${PATH}/pad`, pkg('pad', { id }), known);
    stale(
      reply,
      "Someone has modified the configuration for packageDefinition 'pad'. Please update your copy of the config with the changes and try again.",
      known !== undefined,
    );
  }
});

test('the repository of a package embeds it, with links and under a new ETag', async () => {
  const before = await server.get(`${REPOSITORIES}/npm`);
  const spare = await server.get(`${REPOSITORIES}/spare`);
  const created = await post('pad');
  const after = await server.get(`${REPOSITORIES}/npm`);
  assert.equal(
    JSON.stringify(after.json._embedded),
    JSON.stringify({ packages: [{ _links: linksTo(PATH, 'pad', 'packages', 'package_id'), name: 'pad-package', id: 'pad' }] }),
  );
  assert.notEqual(after.etag, before.etag);
  assert.equal((await server.get(`${REPOSITORIES}/spare`)).etag, spare.etag, 'another repository is not concerned');
  assert.equal((await server.put(`${REPOSITORIES}/npm`, repository('npm'), before.etag)).status, 412);

  await put('pad', { name: 'renamed' });
  const renamed = await server.get(`${REPOSITORIES}/npm`);
  assert.equal(renamed.json._embedded.packages[0].name, 'renamed');
  assert.notEqual(renamed.etag, after.etag);
  await server.delete(`${PATH}/pad`);
  const emptied = await server.get(`${REPOSITORIES}/npm`);
  assert.equal(emptied.text, before.text);
  assert.equal(emptied.etag, before.etag);
  assert.notEqual(created.etag, emptied.etag);
});

test('a PUT of the repository keeps its packages, and ignores those in its body', async () => {
  await post('pad');
  const { json, etag } = await server.put(`${REPOSITORIES}/npm`, repository('npm', { name: 'new-name', _embedded: { packages: [] } }), '*');
  assert.deepEqual(
    json._embedded.packages.map((one: { id: string }) => one.id),
    ['pad'],
  );
  assert.equal((await server.get(`${REPOSITORIES}/npm`)).etag, etag);
});

test('a package shows the new name of its repository, and keeps its ETag', async () => {
  const { etag } = await post('pad');
  await server.put(`${REPOSITORIES}/npm`, repository('npm', { name: 'new-name' }), '*');
  const read = await server.get(`${PATH}/pad`);
  assert.equal(read.json.package_repo.name, 'new-name');
  assert.equal(read.etag, etag);
});

test('a restart changes neither the order of embedded packages nor the ETag of their repository', async () => {
  for (const id of ['one', 'two', 'three']) await post(id);
  await put('one', { auto_update: true });
  const order = await embeddedIn('npm');
  const { etag } = await server.get(`${REPOSITORIES}/npm`);
  await server.restart();
  assert.deepEqual(await embeddedIn('npm'), order);
  assert.equal((await server.get(`${REPOSITORIES}/npm`)).etag, etag);
});

test('a PUT may move a package, and both repositories show it', async () => {
  await post('pad');
  const npm = await server.get(`${REPOSITORIES}/npm`);
  const spare = await server.get(`${REPOSITORIES}/spare`);
  const moved = await put('pad', { package_repo: { id: 'spare' } });
  assert.equal(moved.status, 200, moved.text);
  assert.equal(
    JSON.stringify(moved.json.package_repo),
    JSON.stringify({
      _links: linksTo(REPOSITORIES, 'spare', 'package-repositories', 'repo_id'),
      id: 'spare',
      name: 'spare-repository',
    }),
  );
  assert.deepEqual([await embeddedIn('npm'), await embeddedIn('spare')], [[], ['pad']]);
  assert.notEqual((await server.get(`${REPOSITORIES}/npm`)).etag, npm.etag);
  assert.notEqual((await server.get(`${REPOSITORIES}/spare`)).etag, spare.etag);
  await server.delete(`${REPOSITORIES}/npm`);
  assert.equal((await server.get(`${PATH}/pad`)).status, 200, 'it no longer goes with the repository it left');
});

test('a package that is moved must fit where it goes', async () => {
  await post('pad');
  await post('other', { name: 'Pad-Package', package_repo: { id: 'spare' } });
  const taken = await put('pad', { package_repo: { id: 'spare' } });
  assert.equal(taken.status, 422);
  assert.deepEqual(Object.keys(taken.json.data.errors), ['name']);
  const httpJson = { plugin_metadata: { id: 'slipway.package.http-json', version: '1' } };
  await server.post(REPOSITORIES, repository('json', httpJson));
  const otherPlugin = await put('pad', { package_repo: { id: 'json' } });
  assert.deepEqual(Object.keys(otherPlugin.json.data.errors), ['PACKAGE_PATH', 'REVISION_POINTER']);
  assert.deepEqual(await embeddedIn('npm'), ['pad']);
});

test('usages name the pipelines with their groups', async () => {
  await post('pad');
  await post('other');
  await pipeline('Web', 'pad');
  await pipeline('billing', 'other', 'pad');
  await pipeline('unconcerned', 'other');
  const reply = await server.get(`${PATH}/pad/usages`);
  assert.equal(reply.status, 200);
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/pad/usages` },
      doc: { href: `${server.url}/api/docs#packages` },
      find: { href: `${server.url}${PATH}/:package_id/usages` },
    },
    usages: [
      { group: 'shop', pipeline: 'Web' },
      { group: 'shop', pipeline: 'billing' },
    ],
  };
  assert.equal(reply.text, JSON.stringify(shown));
});

test('a missing package has no usages', async () => {
  const { status, json } = await server.get(`${PATH}/ghost/usages`);
  assert.equal(status, 200);
  assert.deepEqual(json.usages, []);
});

test('a package is deleted only when no pipeline uses it', async () => {
  await post('pad');
  await pipeline('Web', 'pad');
  await pipeline('Billing', 'pad');
  const refused = await server.delete(`${PATH}/pad`);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json, { message: "Cannot delete the package definition 'pad' as it is used by pipeline(s): 'web, billing'" });
  for (const name of ['Web', 'Billing']) await server.delete(`${PIPELINES}/${name}`);
  const deleted = await server.delete(`${PATH}/pad`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, { message: "Package definition with id 'pad' was deleted successfully!" });
});

test('a repository is deleted with its packages when no pipeline uses them', async () => {
  for (const id of ['one', 'two']) await post(id);
  await post('elsewhere', { package_repo: { id: 'spare' } });
  await pipeline('Web', 'two', 'one');
  await pipeline('unconcerned', 'elsewhere');
  const refused = await server.delete(`${REPOSITORIES}/npm`);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.json, { message: "Cannot delete the package repository 'npm' as it is used by pipeline(s): 'web'" });
  assert.deepEqual(await idsOf(PATH), ['one', 'two', 'elsewhere']);
  await server.delete(`${PIPELINES}/Web`);
  const deleted = await server.delete(`${REPOSITORIES}/npm`);
  assert.equal(deleted.status, 200);
  assert.deepEqual(await idsOf(PATH), ['elsewhere']);
  assert.equal((await server.get(`${PATH}/one`)).status, 404);
  await server.restart();
  assert.deepEqual(await idsOf(PATH), ['elsewhere']);
});
