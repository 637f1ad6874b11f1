// Taking back revisions and single entities.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dockerCluster, s3Store, smallPipeline } from '../support/requests/bodies.ts';
import { accepted } from '../support/requests/callers.ts';
import { stale } from '../support/requests/replies.ts';
import { type Ask, type Reply, TestServer } from '../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const STORES = '/api/admin/artifact_stores';
const ENVIRONMENTS = '/api/admin/environments';
const REPOSITORIES = '/api/admin/repositories';
const revisionOf = (reply: Reply) => Number(accepted(reply).headers.get('x-svc-revision'));
const revert = (revision: number, body: unknown = {}, query = '', ask: Ask = {}) =>
  server.post(`/api/admin/config/revisions/${revision}/revert${query}`, body, ask);
const reasonOf = async (reply: Reply) => (await server.get(`/api/admin/config/revisions/${revisionOf(reply)}`)).json.reason;
const restoreEntity = (entity: string, revision: unknown, ask: Ask = {}) =>
  server.post(`/api/admin/config/entities/${entity}/revert`, { revision }, ask);
const environment = (name: string, values: Readonly<Record<string, string>>) => ({
  name,
  environment_variables: Object.entries(values).map(([variable, value]) => ({ name: variable, value })),
});

describe('a revision', () => {
  test('a revision that changed something is taken back, with the former ETag', async () => {
    const first = await server.post(STORES, s3Store('changed', 'one'));
    const second = await server.put(`${STORES}/changed`, s3Store('changed', 'two', 'other-c4'), first.etag);
    const reply = await revert(revisionOf(second), {}, '', { headers: { 'X-Svc-Reason': 'wrong bucket' } });
    assert.equal(revisionOf(reply), revisionOf(second) + 1);
    assert.equal(await reasonOf(reply), 'wrong bucket');
    assert.deepEqual(
      reply.json.changes.map(({ resource, id, operation }: Record<string, string>) => [resource, id, operation]),
      [['artifact_stores', 'changed', 'update']],
    );
    assert.doesNotMatch(reply.text, /v1:|-c4/);
    const now = await server.get(`${STORES}/changed`);
    assert.equal(now.etag, first.etag);
    assert.deepEqual(now.json, first.json);
  });

  test('a revision that deleted something brings it back whole, its secret too', async () => {
    const first = accepted(await server.post(STORES, s3Store('deleted', 'one')));
    const gone = revisionOf(await server.delete(`${STORES}/deleted`));
    accepted(await revert(gone));
    const now = await server.get(`${STORES}/deleted`);
    assert.equal(now.etag, first.etag);
    assert.deepEqual(now.json, first.json);
    assert.equal(accepted(await server.put(`${STORES}/deleted`, s3Store('deleted', 'one'), now.etag)).etag, first.etag);
  });

  test('a revision that created something is taken back, and so is taking it back', async () => {
    const first = await server.post(STORES, s3Store('created', 'one'));
    const back = await revert(revisionOf(first));
    assert.equal(await reasonOf(back), `Revert of revision ${revisionOf(first)}`);
    assert.equal((await server.get(`${STORES}/created`)).status, 404);
    accepted(await revert(revisionOf(back)));
    assert.equal((await server.get(`${STORES}/created`)).etag, first.etag);
  });

  test('a revision with owned entities comes back with all of them', async () => {
    const metadata = { id: 'slipway.package.npm', version: '1' };
    const repository = {
      repo_id: 'r',
      name: 'r',
      plugin_metadata: metadata,
      configuration: [{ key: 'REPO_URL', value: 'https://npm.example.org' }],
    };
    const created = await server.post(REPOSITORIES, repository);
    const owned = { id: 'p', name: 'p', package_repo: { id: 'r' }, configuration: [{ key: 'PACKAGE_NAME', value: 'left-pad' }] };
    const member = accepted(await server.post('/api/admin/packages', owned));
    const refused = await revert(revisionOf(created));
    assert.equal(refused.status, 422);
    const [obstacle] = refused.json.data.obstacles;
    assert.match(obstacle.message, /'p' belongs to .*'r', and would be deleted with it/);
    assert.deepEqual([obstacle.revision, obstacle.actor], [revisionOf(member), 'admin']);
    accepted(await revert(revisionOf(await server.delete(`${REPOSITORIES}/r`))));
    assert.equal((await server.get('/api/admin/packages/p')).etag, member.etag);
  });

  test('keeps later changes of other fields', async () => {
    const base = accepted(await server.post(ENVIRONMENTS, environment('parts', { a: '1', b: '1' })));
    const second = await server.put(`${ENVIRONMENTS}/parts`, environment('parts', { a: '2', b: '1' }), base.etag);
    const third = accepted(await server.put(`${ENVIRONMENTS}/parts`, environment('parts', { a: '2', b: '2' }), second.etag));
    accepted(await revert(revisionOf(second)));
    const { json } = await server.get(`${ENVIRONMENTS}/parts`);
    assert.deepEqual(
      json.environment_variables.map(({ value }: { value: string }) => value),
      ['1', '2'],
    );
    const again = await revert(revisionOf(second));
    assert.deepEqual(accepted(again).json.changes, []);
    assert.equal(again.headers.get('x-svc-revision'), null);
    assert.ok(third);
  });

  test('sends no former secret to an address that was entered since, and no new one to a former address', async () => {
    const hook = (url: string, secret: string) => ({ id: 'told', url: `https://${url}.example.org/hook`, secret });
    const put = (url: string, secret: string) => server.put('/api/admin/webhooks/told', hook(url, secret), '*');
    accepted(await server.post('/api/admin/webhooks', hook('old', 'the former secret')));
    const [replaced, moved] = [revisionOf(await put('old', 'another')), revisionOf(await put('new', 'another'))];
    const refused = await revert(replaced);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /was entered for another address/);
    accepted(await revert(moved, {}, '?dry_run=true'));
    revisionOf(await put('new', 'the newest'));
    assert.equal((await revert(moved, {}, '?dry_run=true')).status, 422, 'the newest was never meant for the old address');
    accepted(await restoreEntity('webhooks/told', replaced - 1));
  });

  test('a revision whose fields were changed again is refused, and the user who changed them is named', async () => {
    const base = accepted(await server.post(ENVIRONMENTS, environment('again', { a: '1' })));
    const second = await server.put(`${ENVIRONMENTS}/again`, environment('again', { a: '2' }), base.etag);
    const third = await server.put(`${ENVIRONMENTS}/again`, environment('again', { a: '3' }), second.etag);
    const other = await server.put(`${ENVIRONMENTS}/again`, environment('again', { a: '3', b: 'not the same field' }), third.etag);
    const { status, json } = await revert(revisionOf(second));
    assert.equal(status, 422);
    assert.deepEqual(json.data.obstacles, [
      {
        resource: 'environments',
        id: 'again',
        message: `Environment config 'again' was changed again in revision ${revisionOf(third)} by admin, in the same fields: /environment_variables/0/value.`,
        revision: revisionOf(third),
        actor: 'admin',
      },
    ]);
    assert.match(json.message, /cannot be reverted/);
    assert.equal((await server.get(`${ENVIRONMENTS}/again`)).etag, other.etag);
    assert.equal((await revert(revisionOf(base))).status, 422);
  });

  test('a revision whose entity is needed by others now is refused, like any such change', async () => {
    const created = revisionOf(await server.post('/api/admin/elastic/cluster_profiles', dockerCluster('needed')));
    accepted(
      await server.post('/api/elastic/profiles', { id: 'user', cluster_profile_id: 'needed', properties: [{ key: 'Image', value: 'a' }] }),
    );
    const { status, json } = await revert(created);
    assert.equal(status, 422);
    assert.equal(json.data.obstacles[0].id, 'user');
    assert.equal((await server.get('/api/admin/elastic/cluster_profiles/needed')).status, 200);
  });

  test('a revert of a revision that is only tried changes nothing', async () => {
    const first = await server.post(STORES, s3Store('tried', 'one'));
    const md5 = async () => (await server.get('/api/admin/config.xml')).headers.get('x-cruise-config-md5');
    const earlier = await md5();
    const reply = accepted(await revert(revisionOf(first), {}, '?dry_run=true'));
    assert.equal(reply.json.changes[0].operation, 'delete');
    assert.equal(reply.headers.get('x-svc-revision'), null);
    assert.equal(await md5(), earlier);
  });

  test('a revision that does not exist gets 404', async () => {
    for (const number of ['4711', '0', 'x']) {
      assert.equal((await server.post(`/api/admin/config/revisions/${number}/revert`, {})).status, 404);
    }
  });
});

