// `?at=`: which moments there are, which users may see them, and the rest of the configuration at that moment.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { changeRows, rowsIn } from '../support/database/sql.ts';
import { gitMaterial, smallPipeline } from '../support/requests/bodies.ts';
import { addUser } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

const ENVIRONMENTS = '/api/admin/environments';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

async function revisionOf(changing: ReturnType<TestServer['get']>): Promise<number> {
  const reply = await changing;
  assert.equal(reply.status, 200, reply.text);
  return Number(reply.headers.get('x-svc-revision'));
}

const variable = (value: string) => [{ name: 'V', value }];

describe('moments', () => {
  let created: number;
  let changed: number;
  before(async () => {
    created = await revisionOf(server.post(ENVIRONMENTS, { name: 'Moments', environment_variables: variable('1') }));
    changed = await revisionOf(server.put(`${ENVIRONMENTS}/moments`, { name: 'Moments', environment_variables: variable('2') }, '*'));
  });

  test('a revision shows everything as it was right after it', async () => {
    const path = `${ENVIRONMENTS}/MOMENTS?at=`;
    const { json, headers } = await server.get(path + created);
    assert.equal(json.environment_variables[0].value, '1');
    assert.equal(headers.get('x-svc-revision'), String(created));
    assert.equal((await server.get(path + changed)).json.environment_variables[0].value, '2');
    const before = await server.get(path + (created - 1));
    assert.equal(before.status, 404);
    assert.equal(before.json.message, "Environment with name 'MOMENTS' was not found!");
  });

  test('a time shows the last revision until then', async () => {
    const { json } = await server.get(`/api/admin/config/revisions/${created}`);
    const { headers } = await server.get(`${ENVIRONMENTS}/moments?at=${encodeURIComponent(json.time)}`);
    const shown = Number(headers.get('x-svc-revision'));
    // Both may have been made in the same millisecond.
    assert.ok(shown >= created && shown <= changed);
    const now = await server.get(`${ENVIRONMENTS}/moments?at=${new Date().toISOString()}`);
    assert.equal(now.json.environment_variables[0].value, '2');
  });

  test('the ETag is known again', async () => {
    const { etag } = await server.get(`${ENVIRONMENTS}/moments?at=${created}`);
    assert.equal((await server.get(`${ENVIRONMENTS}/moments?at=${created}`, { headers: { 'If-None-Match': etag! } })).status, 304);
    assert.equal((await server.get(`${ENVIRONMENTS}/moments`, { headers: { 'If-None-Match': etag! } })).status, 200);
  });

  test('HEAD is answered, too', async () => {
    const reply = await server.ask('HEAD', `${ENVIRONMENTS}/moments?at=${created}`);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('x-svc-revision'), String(created));
  });

  test('values that are no moment, and moments that do not exist, get different answers', async () => {
    const answers: [at: string, status: number, message: RegExp][] = [
      ['', 400, /^Value `` is not allowed for query parameter named `at`\. Valid values are/],
      ['yesterday', 400, /^Value `yesterday` is not allowed/],
      ['2026-02-31', 400, /^Value `2026-02-31` is not allowed/],
      ['0', 404, /^There is no revision 0: they go from 1 to \d+\.$/],
      ['999999', 404, /^There is no revision 999999: they go from 1 to \d+\.$/],
      ['1999-12-31', 404, /^There was no configuration yet at 1999-12-31T00:00:00\.000Z\.$/],
      ['2999-12-31', 404, /^2999-12-31T00:00:00\.000Z is in the future\.$/],
    ];
    for (const path of [
      ENVIRONMENTS,
      `${ENVIRONMENTS}/moments`,
      '/api/config/mailserver',
      '/api/admin/config.xml',
      '/api/admin/pipelines',
    ]) {
      for (const [at, status, message] of answers) {
        const reply = await server.get(`${path}?at=${at}`);
        assert.equal(reply.status, status, `${path} ${at}: ${reply.text}`);
        assert.match(reply.json.message, message);
      }
    }
  });
});

