// SCMs: found by name, referred to by id, with the settings of a plugin.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import { failed, stale } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';
import { create, errorsIn, NAME_RULE, pipeline, removeAll } from '../pipelines/bodies.ts';

const PATH = '/api/admin/scms';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const METADATA = { id: 'github.pr', version: '1.4' };

let server: TestServer;
let boss: string;
let plain: string;
before(async () => {
  server = await startServer();
  boss = await addUser(server, 'boss');
  plain = await addUser(server, 'plain');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization: { admins: { users: ['boss'] } } }));
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  for (const { name } of (await server.get(PATH)).json._embedded.scms) accepted(await server.delete(`${PATH}/${name}`));
});

const url = (value: string) => ({ key: 'url', value });
const scm = (more: object = {}) => ({
  id: 'scm-id',
  name: 'tools',
  plugin_metadata: METADATA,
  configuration: [url('https://scm.example.org/tools')],
  ...more,
});
const post = (more: object = {}) => server.post(PATH, scm(more));

test('an SCM is shown whole, in the order of GoCD', async () => {
  const created = accepted(await post());
  assert.equal(
    created.text,
    JSON.stringify({
      _links: {
        doc: { href: `${server.url}/api/docs#scms` },
        self: { href: `${server.url}${PATH}/tools` },
        find: { href: `${server.url}${PATH}/:material_name` },
      },
      id: 'scm-id',
      name: 'tools',
      auto_update: true,
      origin: { type: 'gocd' },
      plugin_metadata: METADATA,
      configuration: [url('https://scm.example.org/tools')],
    }),
  );
  assert.equal(created.headers.get('content-type'), 'application/vnd.svc.v4+json; charset=utf-8');
});

test('an SCM is read, listed, replaced and deleted by its name, ignoring letter case', async () => {
  const created = accepted(await post());
  assert.equal((await server.get(`${PATH}/TOOLS`)).text, created.text);
  assert.deepEqual((await server.get(PATH)).json._embedded.scms, [created.json]);
  const replaced = accepted(await server.put(`${PATH}/Tools`, scm({ auto_update: false }), created.etag));
  assert.equal(replaced.json.auto_update, false);
  const deleted = accepted(await server.delete(`${PATH}/tools`));
  assert.equal(deleted.json.message, "SCM with name 'tools' was deleted successfully!");
  failed(await server.get(`${PATH}/tools`), 404, "SCM with name 'tools' was not found!");
});

test('an id is made up for one that comes without', async () => {
  const created = accepted(await post({ id: undefined }));
  assert.match(created.json.id, UUID);
  accepted(await server.put(`${PATH}/tools`, scm({ id: undefined }), created.etag));
  assert.equal((await server.get(`${PATH}/tools`)).json.id, created.json.id);
});

test('a name that is taken is refused', async () => {
  accepted(await post());
  const reply = await post({ id: 'other', name: 'TOOLS', configuration: [url('elsewhere')] });
  failed(reply, 422, "Failed to add scm 'TOOLS'. Another scm with the same name already exists.");
  assert.deepEqual(errorsIn(reply.json.data), { name: ["SCM name should be unique. SCM with name 'TOOLS' already exists."] });
});

test('an id that is taken is refused', async () => {
  accepted(await post());
  const reply = await post({ name: 'other', configuration: [url('elsewhere')] });
  failed(reply, 422, "Failed to add scm 'other'. Another scm with the same name already exists.");
  assert.deepEqual(errorsIn(reply.json.data), { id: ["SCM id should be unique. SCM with id 'scm-id' already exists."] });
});

test('two SCMs with the same settings are refused', async () => {
  accepted(await post());
  const reply = await post({ id: 'other', name: 'twin' });
  assert.equal(reply.status, 422, reply.text);
  const [message] = Object.values(errorsIn(reply.json.data)).flat();
  assert.match(message!, /^Cannot save SCM, found duplicate SCMs\. (tools, twin|twin, tools)$/);
});

