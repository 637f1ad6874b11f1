// Plans: made from a desired state, applied exactly so, refused when something has moved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigRepoServer, yaml } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { changeRows, rowsIn } from '../../support/database/sql.ts';
import { atOnce, statusesOf, times } from '../../support/requests/at-once.ts';
import { s3Store, smallPipeline } from '../../support/requests/bodies.ts';
import { accepted } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const PLAN = '/api/admin/config/plan';
const ENVIRONMENTS = '/api/admin/environments';
const STORES = '/api/admin/artifact_stores';
const plan = (desired: unknown, query = '') => server.post(`${PLAN}${query}`, desired);
const planFile = (text: string, query = '', type = 'text/xml') =>
  server.ask('POST', `${PLAN}${query}`, { text, headers: { 'Content-Type': type } });
const apply = (made: Reply, query = '') => server.post(`${PLAN}/${made.json.id}/apply${query}`, {});
const lines = ({ json }: Reply) =>
  json.changes.map(({ operation, resource, id }: Record<string, string>) => `${operation} ${resource} ${id}`);
test('a desired state is planned, applied as one revision, and then there is nothing to do', async () => {
  const resources = {
    environments: [{ name: 'live', pipelines: [{ name: 'web' }] }],
    pipelines: [smallPipeline('web', { group: 'planned' })],
    pipeline_groups: [{ name: 'planned' }],
    artifact_stores: [s3Store('s3')],
    default_job_timeout: { default_job_timeout: '9' },
  };
  const made = accepted(await plan(resources));
  assert.deepEqual(lines(made).toSorted(), [
    'create artifact_stores s3',
    'create default_job_timeout ',
    'create environments live',
    'create pipeline_groups planned',
    'create pipelines web',
  ]);
  assert.doesNotMatch(made.text, /v1:|hidden-c4/);
  assert.equal((await server.get(`${STORES}/s3`)).status, 404);
  const applied = accepted(await apply(made));
  assert.equal(Number(applied.headers.get('x-svc-revision')), made.json.based_on + 1);
  assert.deepEqual(applied.json.changes, made.json.changes);
  const shown = await server.get(`${STORES}/s3`);
  assert.equal(shown.etag, `"${made.json.changes.find(({ id }: { id: string }) => id === 's3').etag}"`);
  const again = accepted(await plan(resources));
  assert.deepEqual([again.json.id, again.json.changes], [null, []]);
  assert.equal((await apply(made)).status, 404);
  assert.ok(!JSON.stringify(await rowsIn(server.dataDir, 'select * from plans')).includes('hidden-c4'));
});

test('only one of many requests at the same moment applies a plan', async () => {
  const made = accepted(await plan({ environments: [{ name: 'wanted-by-many' }] }));
  assert.deepEqual(statusesOf(await atOnce(server, ...times(4, () => apply(made)))), [200, 404, 404, 404]);
  accepted(await server.delete(`${ENVIRONMENTS}/wanted-by-many`));
});

test('absent entities are deleted only with `prune`, and entities that refer to others go first', async () => {
  accepted(await server.post(STORES, s3Store('extra')));
  const kept = accepted(await plan({ artifact_stores: [s3Store('s3')] }));
  assert.deepEqual(lines(kept), []);
  const made = accepted(
    await plan({ pipelines: [], environments: [], pipeline_groups: [], artifact_stores: [s3Store('s3')], prune: true }),
  );
  assert.deepEqual(lines(made), [
    'delete environments live',
    'delete pipelines web',
    'delete pipeline_groups planned',
    'delete artifact_stores extra',
  ]);
  accepted(await apply(made));
  assert.equal((await server.get('/api/admin/pipelines/web')).status, 404);
});

test('a pipeline brings its group along, as when it is created alone; one whose group shall not be is refused', async () => {
  const wanted = { pipelines: [smallPipeline('lone', { group: 'brought' })] };
  const made = accepted(await plan(wanted));
  assert.deepEqual(lines(made), ['create pipeline_groups brought', 'create pipelines lone']);
  const { json } = accepted(await plan({ ...wanted, pipeline_groups: [], prune: true }));
  assert.deepEqual(
    json.errors.map(({ resource, id, path }: Record<string, string>) => `${resource} ${id} ${path}`),
    ['pipelines lone /group'],
  );
  accepted(await apply(made));
  assert.deepEqual(lines(accepted(await plan(wanted))), []);
  assert.equal((await server.get('/api/admin/pipeline_groups/brought')).json.pipelines[0].name, 'lone');
});