describe('one entity', () => {
  test('an entity goes back to an earlier state, in spite of later changes', async () => {
    const first = await server.post(STORES, s3Store('back', 'one'));
    const then = revisionOf(first);
    const second = accepted(await server.put(`${STORES}/back`, s3Store('back', 'two'), first.etag));
    const other = accepted(await server.post(STORES, s3Store('bystander', 'one')));
    accepted(await server.delete(`${STORES}/back`));
    accepted(await restoreEntity('artifact_stores/back', then));
    assert.equal((await server.get(`${STORES}/back`)).etag, first.etag);
    accepted(await restoreEntity('artifact_stores/back', revisionOf(second)));
    assert.equal((await server.get(`${STORES}/back`)).etag, second.etag);
    assert.equal((await server.get(`${STORES}/bystander`)).etag, other.etag);
  });

  test('the only entity of a resource goes back to an earlier state', async () => {
    const path = '/api/admin/config/server/default_job_timeout';
    const first = await server.post(path, { default_job_timeout: '5' });
    accepted(await server.post(path, { default_job_timeout: '6' }));
    const back = await restoreEntity('default_job_timeout', revisionOf(first));
    assert.equal(await reasonOf(back), `Revert to revision ${revisionOf(first)}`);
    assert.equal((await server.get(path)).etag, first.etag);
  });

  test('If-None-Match guards an entity made in place of the deleted one', async () => {
    const name = 'made-again';
    const create = () => server.post('/api/admin/environments', { name });
    const first = revisionOf(await create());
    accepted(await server.delete(`/api/admin/environments/${name}`));
    const onlyNew = { headers: { 'If-None-Match': '*' } };
    const etag = accepted(await create()).etag;
    const refused = await restoreEntity(`environments/${name}`, first, onlyNew);
    assert.equal(refused.status, 412, refused.text);
    assert.equal((await server.get(`/api/admin/environments/${name}`)).etag, etag);
    accepted(await server.delete(`/api/admin/environments/${name}`));
    accepted(await restoreEntity(`environments/${name}`, first, onlyNew));
    accepted(await server.get(`/api/admin/environments/${name}`));
  });

  test('If-Match guards an entity that goes back', async () => {
    const first = await server.post(STORES, s3Store('guarded', 'one'));
    const second = accepted(await server.put(`${STORES}/guarded`, s3Store('guarded', 'two'), first.etag));
    const entity = 'artifact_stores/guarded';
    const late = { headers: { 'If-Match': first.etag! } };
    const message = (await server.put(`${STORES}/guarded`, s3Store('guarded', 'three'), first.etag)).json.message;
    const { data } = stale(await restoreEntity(entity, revisionOf(first), late), message).json;
    assert.deepEqual([data.base.revision, data.changes[0].revision], [revisionOf(first), revisionOf(second)]);
    assert.deepEqual([data.yours, data.theirs.length], [[], 1]);
    assert.equal((await revert(revisionOf(first), {}, '', late)).status, 400);
    accepted(await restoreEntity(entity, revisionOf(first), { headers: { 'If-Match': second.etag! } }));
    accepted(await server.delete(`${STORES}/guarded`));
    const gone = stale(await restoreEntity(entity, revisionOf(second), late), message).json.data;
    assert.deepEqual([gone.changes[0].operation, gone.theirs[0].operation], ['delete', 'remove']);
  });

  test('an entity that names a missing one is refused with the user who deleted that, and the revision', async () => {
    accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline: smallPipeline('removed') }));
    const first = await server.post(ENVIRONMENTS, { name: 'left', pipelines: [{ name: 'removed' }] });
    accepted(await server.put(`${ENVIRONMENTS}/left`, { name: 'left', pipelines: [] }, first.etag));
    const gone = revisionOf(await server.delete('/api/admin/pipelines/removed'));
    const { status, json } = await restoreEntity('environments/left', revisionOf(first));
    assert.equal(status, 422);
    const message = `Environment 'left' refers to an unknown pipeline 'removed'. Pipeline config 'removed' was deleted in revision ${gone} by admin.`;
    assert.deepEqual(json.data.obstacles, [{ resource: 'environments', id: 'left', message, revision: gone, actor: 'admin' }]);
    const refused = `Environment config 'left' cannot be reverted to revision ${revisionOf(first)}. ${message}`;
    assert.equal(json.message, refused);
  });

  test('an entity that did not exist then, or has an invalid name, is refused', async () => {
    const first = revisionOf(await server.post(STORES, s3Store('early', 'one')));
    accepted(await server.post(STORES, s3Store('later', 'one')));
    assert.match((await restoreEntity('artifact_stores/later', first)).json.message, /did not exist at revision/);
    for (const entity of [
      'nothing/early',
      'artifact_stores',
      'default_job_timeout/early',
      'published_revisions/early',
      'server_identity',
      'artifact_stores/never',
      'environments/never',
    ]) {
      assert.equal((await restoreEntity(entity, first)).status, 404, entity);
    }
    for (const revision of [undefined, null, 0, -1, 1.5, 9_000_000_000, 'first', { number: 1 }]) {
      const reply = await restoreEntity('artifact_stores/early', revision);
      assert.equal(reply.status, 422, reply.text);
      assert.ok(reply.json.data.errors.revision, reply.text);
    }
  });

  test('a revision is taken back without a body, too, when that is confirmed', async () => {
    const revision = revisionOf(await server.post(STORES, s3Store('bodiless', 'one')));
    const path = `/api/admin/config/revisions/${revision}/revert`;
    assert.equal((await server.ask('POST', path)).status, 400);
    accepted(await server.ask('POST', path, { headers: { 'X-Svc-Confirm': 'true' } }));
    assert.equal((await server.get(`${STORES}/bodiless`)).status, 404);
  });
});
