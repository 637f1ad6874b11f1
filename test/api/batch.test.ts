// Many operations as one revision.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dockerCluster, smallPipeline } from '../support/bodies.ts';
import { accepted, addRole, addUser } from '../support/callers.ts';
import { type Ask, TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const BATCH = '/api/admin/config/batch';
const STORES = '/api/admin/artifact_stores';
const ENVIRONMENTS = '/api/admin/environments';
const CLUSTERS = '/api/admin/elastic/cluster_profiles';
const batch = (operations: readonly unknown[], ask: Ask = {}, query = '') => server.post(`${BATCH}${query}`, { operations }, ask);
const store = (id: string, plugin = 'some.plugin') => ({ id, plugin_id: plugin, properties: [] });
const revision = async () => Number((await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision);

test('all of them are one revision, in order, and each has its ETag', async () => {
  const earlier = await revision();
  const reply = accepted(
    await batch([
      {
        method: 'POST',
        resource: 'profiles',
        body: { id: 'late', cluster_profile_id: 'farm', properties: [{ key: 'Image', value: 'a' }] },
      },
      { method: 'POST', resource: 'cluster_profiles', body: dockerCluster('farm') },
      { method: 'POST', resource: 'artifact_stores', body: store('one') },
      { method: 'PUT', resource: 'artifact_stores', id: 'one', body: store('one', 'other.plugin'), if_match: '*' },
      { method: 'PUT', resource: 'default_job_timeout', body: { default_job_timeout: '7' } },
      { method: 'POST', resource: 'pipelines', body: { group: 'fresh', pipeline: smallPipeline('web') } },
      { method: 'PATCH', resource: 'site_urls', body: { site_url: 'http://a.example.org' } },
      { method: 'POST', resource: 'artifact_stores', body: store('gone') },
      { method: 'DELETE', resource: 'artifact_stores', id: 'gone' },
    ]),
  );
  assert.equal(Number(reply.headers.get('x-svc-revision')), earlier + 1);
  assert.equal(await revision(), earlier + 1);
  assert.deepEqual(
    reply.json.results.map(({ status }: { status: number }) => status),
    Array(9).fill(200),
  );
  const shown = await server.get(`${STORES}/one`);
  assert.equal(shown.json.plugin_id, 'other.plugin');
  assert.equal(shown.etag, `"${reply.json.results[3].etag}"`);
  assert.equal((await server.get('/api/admin/pipeline_groups/fresh')).status, 200);
  assert.equal((await server.get(`${STORES}/gone`)).status, 404);
  assert.ok(reply.json.changes.some(({ id }: { id: string }) => id === 'farm'));
});

test('one that is refused stops all, and each has its own verdict', async () => {
  const before = await revision();
  accepted(await server.post(STORES, store('there')));
  const reply = await batch([
    { method: 'POST', resource: 'environments', body: { name: 'good' } },
    { method: 'POST', resource: 'artifact_stores', body: store('there') },
    { method: 'POST', resource: 'environments', body: { name: 'not good' } },
    { method: 'PUT', resource: 'artifact_stores', id: 'there', body: store('there'), if_match: '"older"' },
    { method: 'PUT', resource: 'artifact_stores', id: 'there', body: store('there') },
    { method: 'DELETE', resource: 'artifact_stores', id: 'none' },
    { method: 'POST', resource: 'artifact_stores', body: { id: 'half', plugin_id: 'cd.go.artifact.s3', properties: [] } },
  ]);
  assert.equal(reply.status, 422);
  const { results } = reply.json.data;
  assert.deepEqual(
    results.map(({ status }: { status: number }) => status),
    [200, 422, 422, 412, 412, 404, 422],
  );
  assert.equal(results[3].data.changes.length, 1);
  const alone = await server.post(ENVIRONMENTS, { name: 'not good' });
  assert.deepEqual({ message: results[2].message, data: results[2].data }, alone.json);
  const duplicate = await server.post(STORES, store('there'));
  assert.deepEqual({ message: results[1].message, data: results[1].data }, duplicate.json);
  const half = await server.post(STORES, { id: 'half', plugin_id: 'cd.go.artifact.s3', properties: [] });
  assert.deepEqual({ message: results[6].message, data: results[6].data }, half.json);
  assert.match(reply.json.message, /6 of 7/);
  assert.equal((await server.get(`${ENVIRONMENTS}/good`)).status, 404);
  assert.equal(await revision(), before + 1);
});

test('a stale copy of what the batch itself has made is one verdict among the others', async () => {
  const reply = await batch([
    { method: 'POST', resource: 'environments', body: { name: 'b1' } },
    { method: 'PUT', resource: 'environments', id: 'b1', body: { name: 'b1' }, if_match: 'stale' },
  ]);
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(
    reply.json.data.results.map(({ status }: { status: number }) => status),
    [200, 412],
  );
  assert.equal(reply.json.data.results[1].data.changed_by_operation, 0);
});

test('who is stale by what the batch did before is told by which operation, and what it changed', async () => {
  const first = accepted(await server.post(ENVIRONMENTS, { name: 'twice' }));
  const put = (value: string) => ({
    method: 'PUT',
    resource: 'environments',
    id: 'Twice',
    body: { name: 'twice', environment_variables: [{ name: 'V', value }] },
    if_match: first.etag,
  });
  const reply = await batch([{ method: 'POST', resource: 'environments', body: { name: 'between' } }, put('1'), put('2')]);
  const [, , { status, data }] = reply.json.data.results;
  assert.equal(status, 412, reply.text);
  assert.equal(data.changed_by_operation, 1);
  assert.equal(data.base.revision, Number(first.headers.get('x-svc-revision')));
  assert.deepEqual([data.yours.length, data.theirs.length, data.overlaps.length], [1, 1, 1]);
});

test('who is stale by what others did before is told who, as by the single call', async () => {
  const first = accepted(await server.post(STORES, store('others')));
  accepted(await server.put(`${STORES}/others`, store('others', 'first.plugin'), first.etag));
  const late = store('others', 'late.plugin');
  const alone = await server.put(`${STORES}/others`, late, first.etag);
  const reply = await batch([{ method: 'PUT', resource: 'artifact_stores', id: 'others', body: late, if_match: first.etag }]);
  const [{ status: _, ...told }] = reply.json.data.results;
  assert.deepEqual(told, alone.json);
});

test('what the whole breaks elsewhere is told beside the results', async () => {
  accepted(await server.post(CLUSTERS, dockerCluster('used')));
  accepted(
    await server.post('/api/elastic/profiles', { id: 'user', cluster_profile_id: 'used', properties: [{ key: 'Image', value: 'a' }] }),
  );
  const reply = await batch([{ method: 'DELETE', resource: 'cluster_profiles', id: 'used' }]);
  assert.equal(reply.status, 422);
  assert.equal(reply.json.data.errors[0].id, 'user');
  accepted(
    await batch([
      { method: 'DELETE', resource: 'cluster_profiles', id: 'used' },
      { method: 'DELETE', resource: 'profiles', id: 'user' },
    ]),
  );
});

test('each needs the permission of the single call', async () => {
  const as = await addUser(server, 'partial');
  await addRole(server, 'partials', ['partial'], 'allow administer environment dev-*');
  const create = (name: string) => ({ method: 'POST', resource: 'environments', body: { name } });
  accepted(await batch([create('dev-1')], { as }));
  const reply = await batch([create('dev-2'), create('prod-1'), { method: 'DELETE', resource: 'artifact_stores', id: 'there' }], { as });
  assert.deepEqual(
    reply.json.data.results.map(({ status }: { status: number }) => status),
    [200, 403, 403],
  );
  assert.equal(reply.json.data.results[1].message, (await server.post(ENVIRONMENTS, { name: 'prod-1' }, { as })).json.message);
  assert.equal((await server.get(`${ENVIRONMENTS}/dev-2`)).status, 404);
});

test('a batch that is only tried changes nothing', async () => {
  const before = await revision();
  const reply = accepted(await batch([{ method: 'POST', resource: 'environments', body: { name: 'tried' } }], {}, '?dry_run=true'));
  assert.equal(reply.headers.get('x-svc-revision'), null);
  assert.equal(reply.json.changes[0].operation, 'create');
  assert.equal(await revision(), before);
});

test('a batch that is not well formed', async () => {
  for (const operations of [undefined, {}, [], Array(501).fill({})]) {
    const reply = await server.post(BATCH, { operations });
    assert.equal(reply.status, 422, reply.text);
    assert.ok(reply.json.data.errors.operations);
  }
  const wrong = [
    7,
    {},
    { method: 'GET', resource: 'environments' },
    { method: 'PUT', resource: 'nothing', id: 'x' },
    { method: 'PUT', resource: 'environments' },
    { method: 'POST', resource: 'system_admins' },
    { method: 'POST', resource: 'environments', body: 'x' },
    { method: 'DELETE', resource: 'environments', id: 'x', if_match: 7 },
    { method: 'POST', resource: 'published_revisions', body: {} },
  ];
  const reply = await batch(wrong);
  assert.deepEqual(
    reply.json.data.results.map(({ status }: { status: number }) => status),
    wrong.map(() => 422),
    reply.text,
  );
});