test('entities that changed meanwhile are named, and nothing is done', async () => {
  const base = accepted(await server.post(ENVIRONMENTS, { name: 'moving' }));
  const wanted = { environments: [{ name: 'moving', environment_variables: [{ name: 'A', value: '1' }] }, { name: 'new' }] };
  const made = accepted(await plan(wanted));
  const other = await server.put(
    `${ENVIRONMENTS}/moving`,
    { name: 'moving', environment_variables: [{ name: 'B', value: '2' }] },
    base.etag,
  );
  accepted(other);
  accepted(await server.post(ENVIRONMENTS, { name: 'new' }));
  const refused = await apply(made);
  assert.equal(refused.status, 409);
  const { moved } = refused.json.data;
  assert.deepEqual(
    moved.map(({ resource, id, what, actor }: Record<string, string>) => [resource, id, what, actor]),
    [
      ['environments', 'moving', 'changed', 'admin'],
      ['environments', 'new', 'created', 'admin'],
    ],
  );
  assert.equal(moved[0].revision, Number(other.headers.get('x-svc-revision')));
  assert.equal((await server.get(`${ENVIRONMENTS}/moving`)).etag, other.etag);
});

test('an entity created meanwhile counts where absent ones are deleted', async () => {
  const listed = (await server.get(ENVIRONMENTS)).json._embedded.environments;
  const made = accepted(await plan({ environments: listed.slice(1), prune: true }));
  accepted(await server.post(ENVIRONMENTS, { name: 'late-comer' }));
  const refused = await apply(made);
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.json.data.lists, ['environments']);
});

test('unrelated entities may change meanwhile', async () => {
  const made = accepted(await plan({ environments: [{ name: 'calm' }] }));
  accepted(await server.post(STORES, s3Store('elsewhere')));
  assert.equal(accepted(await apply(made, '?dry_run=true')).headers.get('x-svc-revision'), null);
  assert.equal((await server.get(`${ENVIRONMENTS}/calm`)).status, 404);
  accepted(await apply(made));
  assert.equal((await server.get(`${ENVIRONMENTS}/calm`)).status, 200);
});

test('all that is wrong is reported at once, and cannot be applied', async () => {
  const { json } = accepted(
    await plan({
      environments: [{ name: 'not good' }, { name: 'fine', pipelines: [{ name: 'unknown' }] }],
      artifact_stores: [{ id: 'half', plugin_id: 'cd.go.artifact.s3', properties: [] }],
    }),
  );
  const ids = new Set(json.errors.map(({ id }: { id: string }) => id));
  assert.deepEqual([...ids].toSorted(), ['fine', 'half', 'not good']);
  assert.ok(json.errors.every(({ message }: { message: string }) => message !== ''));
  assert.equal(json.changes.length, 3);
  assert.equal(json.id, null);
  assert.equal((await rowsIn(server.dataDir, "select * from plans where content like '%not good%'")).length, 0);
});

test('errors in the form are reported together with errors in the content', async () => {
  const { json } = accepted(
    await plan({
      nothing: [],
      artifact_stores: {},
      environments: [7, { name: 'not good' }, { name: 'double' }, { name: 'Double' }],
      default_job_timeout: { default_job_timeout: 'soon' },
      mailserver: [],
      published_revisions: [],
      prune: 'yes',
    }),
  );
  const errors = json.errors.map(({ resource, id, path }: Record<string, string | null>) =>
    resource === null ? path : `${resource} ${id} ${path}`,
  );
  assert.deepEqual(errors.toSorted(), [
    '/artifact_stores',
    '/environments/0',
    '/mailserver',
    '/nothing',
    '/prune',
    '/published_revisions',
    'default_job_timeout  /default_job_timeout',
    'environments Double ',
    'environments not good /name',
  ]);
  assert.ok(json.changes.every(({ operation }: { operation: string }) => operation !== 'delete'));
});

test('an invalid list deletes nothing as absent', async () => {
  const { json } = accepted(await plan({ environments: [7], prune: true }));
  assert.deepEqual([json.id, json.changes, json.errors.length], [null, [], 1]);
});

