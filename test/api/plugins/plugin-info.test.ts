// Plugin info: every plugin of the server, with the settings it takes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bundledPlugins } from '../../../src/plugins/installed.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/plugin_info';
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  artifact: ['store_config_settings', 'artifact_config_settings', 'fetch_artifact_settings'],
  authorization: ['auth_config_settings'],
  'elastic-agent': ['cluster_profile_settings', 'elastic_agent_profile_settings'],
  'package-repository': ['repository_settings', 'package_settings'],
};

interface PluginInfo {
  readonly id: string;
  readonly _links: { readonly self: { readonly href: string } };
  readonly extensions: readonly ({ readonly type: string; readonly capabilities?: object } & Readonly<Record<string, unknown>>)[];
}

let server: TestServer;
let jez: string;
before(async () => {
  server = await startServer();
  jez = await addUser(server, 'jez');
});
after(() => server.stop());

const listed = async (query = ''): Promise<PluginInfo[]> =>
  accepted(await server.get(PATH + query, { as: jez })).json._embedded.plugin_info;

test('every installed plugin is listed, and each is shown alone in the same way', async () => {
  const plugins = await listed();
  assert.deepEqual(
    plugins.map(({ id }) => id),
    bundledPlugins.map(({ id }) => id),
  );
  for (const plugin of plugins) {
    const alone = accepted(await server.get(plugin._links.self.href.slice(server.url.length), { as: jez }));
    assert.deepEqual(alone.json, plugin);
    assert.equal((await server.get(`${PATH}/${plugin.id}`, { headers: { 'If-None-Match': alone.etag! } })).status, 304);
  }
});

test('a plugin shows its identity, its capabilities and its settings', async () => {
  const { json } = await server.get(`${PATH}/cd.go.authentication.ldap`);
  assert.deepEqual(json._links, {
    self: { href: `${server.url}${PATH}/cd.go.authentication.ldap` },
    doc: { href: `${server.url}/api/docs#plugin-info` },
    find: { href: `${server.url}${PATH}/:plugin_id` },
  });
  assert.deepEqual([json.id, json.status, json.bundled_plugin], ['cd.go.authentication.ldap', { state: 'active' }, true]);
  assert.deepEqual(Object.keys(json.about), ['name', 'version', 'description', 'vendor']);
  const [{ type, capabilities, auth_config_settings: settings }] = json.extensions;
  assert.equal(type, 'authorization');
  assert.deepEqual(capabilities, { supported_auth_type: 'Password', can_search: true, can_authorize: false });
  assert.deepEqual(
    settings.configurations.map(({ key, metadata }: { key: string; metadata: { required: boolean; secure: boolean } }) =>
      [key, metadata.required && 'required', metadata.secure && 'secure'].filter(Boolean).join(' '),
    ),
    [
      'Url required',
      'SearchBases required',
      'ManagerDN',
      'Password secure',
      'UserSearchFilter',
      'UserLoginFilter required',
      'DisplayNameAttribute',
      'EmailAttribute',
      'SearchTimeout',
    ],
  );
});

test('plugin info can be narrowed to one kind; every plugin of a kind has the blocks of that kind', async () => {
  for (const [type, blocks] of Object.entries(BLOCKS)) {
    const plugins = await listed(`?type=${type}`);
    assert.ok(plugins.length > 0, type);
    for (const { id, extensions } of plugins) {
      assert.equal(extensions[0]!.type, type);
      for (const block of blocks) assert.ok(block in extensions[0]!, `${id} lacks ${block}`);
    }
  }
  assert.ok((await listed('?type=configrepo')).length > 0);
  assert.deepEqual(await listed('?type=spaceship'), []);
});

test('an unknown plugin is not found', async () => {
  const reply = await server.get(`${PATH}/no.such.plugin`);
  assert.equal(reply.status, 404);
  assert.equal(reply.json.message, "Plugin with id 'no.such.plugin' was not found!");
});

test('a narrowed list has an ETag of its own', async () => {
  const all = await server.get(PATH);
  const some = await server.get(`${PATH}?type=artifact`);
  assert.notEqual(all.etag, some.etag);
  assert.equal((await server.get(PATH, { headers: { 'If-None-Match': all.etag! } })).status, 304);
  assert.equal((await server.get(PATH, { headers: { 'If-None-Match': some.etag! } })).status, 200);
});

test('every setting says how users fill it in, beside the metadata of GoCD', async () => {
  const settings = (await listed()).flatMap(({ id, extensions }) =>
    extensions.flatMap((extension) =>
      Object.values(extension).flatMap((block) => (isSettings(block) ? block.configurations.map((one) => ({ id, ...one })) : [])),
    ),
  );
  assert.ok(settings.length > 100);
  for (const { id, key, metadata, label, kind, default: defaultValue, choices, description } of settings) {
    assert.deepEqual(Object.keys(metadata), ['required', 'secure'], `${id} ${key}`);
    assert.match(label, /^[A-Z][\w ]+$/, `${id} ${key}`);
    assert.ok(['text', 'multiline', 'number', 'boolean', 'choice'].includes(kind), `${id} ${key}`);
    assert.equal(kind === 'choice', choices.length > 0, `${id} ${key}`);
    assert.ok(kind !== 'choice' || defaultValue === null || choices.some(({ value }) => value === defaultValue), `${id} ${key}`);
    assert.ok(description === null || description.endsWith('.'), `${id} ${key}`);
  }
});

test('a setting that only the check of its plugin asks for is not optional', async () => {
  const { json } = await server.get(`${PATH}/cd.go.artifact.s3`);
  const { configurations } = json.extensions[0].artifact_config_settings;
  assert.deepEqual(
    configurations.map(({ key, metadata, optional }: Setting) => [key, metadata, optional]),
    [
      ['Source', { required: false, secure: false }, false],
      ['Destination', { required: false, secure: false }, true],
    ],
  );
});

test('a choice has a label for each value', async () => {
  const { json } = await server.get(`${PATH}/cd.go.artifact.docker.registry`);
  assert.deepEqual(json.extensions[0].store_config_settings.configurations[0], {
    key: 'RegistryType',
    metadata: { required: true, secure: false },
    optional: false,
    label: 'Registry type',
    kind: 'choice',
    default: null,
    choices: [
      { value: 'ecr', label: 'Amazon ECR' },
      { value: 'other', label: 'Any other registry' },
    ],
    description: null,
  });
});

interface Setting {
  readonly key: string;
  readonly metadata: object;
  readonly optional: boolean;
  readonly label: string;
  readonly kind: string;
  readonly default: string | null;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly description: string | null;
}

function isSettings(block: unknown): block is { readonly configurations: readonly Setting[] } {
  return typeof block === 'object' && block !== null && 'configurations' in block;
}