describe('the rest of the configuration', () => {
  test('a list has the members that it had then, in the order of that time', async () => {
    const path = '/api/admin/artifact_stores';
    const store = (id: string) => ({ id, plugin_id: 'p', properties: [] });
    for (const id of ['zebra', 'ant']) await server.post(path, store(id));
    const both = await revisionOf(server.post(path, store('bee')));
    await server.delete(`${path}/zebra`);
    const again = await revisionOf(server.post(path, store('zebra')));
    const idsAt = async (at: number) =>
      (await server.get(`${path}?at=${at}`)).json._embedded.artifact_stores.map(({ id }: { id: string }) => id);
    assert.deepEqual(await idsAt(both), ['zebra', 'ant', 'bee']);
    assert.deepEqual(await idsAt(again), ['ant', 'bee', 'zebra']);
    assert.deepEqual(await idsAt(1), []);
  });

  test('an entity shows others as they were then', async () => {
    const repository = { repo_id: 'npm', name: 'npm', plugin_metadata: { id: 'slipway.package.npm', version: '1' } };
    const url = (value: string) => ({ ...repository, configuration: [{ key: 'REPO_URL', value }] });
    const pack = (name: string) => ({
      id: 'pad',
      name,
      package_repo: { id: 'npm' },
      configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }],
    });
    await server.post('/api/admin/repositories', url('https://one.example.org'));
    const at = await revisionOf(server.post('/api/admin/packages', pack('first')));
    const then = await server.get('/api/admin/repositories/npm');
    await server.put('/api/admin/packages/pad', pack('renamed'), '*');
    await server.delete('/api/admin/packages/pad');
    const shown = await server.get(`/api/admin/repositories/npm?at=${at}`);
    assert.equal(shown.json._embedded.packages[0].name, 'first');
    assert.equal(shown.text, then.text);
    assert.equal(shown.etag, then.etag);
    assert.notEqual((await server.get('/api/admin/repositories/npm')).etag, then.etag);
  });

  test('a group shows the pipelines that were in it then, and only they are read', async () => {
    const pipeline = (name: string, group: string) => smallPipeline(name, { group });
    const create = (name: string, group: string) => server.post('/api/admin/pipelines', { group, pipeline: pipeline(name, group) });
    for (const name of ['second', 'first', 'leaves']) await revisionOf(create(name, 'Crowd'));
    const then = await server.get('/api/admin/pipeline_groups/crowd');
    const at = await revisionOf(create('elsewhere', 'others'));
    await revisionOf(server.put('/api/admin/pipelines/leaves', pipeline('leaves', 'others'), '*'));
    await revisionOf(server.put('/api/admin/pipelines/elsewhere', pipeline('elsewhere', 'crowd'), '*'));
    await server.delete('/api/admin/pipelines/first');
    const shown = await server.get(`/api/admin/pipeline_groups/CROWD?at=${at}`);
    assert.equal(shown.text, then.text);
    assert.equal(shown.etag, then.etag);
    const namesNow = (await server.get('/api/admin/pipeline_groups/crowd')).json.pipelines.map(({ name }: { name: string }) => name);
    assert.deepEqual(namesNow, ['second', 'elsewhere']);
  });

  test('an entity that is addressed by its name is found by the name it had', async () => {
    const scm = (name: string) => ({
      id: 'one',
      name,
      plugin_metadata: { id: 'github.pr', version: '1' },
      configuration: [{ key: 'url', value: `https://scm.example.org/${name}` }],
    });
    const at = await revisionOf(server.post('/api/admin/scms', scm('tools')));
    await server.delete('/api/admin/scms/tools');
    await server.post('/api/admin/scms', { ...scm('others'), id: 'one' });
    assert.equal((await server.get(`/api/admin/scms/tools?at=${at}`)).json.id, 'one');
    assert.equal((await server.get(`/api/admin/scms/others?at=${at}`)).status, 404);
  });

  test('a singleton is shown as unset before it was set', async () => {
    const unset = await server.get('/api/admin/config/server/artifact_config');
    await server.put('/api/admin/config/server/artifact_config', { artifacts_dir: 'elsewhere' }, '*');
    const then = await server.get('/api/admin/config/server/artifact_config?at=1');
    assert.equal(then.text, unset.text);
    assert.equal(then.etag, unset.etag);
    assert.equal((await server.get('/api/config/mailserver?at=1')).status, 404);
  });

  test('the document is the one of that revision', async () => {
    const then = await server.get('/api/admin/config.xml');
    const at = await revisionOf(server.post(ENVIRONMENTS, { name: 'InDocument' }));
    const shown = await server.get(`/api/admin/config/current.xml?at=${at - 1}`);
    assert.equal(shown.text, then.text);
    assert.equal(shown.etag, then.etag);
    assert.equal(shown.headers.get('x-svc-revision'), String(at - 1));
    assert.match((await server.get(`/api/admin/config.xml?at=${at}`)).text, /InDocument/);
  });
});