test('members that no resource has are named as ignored; members that GET shows are not', async () => {
  accepted(await server.post('/api/admin/pipelines', { group: 'spelt', pipeline: smallPipeline('spelt') }));
  accepted(await server.post(ENVIRONMENTS, { name: 'spelt', pipelines: [{ name: 'spelt' }] }));
  const [environment, pipeline] = [(await server.get(`${ENVIRONMENTS}/spelt`)).json, (await server.get('/api/admin/pipelines/spelt')).json];
  assert.deepEqual(accepted(await plan({ environments: [environment], pipelines: [pipeline] })).json.ignored, []);
  const [stage] = pipeline.stages;
  const made = accepted(
    await plan({
      environments: [{ name: 'misspelt', environment_varaibles: [] }],
      pipelines: [{ ...pipeline, stages: [{ ...stage, jobs: [{ ...stage.jobs[0], wholly_unknown: 1 }] }] }],
    }),
  );
  assert.deepEqual(made.json.ignored, [
    { what: "the member 'stages[0].jobs[0].wholly_unknown' of pipelines 'spelt'", why: 'There is no such member.' },
    {
      what: "the member 'environment_varaibles' of environments 'misspelt'",
      why: "There is no such member. Did you mean 'environment_variables'?",
    },
  ]);
  assert.notEqual(made.json.id, null, 'it can be applied all the same');
});

test('a plan that asks for nothing has no changes', async () => {
  for (const body of [{}, { prune: true }, { environments: [] }]) {
    const { json } = accepted(await plan(body));
    assert.deepEqual([json.id, json.changes, json.errors], [null, [], []]);
  }
});