test('two SCMs that differ only in credentials are refused, if their plugin says they are the same', async () => {
  const settings = (path: string, password: string) =>
    Object.entries({ url: 'https://scm.example.org/tools', path, username: 'jez', password }).map(([key, value]) => ({ key, value }));
  const watching = (name: string, path: string, password: string) => {
    const plugin_metadata = { id: 'git-path', version: '1' };
    return post({ id: name, name, plugin_metadata, configuration: settings(path, password) });
  };
  accepted(await watching('docs', 'docs', 'one'));
  accepted(await watching('src', 'src', 'one'));
  const reply = await watching('twin', 'docs', 'two');
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(errorsIn(reply.json.data), { id: ['Cannot save SCM, found duplicate SCMs. docs, twin'] });
});

test('invalid names, plugins and settings are refused', async () => {
  const rows: readonly [more: object, errors: Record<string, string[]>][] = [
    [{ name: '' }, { name: ['Please provide name'] }],
    [{ name: 'a b' }, { name: [`Invalid SCM name 'a b'. ${NAME_RULE}`] }],
    [
      { configuration: [url('x'), { key: 'URL', value: 'y' }] },
      {
        'configuration.0.configuration_key': ["Duplicate key 'url' found for SCM 'tools'"],
        'configuration.1.configuration_key': ["Duplicate key 'URL' found for SCM 'tools'"],
      },
    ],
  ];
  for (const [more, errors] of rows) {
    const reply = await post(more);
    assert.equal(reply.status, 422);
    assert.deepEqual(errorsIn(reply.json.data), errors);
  }
  assert.equal((await post({ plugin_metadata: undefined })).status, 422);
  assert.equal((await post({ plugin_metadata: { id: '' } })).status, 422);
});

test('another name or id in a PUT is refused', async () => {
  accepted(await post());
  for (const more of [{ name: 'renamed' }, { id: 'other' }]) {
    failed(await server.put(`${PATH}/tools`, scm(more), '*'), 422, 'Renaming of scm is not supported by this API.');
  }
});

test('a PUT needs the current ETag', async () => {
  accepted(await post());
  const message =
    "Someone has modified the configuration for scm 'scm-id'. Please update your copy of the config with the changes and try again.";
  for (const known of [undefined, '"stale"']) stale(await server.put(`${PATH}/tools`, scm(), known), message, known !== undefined);
});

test('secret settings are encrypted, and kept when they come back', async () => {
  const created = accepted(await post({ configuration: [url('x'), { key: 'password', value: 'hush-hush' }] }));
  assert.ok(!created.text.includes('hush-hush'));
  assert.match(created.json.configuration[1].encrypted_value, /^v2:/);
  const again = accepted(await server.put(`${PATH}/tools`, created.json, created.etag));
  assert.equal(again.etag, created.etag);
});

test('usages of an SCM name pipelines and groups, and it is not deleted while it has any', async () => {
  accepted(await post());
  const usages = async () => accepted(await server.get(`${PATH}/tools/usages`)).json.usages;
  assert.deepEqual(await usages(), []);
  accepted(await create(server, pipeline('web', { materials: [{ type: 'plugin', attributes: { ref: 'scm-id' } }] })));
  assert.deepEqual(await usages(), [{ group: 'g', pipeline: 'web' }]);
  const reply = await server.delete(`${PATH}/tools`);
  assert.equal(reply.status, 422);
  assert.match(reply.json.message, /\bweb\b/);
});

test('SCMs are for administrators and group administrators only', async () => {
  accepted(await post());
  accepted(await server.get(PATH, { as: boss }));
  accepted(await server.get(`${PATH}/tools`, { as: boss }));
  accepted(await server.put(`${PATH}/tools`, scm({ auto_update: false }), '*', { as: boss }));
  for (const reply of [
    await server.get(PATH, { as: plain }),
    await server.get(`${PATH}/tools`, { as: plain }),
    await server.post(PATH, scm({ id: 'x', name: 'x' }), { as: plain }),
    await server.delete(`${PATH}/tools`, { as: plain }),
  ]) {
    failed(reply, 403, 'You are not authorized to perform this action.');
  }
});