describe('views that are made from the configuration', () => {
  let at: number;
  before(async () => {
    const scm = { id: 'made', name: 'made', plugin_metadata: { id: 'github.pr', version: '1' } };
    await server.post('/api/admin/scms', { ...scm, configuration: [{ key: 'url', value: 'https://scm.example.org/made' }] });
    const inFolder = (material: { type: string; attributes: object }, destination: string) => ({
      ...material,
      attributes: { ...material.attributes, destination },
    });
    const plugin = { type: 'plugin', attributes: { ref: 'made' } };
    const using = smallPipeline('made', { materials: [inFolder(gitMaterial('made'), 'one'), inFolder(plugin, 'two')] });
    at = await revisionOf(server.post('/api/admin/pipelines', { group: 'made', pipeline: using }));
    await revisionOf(
      server.put('/api/admin/pipelines/made', smallPipeline('made', { group: 'made', materials: [gitMaterial('other')] }), '*'),
    );
  });

  test('the list of materials', async () => {
    const urls = async (query: string) =>
      (await server.get(`/api/config/materials${query}`)).json._embedded.materials
        .map(({ attributes }: { attributes: { url?: string; ref?: string } }) => attributes.url ?? attributes.ref)
        .filter((url: string) => /made|other/.test(url));
    assert.deepEqual(await urls(`?at=${at}`), ['https://scm.example.org/made.git', 'made']);
    assert.deepEqual(await urls(''), ['https://scm.example.org/other.git']);
    assert.deepEqual(await urls(`?at=${at - 1}`), []);
  });

  test('usages', async () => {
    const usages = async (query: string) => (await server.get(`/api/admin/scms/made/usages${query}`)).json.usages;
    assert.deepEqual(await usages(`?at=${at}`), [{ group: 'made', pipeline: 'made' }]);
    assert.deepEqual(await usages(''), []);
    assert.equal((await server.get(`/api/admin/scms/made/usages?at=${at - 2}`)).status, 404);
  });

  test('exported files', async () => {
    const file = async (query: string) =>
      (await server.get(`/api/admin/export/pipelines/made?plugin_id=yaml.config.plugin${query}`, { accept: null })).text;
    assert.match(await file(`&at=${at}`), /made\.git/);
    assert.match(await file(''), /other\.git/);
    const tag = async (query: string) => (await server.get(`/api/admin/export/groups/made?plugin_id=yaml.config.plugin${query}`)).etag;
    assert.notEqual(await tag(`&at=${at}`), await tag(''));
    assert.equal(await tag(`&at=${at + 1}`), await tag(''));
  });

  test('the value and the revision of each field', async () => {
    const { json } = await server.get(`/api/admin/config/entities/pipelines/made/blame?at=${at}`);
    const url = json._embedded.fields.find(({ path }: { path: string }) => path === '/materials/0/attributes/url');
    assert.deepEqual([url.value, url.revision], ['https://scm.example.org/made.git', at]);
    assert.equal((await server.get(`/api/admin/config/entities/pipelines/made/blame?at=${at - 1}`)).status, 404);
  });

  test('definitions of config repos are those of that time', async () => {
    const repo = { id: 'made', plugin_id: 'yaml.config.plugin', configuration: [], rules: [], material: gitMaterial('repo') };
    const created = await revisionOf(server.post('/api/admin/config_repos', repo));
    await server.delete('/api/admin/config_repos/made');
    const path = '/api/admin/config_repos/made/definitions';
    assert.deepEqual((await server.get(`${path}?at=${created}`)).json, { environments: [], groups: [] });
    assert.equal((await server.get(`${path}?at=${created - 1}`)).status, 404);
    assert.equal((await server.get(path)).status, 404);
  });
});

test('an entity that an older version stored, without the fields that its kind has got since, can be shown', async () => {
  const at = await revisionOf(
    server.post('/api/admin/pipelines', {
      group: 'old',
      pipeline: smallPipeline('old'),
    }),
  );
  const now = await server.get('/api/admin/pipelines/old');
  await server.restart(async () => {
    const [row] = await rowsIn(server.dataDir, "select after from changes where kind = 'pipelines' and revision = ?", at);
    const { origin, ...older } = JSON.parse(String(row!.after));
    assert.notEqual(origin, undefined);
    const sql = "update changes set after = ? where kind = 'pipelines' and revision = ?";
    await changeRows(server.dataDir, sql, JSON.stringify(older), at);
  });
  const then = await server.get(`/api/admin/pipelines/old?at=${at}`);
  assert.equal(then.status, 200, then.text);
  assert.deepEqual(withoutLinks(then.json), withoutLinks(now.json));
  assert.equal((await server.get(`/api/admin/config/revisions/${at}`)).status, 200);
  assert.equal((await server.get('/api/admin/config/entities/pipelines/old/blame')).status, 200);
});

/** The server has another port since. */
function withoutLinks({ _links, ...rest }: Record<string, unknown>): unknown {
  return rest;
}

