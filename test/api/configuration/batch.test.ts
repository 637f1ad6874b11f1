// Many operations as one revision.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dockerCluster, smallPipeline } from '../../support/requests/bodies.ts';
import { accepted, addRole, addUser } from '../../support/requests/callers.ts';
import { type Ask, TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const BATCH = '/api/admin/config/batch';
const STORES = '/api/admin/artifact_stores';
const ENVIRONMENTS = '/api/admin/environments';
const CLUSTERS = '/api/admin/elastic/cluster_profiles';
const TIMEOUT = '/api/admin/config/server/default_job_timeout';
const batch = (operations: readonly unknown[], ask: Ask = {}, query = '') => server.post(`${BATCH}${query}`, { operations }, ask);
const unquoted = (tag: string | undefined) => tag?.replaceAll('"', '');
const store = (id: string, plugin = 'some.plugin') => ({ id, plugin_id: plugin, properties: [] });
const revision = async () => Number((await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision);

test('all operations of a batch are one revision, in order, and each has its ETag', async () => {
  const earlier = await revision();
  const reply = accepted(
    await batch([
      {
        method: 'POST',
        path: '/api/elastic/profiles',
        body: { id: 'late', cluster_profile_id: 'farm', properties: [{ key: 'Image', value: 'a' }] },
      },
      { method: 'POST', path: CLUSTERS, body: dockerCluster('farm') },
      { method: 'POST', path: STORES, body: store('one') },
      { method: 'PUT', path: `${STORES}/one`, body: store('one', 'other.plugin'), if_match: '*' },
      { method: 'PUT', path: TIMEOUT, body: { default_job_timeout: '7' } },
      { method: 'POST', path: '/api/admin/pipelines', body: { group: 'fresh', pipeline: smallPipeline('web') } },
      { method: 'PATCH', path: '/api/admin/config/server/site_urls', body: { site_url: 'http://a.example.org' } },
      { method: 'POST', path: STORES, body: store('gone') },
      { method: 'DELETE', path: `${STORES}/gone` },
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

test('an operation that is refused stops the whole batch, and each has its own verdict', async () => {
  const before = await revision();
  accepted(await server.post(STORES, store('there')));
  const reply = await batch([
    { method: 'POST', path: ENVIRONMENTS, body: { name: 'good' } },
    { method: 'POST', path: STORES, body: store('there') },
    { method: 'POST', path: ENVIRONMENTS, body: { name: 'not good' } },
    { method: 'PUT', path: `${STORES}/there`, body: store('there'), if_match: '"older"' },
    { method: 'PUT', path: `${STORES}/there`, body: store('there') },
    { method: 'DELETE', path: `${STORES}/none` },
    { method: 'POST', path: STORES, body: { id: 'half', plugin_id: 'cd.go.artifact.s3', properties: [] } },
  ]);
  assert.equal(reply.status, 422);
  const { results } = reply.json.data;
  assert.deepEqual(
    results.map(({ status }: { status: number }) => status),
    [200, 422, 422, 412, 412, 404, 422],
  );
  assert.deepEqual(results[0], { status: 200 });
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

test('a member of the wrong type does not hide other errors of an operation', async () => {
  accepted(await server.post(ENVIRONMENTS, { name: 'unread' }));
  const path = `${ENVIRONMENTS}/unread`;
  const body = { name: {}, pipelines: 5, environment_variables: [{ name: '', value: '' }] };
  const mail = { hostname: '', port: 'abc', sender_email: 'x' };
  const { results } = (
    await batch([
      { method: 'PUT', path, body },
      { method: 'PUT', path: '/api/config/mailserver', body: mail },
    ])
  ).json.data;
  const [one, other] = [await server.put(path, body, '*'), await server.put('/api/config/mailserver', mail)];
  assert.deepEqual(results, [
    { status: 422, ...one.json },
    { status: 422, ...other.json },
  ]);
  assert.deepEqual(Object.keys(one.json.data.errors), ['name', 'pipelines']);
  assert.ok(one.json.data.environment_variables[0].errors, 'what a rule says');
  assert.ok(other.json.data.errors.hostname, 'what a rule says');
});

test('a stale copy of an entity that the batch itself has made is one verdict among the others', async () => {
  const reply = await batch([
    { method: 'POST', path: ENVIRONMENTS, body: { name: 'b1' } },
    { method: 'PUT', path: `${ENVIRONMENTS}/b1`, body: { name: 'b1' }, if_match: 'stale' },
  ]);
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(
    reply.json.data.results.map(({ status }: { status: number }) => status),
    [200, 412],
  );
  assert.equal(reply.json.data.results[1].data.changed_by_operation, 0);
});

test('an operation without if_match gets 412, and the message names the missing member', async () => {
  accepted(await server.post(STORES, store('unnamed')));
  for (const method of ['PUT', 'PATCH']) {
    const reply = await batch([{ method, path: `${STORES}/unnamed`, body: store('unnamed', 'other.plugin') }]);
    const [{ status, message }] = reply.json.data.results;
    assert.equal(status, 412, reply.text);
    assert.match(message, /^The member `if_match` of this operation is missing\./);
  }
});

test('a copy made stale by an earlier operation of the batch gets that operation and its changes', async () => {
  const first = accepted(await server.post(ENVIRONMENTS, { name: 'twice' }));
  const put = (value: string) => ({
    method: 'PUT',
    path: `${ENVIRONMENTS}/Twice`,
    body: { name: 'twice', environment_variables: [{ name: 'V', value }] },
    if_match: first.etag,
  });
  const reply = await batch([{ method: 'POST', path: ENVIRONMENTS, body: { name: 'between' } }, put('1'), put('2')]);
  const [, , { status, data }] = reply.json.data.results;
  assert.equal(status, 412, reply.text);
  assert.equal(data.changed_by_operation, 1);
  assert.equal(data.base.revision, Number(first.headers.get('x-svc-revision')));
  assert.deepEqual([data.yours.length, data.theirs.length, data.overlaps.length], [1, 1, 1]);
});

test('a copy made stale by another user gets the same answer as in the single call', async () => {
  const first = accepted(await server.post(STORES, store('others')));
  accepted(await server.put(`${STORES}/others`, store('others', 'first.plugin'), first.etag));
  const late = store('others', 'late.plugin');
  const alone = await server.put(`${STORES}/others`, late, first.etag);
  const reply = await batch([{ method: 'PUT', path: `${STORES}/others`, body: late, if_match: first.etag }]);
  const [{ status: _, ...result }] = reply.json.data.results;
  assert.deepEqual(result, alone.json);
});

test('deleting an entity in use, and a change that breaks others, are refused as by the single call', async () => {
  accepted(await server.post(CLUSTERS, dockerCluster('used')));
  accepted(
    await server.post('/api/elastic/profiles', { id: 'user', cluster_profile_id: 'used', properties: [{ key: 'Image', value: 'a' }] }),
  );
  const reply = await batch([{ method: 'DELETE', path: `${CLUSTERS}/used` }]);
  assert.equal(reply.status, 422);
  const alone = await server.delete(`${CLUSTERS}/used`);
  assert.deepEqual(reply.json.data, { results: [{ status: 422, ...alone.json }] });
  accepted(
    await batch([
      { method: 'DELETE', path: `${CLUSTERS}/used` },
      { method: 'DELETE', path: '/api/elastic/profiles/user' },
    ]),
  );
});

test('a batch is for administrators', async () => {
  const as = await addUser(server, 'partial');
  await addRole(server, 'partials', ['partial'], 'allow administer environment dev-*');
  assert.equal((await batch([{ method: 'POST', path: ENVIRONMENTS, body: { name: 'dev-1' } }], { as })).status, 403);
});

test('each result of a batch equals the answer of the single call', async () => {
  const PATH = `${ENVIRONMENTS}/prod`;
  accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline: smallPipeline('shown') }));
  const { etag: tag } = accepted(await server.post(ENVIRONMENTS, { name: 'prod' }));
  const made = accepted(
    await batch([
      { method: 'PUT', path: PATH, if_match: tag, body: { name: 'prod', pipelines: [] } },
      { method: 'PATCH', path: PATH, body: { pipelines: { add: ['shown'] } } },
      { method: 'PATCH', path: TIMEOUT, body: { default_job_timeout: '8' } },
    ]),
  );
  assert.deepEqual(Object.keys(made.json), ['revision', 'results', 'changes']);
  assert.equal(made.json.revision, await revision());
  const shown = await server.get(PATH);
  assert.deepEqual(made.json.results.slice(1), [
    { status: 200, etag: unquoted(shown.etag), body: shown.json },
    { status: 200, etag: unquoted((await server.get(TIMEOUT)).etag), body: (await server.get(TIMEOUT)).json },
  ]);
  const same = accepted(await batch([{ method: 'PUT', path: TIMEOUT, body: { default_job_timeout: '8' } }]));
  assert.deepEqual([same.json.revision, same.headers.get('x-svc-revision'), same.json.changes], [null, null, []]);
  const gone = accepted(await batch([{ method: 'DELETE', path: PATH }]));
  accepted(await server.post(ENVIRONMENTS, { name: 'prod' }));
  assert.deepEqual(gone.json.results, [{ status: 200, body: (await server.delete(PATH)).json }]);
});

test('a batch that is only tried changes nothing', async () => {
  const before = await revision();
  const reply = accepted(await batch([{ method: 'POST', path: ENVIRONMENTS, body: { name: 'tried' } }], {}, '?dry_run=true'));
  assert.equal(reply.headers.get('x-svc-revision'), null);
  assert.equal(reply.json.revision, null);
  assert.equal(reply.json.changes[0].operation, 'create');
  assert.equal(await revision(), before);
});

test('a malformed batch is refused', async () => {
  for (const operations of [undefined, {}, [], Array(501).fill({})]) {
    const reply = await server.post(BATCH, { operations });
    assert.equal(reply.status, 422, reply.text);
    assert.ok(reply.json.data.errors.operations);
  }
  const wrong = [
    7,
    {},
    { method: 'GET', path: ENVIRONMENTS },
    { method: 'POST', path: 7, body: { name: 'x' } },
    { method: 'PUT', path: '/api/admin/nothing/x' },
    { method: 'PUT', path: ENVIRONMENTS },
    { method: 'POST', path: `${ENVIRONMENTS}/x`, body: { name: 'x' } },
    { method: 'POST', path: `${ENVIRONMENTS}?dry_run=true`, body: { name: 'x' } },
    { method: 'POST', path: '/api/admin/security/system_admins' },
    { method: 'POST', path: ENVIRONMENTS, body: 'x' },
    { method: 'DELETE', path: `${ENVIRONMENTS}/x`, if_match: 7 },
    { method: 'POST', path: '/api/admin/internal/published_revisions', body: {} },
  ];
  const reply = await batch(wrong);
  assert.deepEqual(
    reply.json.data.results.map(({ status }: { status: number }) => status),
    wrong.map(() => 422),
    reply.text,
  );
});
