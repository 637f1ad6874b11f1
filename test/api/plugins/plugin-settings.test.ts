// Plugin settings: which plugins take some, the errors of the plugin, and the exact messages.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { stale } from '../../support/requests/replies.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/plugin_settings';
const YAML = 'yaml.config.plugin';
const JSON_FILES = 'json.config.plugin';
const INVALID = 'Save failed. There are errors in the plugin settings. Please fix them and resubmit.';
const PATTERN = { key: 'file_pattern', value: 'ci/**/*.yaml' };

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { plugin_id } of await listed()) accepted(await server.delete(`${PATH}/${plugin_id}`));
});

const listed = async (): Promise<{ plugin_id: string }[]> => accepted(await server.get(PATH)).json._embedded.plugin_settings;
const post = (configuration: readonly object[], plugin_id = YAML) => server.post(PATH, { plugin_id, configuration });

function failed(reply: Reply, status: number, message: string): Reply {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.json.message, message);
  return reply;
}

test('plugin settings are written in the order of GoCD, with links and an ETag', async () => {
  const created = accepted(await post([PATTERN]));
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/${YAML}` },
      doc: { href: `${server.url}/api/docs#plugin-settings` },
      find: { href: `${server.url}${PATH}/:plugin_id` },
    },
    plugin_id: YAML,
    configuration: [PATTERN],
  };
  assert.equal(created.text, JSON.stringify(shown));
  const read = accepted(await server.get(`${PATH}/${YAML}`));
  assert.deepEqual([read.text, read.etag], [created.text, created.etag]);
  accepted(await post([{ key: 'pipeline_pattern', value: '*.json' }], JSON_FILES));
  assert.deepEqual(
    (await listed()).map(({ plugin_id }) => plugin_id),
    [YAML, JSON_FILES],
  );
});

test('a plugin that is unknown, takes none or has none so far has none to show or replace', async () => {
  for (const id of ['no.such.plugin', 'cd.go.artifact.s3', YAML]) {
    const message = `Plugin settings with id '${id}' was not found!`;
    failed(await server.get(`${PATH}/${id}`), 404, message);
    failed(await server.put(`${PATH}/${id}`, { plugin_id: id, configuration: [] }, '*'), 404, message);
    failed(await server.delete(`${PATH}/${id}`), 404, message);
  }
});

test('a plugin that takes none says so', async () => {
  const message = "The plugin with id 'cd.go.artifact.s3' does not support plugin-settings.";
  const { json } = failed(
    await post([{ key: 'Region', value: 'north' }], 'cd.go.artifact.s3'),
    422,
    `Your request could not be processed. ${message}`,
  );
  assert.deepEqual(json.data.errors, { plugin_id: [message] });
});

test('keys that the plugin does not know, and keys that come twice, are refused beside them', async () => {
  const { json } = failed(await post([PATTERN, { key: 'FILE_PATTERN', value: 'x' }]), 422, INVALID);
  const twice = (key: string) => [`Duplicate key '${key}' found for Plugin settings '${YAML}'`];
  assert.deepEqual(
    json.data.configuration.map((one: { errors: object }) => one.errors),
    [{ configuration_key: twice('file_pattern') }, { configuration_key: twice('FILE_PATTERN'), FILE_PATTERN: ['Is an unknown property'] }],
  );
});

test('each plugin has its settings once, replaced only with the ETag of the current version', async () => {
  const { etag } = accepted(await post([PATTERN]));
  failed(await post([]), 422, `Save failed. Plugin settings for the plugin \`${YAML}\` already exist. Use PUT to change them.`);
  const put = (value: string, ifMatch?: string) => server.put(`${PATH}/${YAML}`, { configuration: [{ ...PATTERN, value }] }, ifMatch);
  const message = 'Someone has modified the entity. Please update your copy with the changes and try again.';
  stale(await put('other/*'), message, false);
  assert.equal(accepted(await put('other/*', etag)).json.configuration[0].value, 'other/*');
  stale(await put('late/*', etag), message);
});

test('settings of a plugin that is not installed are kept, and the server says so', async () => {
  const { json } = accepted(await post([{ key: 'api_token', value: 'hush' }], 'com.example.absent'));
  assert.deepEqual(Object.keys(json.configuration[0]), ['key', 'encrypted_value']);
  const messages = (await server.get('/api/server_health_messages')).json as { message: string }[];
  assert.ok(messages.some(({ message }) => message === "Plugin 'com.example.absent' is not installed"));
});

test('plugin info shows which settings a plugin takes', async () => {
  const settingsOf = async (id: string) => (await server.get(`/api/admin/plugin_info/${id}`)).json.extensions[0].plugin_settings;
  const metadata = { required: false, secure: false };
  const { configurations } = await settingsOf(JSON_FILES);
  assert.partialDeepStrictEqual(configurations, [
    { key: 'pipeline_pattern', metadata },
    { key: 'environment_pattern', metadata },
  ]);
  assert.equal(configurations.length, 2);
  assert.equal(await settingsOf('cd.go.artifact.s3'), undefined);
});