test('rights are those of today', async () => {
  const viewer = await addUser(server, 'viewer');
  const group = (name: string, users: string[]) => ({ name, authorization: { view: { users, roles: [] }, admins: { users, roles: [] } } });
  await server.post('/api/admin/pipeline_groups', group('open', ['viewer']));
  await server.post('/api/admin/pipeline_groups', group('closed', []));
  for (const name of ['stays', 'moves', 'goes'])
    await server.post('/api/admin/pipelines', { group: 'open', pipeline: smallPipeline(name) });
  const at = Number((await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision);
  await server.put('/api/admin/pipelines/moves', smallPipeline('moves', { group: 'closed' }), '*');
  await server.delete('/api/admin/pipelines/goes');
  const visible = async (as?: string) => {
    const { json } = await server.get(`/api/admin/pipelines?at=${at}&group=open`, as === undefined ? {} : { as });
    return json._embedded.groups[0].pipelines.map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await visible(), ['stays', 'moves', 'goes']);
  assert.deepEqual(await visible(viewer), ['stays']);
  const named = (group: { pipelines: { name: string }[] }) => group.pipelines.map(({ name }) => name);
  const inGroup = async (as?: string) => {
    const ask = as === undefined ? {} : { as };
    const shown = await server.get(`/api/admin/pipeline_groups/open?at=${at}`, ask);
    const list = (await server.get(`/api/admin/pipeline_groups?at=${at}`, ask)).json._embedded.groups;
    const listed = list.find(({ name }: { name: string }) => name === 'open');
    assert.deepEqual(named(listed), named(shown.json));
    return named(shown.json);
  };
  assert.deepEqual(await inGroup(viewer), ['stays']);
  assert.deepEqual(await inGroup(), ['stays', 'moves', 'goes']);
  const one = async (name: string) => (await server.get(`/api/admin/pipelines/${name}?at=${at}`, { as: viewer })).status;
  assert.deepEqual([await one('stays'), await one('moves'), await one('goes')], [200, 403, 404]);
  assert.equal((await server.get(`${ENVIRONMENTS}?at=${at}`, { as: viewer })).status, 403);
  const materials = (await server.get(`/api/config/materials?at=${at}`, { as: viewer })).json._embedded.materials;
  assert.deepEqual(
    materials.map(({ attributes }: { attributes: { url: string } }) => attributes.url),
    ['https://scm.example.org/stays.git'],
  );
  const archive = async (as?: string) =>
    (await server.get(`/api/admin/export/groups/open?plugin_id=yaml.config.plugin&at=${at}`, as === undefined ? {} : { as })).text;
  assert.deepEqual(
    [/goes/.test(await archive()), /moves|goes/.test(await archive(viewer)), /stays/.test(await archive(viewer))],
    [true, false, true],
  );
});

test('a pipeline of another group does not come back with a new one of the same name', async () => {
  const as = await addUser(server, 'owner');
  const group = (name: string, authorization: object) => server.post('/api/admin/pipeline_groups', { name, authorization });
  await group('own', { admins: { users: ['owner'], roles: [] } });
  await group('foreign', { view: { users: ['owner'], roles: [] } });
  const parameters = [{ name: 'password', value: 'hush' }];
  const before = smallPipeline('again', { parameters });
  const at = await revisionOf(server.post('/api/admin/pipelines', { group: 'foreign', pipeline: before }));
  await server.delete('/api/admin/pipelines/again');
  await server.post('/api/admin/pipelines', { group: 'own', pipeline: smallPipeline('again') }, { as });
  const read = (path: string, query = '') => server.get(`${path}?at=${at}${query}`, { as });
  assert.equal((await server.get('/api/admin/pipelines/again', { as })).status, 200);
  const one = await read('/api/admin/pipelines/again');
  assert.deepEqual([one.status, one.json.message], [404, "Pipeline with name 'again' was not found!"]);
  assert.equal((await read('/api/admin/export/pipelines/again', '&plugin_id=yaml.config.plugin')).status, 404);
  const listed = await read('/api/admin/pipelines', '&fields=parameters');
  assert.match(listed.text, /"again"/);
  assert.doesNotMatch(listed.text, /hush/);
  assert.match((await server.get(`/api/admin/pipelines?at=${at}&fields=parameters`)).text, /hush/);
  await server.put('/api/admin/pipeline_groups/foreign', { name: 'foreign', authorization: {} }, '*');
  assert.doesNotMatch((await read('/api/admin/pipelines')).text, /"again"/);
  assert.doesNotMatch((await read('/api/config/materials')).text, /again\.git/);
  assert.match((await server.get(`/api/config/materials?at=${at}`)).text, /again\.git/);
  assert.equal((await server.get(`/api/admin/pipelines/again?at=${at}`)).status, 200);
});