test('a configuration file can be planned, too', async () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?>
<cruise schemaVersion="139">
  <environments><environment name="from-file"/></environments>
</cruise>`;
  const made = accepted(await planFile(xml));
  assert.deepEqual(lines(made), ['create environments from-file']);
  assert.deepEqual(made.json.errors, []);
  assert.deepEqual(lines(accepted(await planFile(xml, '?prune=false', 'application/xml; charset=utf-8'))), lines(made));
  accepted(await apply(made));
  assert.equal((await server.get(`${ENVIRONMENTS}/from-file`)).status, 200);
  const { json } = accepted(await planFile('<cruise schemaVersion="139"><environments><environment/></environments></cruise>'));
  assert.deepEqual([json.id, json.errors.map(({ path }: { path: string }) => path)], [null, ['line 1']]);
});

test('warnings of plugins about a file are reported, and refuse neither the plan nor its application', async () => {
  const xml = `<cruise schemaVersion="139"><artifactStores><artifactStore id="hub" pluginId="cd.go.artifact.docker.registry"/></artifactStores>
<pipelines group="planned-group"><pipeline name="publishes"><materials><git url="https://example.com/p.git"/></materials><stage name="s"><jobs><job name="j">
<tasks><exec command="make"/></tasks><artifacts><artifact type="external" id="image" storeId="hub"/></artifacts></job></jobs></stage></pipeline></pipelines></cruise>`;
  const made = accepted(await planFile(xml));
  assert.deepEqual(made.json.errors, []);
  const warnings = made.json.warnings.map(({ path, message }: { path: string; message: string }) => `${path} ${message.split(':')[0]}`);
  assert.deepEqual(
    [
      warnings.includes("line 1 Artifact store 'hub', property 'RegistryType'"),
      warnings.includes("line 3 Pipeline 'publishes', property 'Image'"),
    ],
    [true, true],
    warnings.join(),
  );
  accepted(await apply(made));
  accepted(await server.delete('/api/admin/pipelines/publishes'));
  accepted(await server.delete('/api/admin/pipeline_groups/planned-group'));
  accepted(await server.delete('/api/admin/artifact_stores/hub'));
});

test('a plan from a file with `prune` deletes what is not in the file', async () => {
  const { text } = accepted(await server.get('/api/admin/config.xml'));
  accepted(await server.post(ENVIRONMENTS, { name: 'not-in-file' }));
  const made = accepted(await planFile(text, '?prune=true'));
  assert.deepEqual(lines(made), ['delete environments not-in-file']);
  accepted(await apply(made));
  assert.equal((await server.get(`${ENVIRONMENTS}/not-in-file`)).status, 404);
});

test('a body that cannot be read is refused', async () => {
  for (const [reply, status, message] of [
    [await planFile('<cruise'), 400, /not valid XML: line 1/],
    [await planFile(''), 400, /not valid XML/],
    [await planFile('<cruise schemaVersion="139"/>', '?prune=maybe'), 400, /`prune`/],
    [await plan({ environments: [] }, '?prune=true'), 400, /`prune` is for files\. In JSON it is a member of the body/],
    [await planFile('{', '', 'application/json'), 400, /not valid JSON/],
    [await planFile('[]', '', 'application/json'), 400, /not valid JSON/],
    [await planFile('', '', 'application/json'), 400, /not valid JSON/],
    [await planFile('environments: []', '', 'application/yaml'), 415, /Content-Type/],
  ] as const) {
    assert.equal(reply.status, status, reply.text);
    assert.match(reply.json.message, message);
  }
  const large = await planFile(`{"environments":[{"name":"${'x'.repeat(10 * 1024 * 1024)}"}]}`, '', 'application/json');
  assert.equal(large.status, 413);
});

test('the answer to a dry run of any write lists its changes, and the entities it affects', async () => {
  accepted(await server.post('/api/admin/pipelines', { group: 'g', pipeline: smallPipeline('touched') }));
  accepted(await server.post(ENVIRONMENTS, { name: 'user', pipelines: [{ name: 'touched' }] }));
  const { json, etag } = await server.get('/api/admin/pipelines/touched');
  const tried = accepted(await server.put('/api/admin/pipelines/touched?dry_run=true', { ...json, lock_behavior: 'lockOnFailure' }, etag));
  const { _plan, ...rest } = tried.json;
  assert.equal(rest.lock_behavior, 'lockOnFailure');
  assert.deepEqual(
    _plan.changes[0].differences.map(({ words }: { words: string }) => words),
    ["lock behavior changed from 'none' to 'lockOnFailure'"],
  );
  assert.deepEqual(_plan.affected, [{ resource: 'environments', id: 'user' }]);
  const removed = accepted(await server.delete(`${ENVIRONMENTS}/user?dry_run=true`));
  assert.equal(removed.json._plan.changes[0].operation, 'delete');
});

test('plans expire and make room', async () => {
  const made = accepted(await plan({ environments: [{ name: 'first-of-many' }] }));
  for (let number = 0; number < 50; number++) accepted(await plan({ environments: [{ name: `one-of-many-${number}` }] }));
  assert.equal((await apply(made)).status, 404);
  const last = accepted(await plan({ environments: [{ name: 'expiring' }] }));
  await server.restart(() => changeRows(server.dataDir, "update plans set expires_at = '2020-01-01T00:00:00.000Z'"));
  assert.equal((await apply(last)).status, 404);
});

test('an entity of a config repo is judged like every other item of a plan, and of a batch', async (context) => {
  const lab = new Lab();
  context.after(() => lab.remove());
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const parts = 'environments:\n  remote-env:\n    environment_variables: {REGION: north}\n';
  await origin.commit('first', { 'a.gocd.yaml': yaml('remote-group', { 'remote-one': undefined }, parts) });
  await new ConfigRepoServer(server).add('source', origin.path);
  const given = accepted(await server.get('/api/admin/pipelines/remote-one')).json;
  const wrong = accepted(await plan({ environments: [{ name: '!!' }], pipelines: [given] }));
  assert.deepEqual(
    wrong.json.errors.map(({ resource }: { resource: string }) => resource),
    ['environments'],
  );
  assert.deepEqual(accepted(await plan({ pipelines: [given] })).json.changes, []);
  const changed = accepted(
    await plan({ pipelines: [{ ...given, lock_behavior: 'lockOnFailure' }, smallPipeline('beside', { group: 'x' })] }),
  );
  assert.match(changed.json.errors[0].message, /^Can not operate on pipeline 'remote-one' as it is defined remotely in /);
  assert.equal(changed.json.errors.length, 1);
  assert.ok(lines(changed).includes('create pipelines beside'));

  const operations = [
    { method: 'DELETE', path: '/api/admin/pipelines/remote-one' },
    { method: 'DELETE', path: `${ENVIRONMENTS}/remote-env` },
    { method: 'PUT', path: '/api/admin/pipeline_groups/remote-group', body: { name: 'other-name' }, if_match: '*' },
    { method: 'POST', path: ENVIRONMENTS, body: { name: 'beside' } },
  ];
  const batch = await server.post('/api/admin/config/batch', { operations });
  assert.equal(batch.status, 422);
  assert.deepEqual(
    batch.json.data.results.map(({ status }: { status: number }) => status),
    [422, 422, 422, 200],
  );
  assert.ok(!('errors' in batch.json.data), batch.text);
  const alone = [
    await server.delete(operations[0]!.path),
    await server.delete(operations[1]!.path),
    await server.put(operations[2]!.path, operations[2]!.body, '*'),
  ];
  assert.deepEqual(
    batch.json.data.results.slice(0, 3).map(({ message }: { message: string }) => message),
    alone.map(({ json }) => json.message),
  );
  const stale = accepted(await server.get(`${ENVIRONMENTS}/remote-env`));
  await origin.commit('second', { 'a.gocd.yaml': yaml('remote-group', { 'remote-one': undefined }, parts.replace('north', 'south')) });
  await new ConfigRepoServer(server).update('source');
  const own = { name: 'OWN', value: '1', secure: false };
  const body = { ...stale.json, environment_variables: [...stale.json.environment_variables, own] };
  const late = await server.put(`${ENVIRONMENTS}/remote-env`, body, stale.etag);
  assert.equal(late.status, 412, late.text);
  assert.deepEqual([late.json.data.changes.length, late.json.data.changes[0].actor], [1, 'config repo source']);
  const words = (list: readonly { words: string }[]) => list.map((one) => one.words);
  assert.deepEqual(words(late.json.data.theirs), ["environment variable 'REGION', value changed from 'north' to 'south'"]);
  assert.deepEqual(words(late.json.data.yours), ["environment variable 'OWN' added"]);
  const merged = accepted(await server.put(`${ENVIRONMENTS}/remote-env`, body, stale.etag, { headers: { Prefer: 'merge' } }));
  assert.deepEqual(
    merged.json.environment_variables.map(({ value }: { value: string }) => value),
    ['1', 'south'],
  );
});

test('an entity of a config repo can move into the own configuration, by a batch or a plan that removes the repo', async (context) => {
  const lab = new Lab();
  context.after(() => lab.remove());
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first', { 'a.gocd.yaml': yaml('moving', { moved: undefined }, 'environments: {moving-env: {pipelines: [moved]}}') });
  const repos = new ConfigRepoServer(server);
  const moved = smallPipeline('moved', { group: 'moving' });
  const originOf = async () => accepted(await server.get('/api/admin/pipelines/moved')).json.origin.type;
  await repos.add('leaving', origin.path);
  const others = accepted(await server.get('/api/admin/config_repos')).json._embedded.config_repos.filter(
    ({ id }: { id: string }) => id !== 'leaving',
  );

  for (const [resource, brought] of Object.entries({ pipeline_groups: 'moving', environments: 'moving-env' })) {
    const listed = accepted(await server.get(`/api/admin/${resource}`)).json._embedded[resource === 'environments' ? resource : 'groups'];
    const rest = listed.filter(({ name }: { name: string }) => name !== brought);
    const pruned = accepted(await plan({ [resource]: rest, prune: true }));
    assert.deepEqual([pruned.json.changes, pruned.json.errors], [[], []]);
  }

  const operations = [
    { method: 'DELETE', path: '/api/admin/config_repos/leaving' },
    { method: 'POST', path: '/api/admin/pipelines', body: { group: 'moving', pipeline: moved } },
  ];
  const batch = accepted(await server.post('/api/admin/config/batch', { operations }));
  assert.equal(await originOf(), 'gocd');
  accepted(await server.post(`/api/admin/config/revisions/${batch.json.revision}/revert`, {}));
  await repos.rest('leaving');
  assert.equal(await originOf(), 'config_repo');

  const groups = accepted(await server.get('/api/admin/pipelines')).json._embedded.groups as { pipelines: { name: string }[] }[];
  const names = groups.flatMap(({ pipelines }) => pipelines.map(({ name }) => name)).filter((name) => name !== 'moved');
  const pipelines = await Promise.all(names.map(async (name) => accepted(await server.get(`/api/admin/pipelines/${name}`)).json));
  const made = accepted(await plan({ config_repos: others, pipelines: [...pipelines, moved], prune: true }));
  assert.deepEqual(made.json.errors, []);
  assert.ok(lines(made).includes('update pipelines moved'), made.text);
  accepted(await apply(made));
  assert.equal(await originOf(), 'gocd');
});
