// The life of a pipeline over the API: created in a group, perhaps paused, shown, replaced, moved, deleted.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';
import { create, dependency, git, job, PATH, pipeline, removeAll, replace, stage } from './bodies.ts';

const NO_CAUSE = 'No pause cause was specified when pipeline was created via API';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(() => removeAll(server));

const statusOf = async (name: string) => accepted(await server.get(`/api/pipelines/${name}/status`)).json;

test('a pipeline is created in a group, and answered whole in the order of GoCD', async () => {
  const created = accepted(await create(server, pipeline('web')));
  const shown = {
    _links: {
      self: { href: `${server.url}${PATH}/web` },
      doc: { href: `${server.url}/api/docs#pipeline-config` },
      find: { href: `${server.url}${PATH}/:pipeline_name` },
    },
    label_template: '${COUNT}',
    lock_behavior: 'none',
    name: 'web',
    template: null,
    group: 'g',
    origin: { type: 'gocd' },
    parameters: [],
    environment_variables: [],
    materials: created.json.materials,
    stages: [
      {
        name: 's',
        fetch_materials: true,
        clean_working_directory: false,
        never_cleanup_artifacts: false,
        approval: { type: 'success', allow_only_on_success: false, authorization: { users: [], roles: [] } },
        environment_variables: [],
        jobs: [
          {
            name: 'j',
            run_instance_count: null,
            timeout: null,
            elastic_profile_id: null,
            environment_variables: [],
            resources: [],
            tasks: created.json.stages[0].jobs[0].tasks,
            tabs: [],
            artifacts: [],
          },
        ],
      },
    ],
    tracking_tool: null,
    timer: null,
  };
  assert.equal(created.text, JSON.stringify(shown));
  assert.match(created.etag!, /^"[^"]+"$/);
  assert.equal(created.headers.get('content-type'), 'application/vnd.svc.v11+json; charset=utf-8');
  const read = accepted(await server.get(`${PATH}/web`));
  assert.equal(read.text, created.text);
  assert.equal(read.etag, created.etag);
  assert.equal((await server.get(`${PATH}/web`, { headers: { 'If-None-Match': read.etag! } })).status, 304);
});

test('the group is created with its first pipeline, and not when the pipeline is refused', async () => {
  const groups = '/api/admin/pipeline_groups';
  accepted(await create(server, pipeline('web'), 'brand-new'));
  const made = accepted(await server.get(`${groups}/brand-new`)).json;
  assert.deepEqual(
    made.pipelines.map((one: { name: string }) => one.name),
    ['web'],
  );
  const noMembers = { users: [], roles: [] };
  assert.deepEqual(made.authorization, { view: noMembers, operate: noMembers, admins: noMembers });
  assert.equal((await create(server, pipeline('bad', { materials: [] }), 'never-made')).status, 422);
  assert.equal((await server.get(`${groups}/never-made`)).status, 404);
  const elsewhere = accepted(await create(server, pipeline('other'), 'BRAND-NEW'));
  assert.equal((await server.get(groups)).json._embedded.groups.filter((one: { name: string }) => /brand/i.test(one.name)).length, 1);
  assert.ok(elsewhere.etag);
});

test('a POST without group, or with a name that is taken, is refused in the words of GoCD', async () => {
  for (const body of [
    { pipeline: pipeline('web') },
    { group: '', pipeline: pipeline('web') },
    { group: null, pipeline: pipeline('web') },
  ]) {
    const reply = await server.post(PATH, body);
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, 'Pipeline group must be specified for creating a pipeline.');
    assert.deepEqual(reply.json.data?.errors ?? {}, reply.json.data ? { group: [reply.json.message] } : {});
  }
  accepted(await create(server, pipeline('web')));
  const without = await replace(server, pipeline('web'), '');
  assert.equal(without.json.message, 'Pipeline group must be specified for updating a pipeline.');
  assert.deepEqual(without.json.data.errors, { group: [without.json.message] });
  for (const group of ['g', 'another']) {
    const twice = await create(server, pipeline('WEB'), group);
    assert.equal(twice.status, 422);
    assert.equal(twice.json.message, "Failed to add pipeline 'WEB'. Another pipeline with the same name already exists.");
  }
});

test('a POST without a pipeline or without a name is refused', async () => {
  for (const [body, message] of [
    [{ group: 'g' }, /does not contain property 'pipeline'$/],
    [{ group: 'g', pipeline: null }, /does not contain property 'pipeline'$/],
    [{ group: 'g', ...pipeline('unwrapped') }, /does not contain property 'pipeline'$/],
    [{ group: 'g', pipeline: 'web' }, /^Could not read property 'pipeline' as a JsonObject in json /],
    [{ group: 'g', pipeline: {} }, /does not contain property 'name'$/],
  ] as const) {
    const reply = await server.post(PATH, body);
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.json.message, message);
  }
});

test('X-pause-pipeline creates a paused pipeline, with the given cause or the default one', async () => {
  const CAUSE = 'nicht vor Montag, grüße';
  const asBytes = (text: string) => Buffer.from(text).toString('latin1');
  accepted(await create(server, pipeline('runs')));
  assert.deepEqual(pick(await statusOf('runs')), { paused: false, paused_cause: '', paused_by: '' });
  const paused = (headers: Record<string, string>, name: string) =>
    server.post(PATH, { group: 'g', pipeline: pipeline(name) }, { headers });
  accepted(await paused({ 'X-pause-pipeline': 'true', 'X-pause-cause': asBytes(CAUSE) }, 'waits'));
  assert.deepEqual(pick(await statusOf('WAITS')), { paused: true, paused_cause: CAUSE, paused_by: 'admin' });
  accepted(await paused({ 'X-pause-pipeline': 'true' }, 'waits-too'));
  assert.deepEqual(pick(await statusOf('waits-too')), { paused: true, paused_cause: NO_CAUSE, paused_by: 'admin' });
  accepted(await paused({ 'X-pause-pipeline': 'false', 'X-pause-cause': 'no' }, 'goes'));
  assert.equal((await statusOf('goes')).paused, false);
  await server.restart();
  assert.equal((await statusOf('waits')).paused_cause, CAUSE);

  function pick({ paused: isPaused, paused_cause, paused_by }: Record<string, unknown>) {
    return { paused: isPaused, paused_cause, paused_by };
  }
});

test('a pause of a POST that is refused leaves no trace, neither on a new nor on an existing pipeline', async () => {
  const headers = { 'X-pause-pipeline': 'true', 'X-pause-cause': 'x' };
  assert.equal((await server.post(PATH, { group: 'g', pipeline: pipeline('web', { materials: [] }) }, { headers })).status, 422);
  accepted(await create(server, pipeline('web')));
  assert.equal((await statusOf('web')).paused, false);
  assert.equal((await server.post(PATH, { group: 'g', pipeline: pipeline('WEB') }, { headers })).status, 422);
  assert.equal((await statusOf('web')).paused, false);
  accepted(await server.post(`${PATH}?dry_run=true`, { group: 'g', pipeline: pipeline('dry') }, { headers }));
  accepted(await create(server, pipeline('dry')));
  assert.equal((await statusOf('dry')).paused, false);
});

test('of two requests that create the same paused pipeline at once one wins, and it stays paused', async () => {
  const ask = () => server.post(PATH, { group: 'g', pipeline: pipeline('race') }, { headers: { 'X-pause-pipeline': 'true' } });
  const replies = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 422, 422]);
  assert.equal((await statusOf('race')).paused, true);
});

test('the status of a pipeline that does not exist is 404', async () => {
  const reply = await server.get('/api/pipelines/ghost/status');
  assert.equal(reply.status, 404);
  assert.equal(reply.json.message, "Pipeline with name 'ghost' was not found!");
});

test('a pipeline can be sent back as it was read: nothing changes, not even the ETag', async () => {
  accepted(
    await create(
      server,
      pipeline('web', {
        environment_variables: [{ name: 'KEY', secure: true, value: 'hush' }],
        materials: [git({ url: 'https://me:hush@scm.example.org/a.git' })],
      }),
    ),
  );
  const { json, etag } = await server.get(`${PATH}/web`);
  const sent = accepted(await server.put(`${PATH}/web`, json, etag));
  assert.equal(sent.etag, etag);
  assert.deepEqual(sent.json, json);
});

test('a PUT needs the current ETag', async () => {
  accepted(await create(server, pipeline('web')));
  const body = { group: 'g', ...pipeline('web', { label_template: 'v${COUNT}' }) };
  const message =
    "Someone has modified the configuration for pipeline 'web'. Please update your copy of the config with the changes and try again.";
  for (const known of [undefined, '"stale"', '']) stale(await server.put(`${PATH}/web`, body, known), message, known !== undefined);
  const { etag } = await server.get(`${PATH}/web`);
  const replaced = accepted(await server.put(`${PATH}/web`, body, etag));
  assert.notEqual(replaced.etag, etag);
  stale(await server.put(`${PATH}/web`, body, etag), message);
  accepted(await server.put(`${PATH}/web`, body, replaced.etag!.replace(/"$/, '--gzip"')));
  accepted(await server.put(`${PATH}/web`, body, '*'));
});

test('the ETag of a pipeline changes with the pipeline alone', async () => {
  const { etag } = accepted(await create(server, pipeline('web')));
  accepted(await create(server, pipeline('down', { materials: [dependency('web')] })));
  accepted(await server.post('/api/admin/environments', { name: 'e', pipelines: [{ name: 'web' }] }));
  assert.equal((await server.get(`${PATH}/web`)).etag, etag);
});

test('a rename is refused, a change of letter case is none', async () => {
  accepted(await create(server, pipeline('web')));
  const renamed = await server.put(`${PATH}/web`, { group: 'g', ...pipeline('shop') }, '*');
  assert.equal(renamed.status, 422);
  assert.equal(renamed.json.message, 'Renaming of pipelines is not supported by this API.');
  accepted(await server.put(`${PATH}/web`, { group: 'g', ...pipeline('Web') }, '*'));
  assert.equal((await server.get(`${PATH}/WEB`)).json.name, 'Web');
});

test('another group in the body moves a pipeline, with the references to it', async () => {
  accepted(await create(server, pipeline('web'), 'old'));
  accepted(await create(server, pipeline('down', { materials: [dependency('web')] }), 'old'));
  accepted(await create(server, pipeline('stays'), 'new'));
  accepted(await server.post('/api/admin/environments', { name: 'e', pipelines: [{ name: 'web' }] }));
  const moved = accepted(await replace(server, pipeline('web'), 'new'));
  assert.equal(moved.json.group, 'new');
  assert.deepEqual(await namesIn('old'), ['down']);
  assert.deepEqual((await namesIn('new')).sort(), ['stays', 'web']);
  assert.equal((await server.delete(`${PATH}/web`)).status, 422);
  await server.restart();
  assert.deepEqual(await namesIn('old'), ['down']);
  assert.deepEqual((await namesIn('new')).sort(), ['stays', 'web']);

  async function namesIn(group: string): Promise<string[]> {
    return accepted(await server.get(`/api/admin/pipeline_groups/${group}`)).json.pipelines.map((one: { name: string }) => one.name);
  }
});

test('a PUT or PATCH moves it to a group that does not exist, which is created; a refused one creates nothing', async () => {
  const groups = '/api/admin/pipeline_groups';
  const mayEdit = { headers: { 'If-Match': '*' } };
  accepted(await create(server, pipeline('web'), 'moved-from'));
  assert.equal((await replace(server, { ...pipeline('web'), stages: [] }, 'never')).status, 422);
  assert.equal((await server.get(`${groups}/never`)).status, 404);
  const tried = accepted(await server.put(`${PATH}/web?dry_run=true`, { group: 'never', ...pipeline('web') }, '*'));
  assert.deepEqual(
    tried.json._plan.changes.map(({ resource, id, operation }: Record<string, string>) => `${operation} ${resource} ${id}`),
    ['create pipeline_groups never', 'update pipelines web'],
  );
  accepted(await replace(server, pipeline('web'), 'put-to'));
  assert.equal((await server.get(`${PATH}/web`)).json.group, 'put-to');
  accepted(await server.patch(`${PATH}/web`, { group: 'patched-to' }, mayEdit));
  const { json } = accepted(await server.get(`${groups}/patched-to`));
  assert.deepEqual(
    [json.pipelines.map((one: { name: string }) => one.name), json.authorization.admins],
    [['web'], { users: [], roles: [] }],
  );
  for (const left of ['moved-from', 'put-to']) assert.deepEqual(accepted(await server.get(`${groups}/${left}`)).json.pipelines, []);
  const planned = { pipelines: [{ ...pipeline('web'), group: 'planned-to' }] };
  const { json: plan } = accepted(await server.post('/api/admin/config/plan', planned));
  assert.deepEqual(plan.errors, []);
  accepted(await server.post(`/api/admin/config/plan/${plan.id}/apply`, undefined, { headers: { 'X-Svc-Confirm': 'true' } }));
  assert.equal((await server.get(`${PATH}/web`)).json.group, 'planned-to');
});

test('a group that is renamed takes its pipelines along', async () => {
  accepted(await create(server, pipeline('web'), 'before'));
  const body = { name: 'afterwards', authorization: {} };
  accepted(await server.put('/api/admin/pipeline_groups/before', body, '*'));
  assert.equal((await server.get(`${PATH}/web`)).json.group, 'afterwards');
  assert.equal((await server.get('/api/admin/pipeline_groups/before')).status, 404);
});

test('a group that holds pipelines cannot be deleted', async () => {
  accepted(await create(server, pipeline('web'), 'full'));
  const reply = await server.delete('/api/admin/pipeline_groups/full');
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, 'Failed to delete group full because it was not empty.');
  accepted(await server.delete(`${PATH}/web`));
  accepted(await server.delete('/api/admin/pipeline_groups/full'));
});

test('a pipeline is deleted unless another depends on it or an environment has it', async () => {
  accepted(await create(server, pipeline('web')));
  accepted(await create(server, pipeline('down', { materials: [dependency('WEB')] }), 'h'));
  const refusal = async (message: string) => {
    const reply = await server.delete(`${PATH}/web`);
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.json, { message });
  };
  await refusal("Cannot delete pipeline 'web' as pipeline 'down (h)' depends on it.");
  accepted(await server.delete(`${PATH}/down`));
  accepted(await server.post('/api/admin/environments', { name: 'Prod', pipelines: [{ name: 'Web' }] }));
  await refusal("Cannot delete pipeline 'web' as it is present in environment 'Prod'.");
  accepted(await server.delete('/api/admin/environments/Prod'));
  const deleted = accepted(await server.delete(`${PATH}/web`));
  assert.deepEqual(deleted.json, { message: "Pipeline with name 'web' was deleted successfully!" });
  for (const reply of [await server.get(`${PATH}/web`), await server.delete(`${PATH}/web`)]) {
    assert.equal(reply.status, 404);
    assert.equal(reply.json.message, "Pipeline with name 'web' was not found!");
  }
});

test('secrets of a pipeline never come back in clear, and are kept when sent back encrypted', async () => {
  const secure = (value: string) => ({ name: 'KEY', secure: true, value });
  const secrets = ['in-pipeline', 'in-stage', 'in-job', 'in-git', 'in-url', 'in-task', 'in-artifact'];
  accepted(
    await server.post('/api/admin/artifact_stores', {
      id: 'secret-store',
      plugin_id: 'com.example.not-installed',
      properties: [],
    }),
  );
  const body = pipeline('web', {
    environment_variables: [secure('in-pipeline')],
    materials: [
      git({ username: 'me', password: 'in-git', destination: 'one' }),
      git({ url: 'https://me:in-url@scm.example.org/b.git', destination: 'two' }),
    ],
    stages: [
      stage('s', {
        environment_variables: [secure('in-stage')],
        jobs: [
          job({
            environment_variables: [secure('in-job')],
            tasks: [
              {
                type: 'pluggable_task',
                attributes: { plugin_configuration: { id: 'x', version: '1' }, configuration: [{ key: 'Password', value: 'in-task' }] },
              },
            ],
            artifacts: [
              { type: 'external', artifact_id: 'a', store_id: 'secret-store', configuration: [{ key: 'token', value: 'in-artifact' }] },
            ],
          }),
        ],
      }),
    ],
  });
  const created = accepted(await create(server, body));
  const shown = await server.get(`${PATH}/web`);
  const bad = await server.put(`${PATH}/web`, { group: 'g', ...body, lock_behavior: 'odd' }, '*');
  assert.equal(bad.status, 422);
  for (const secret of secrets) for (const reply of [created, shown, bad]) assert.ok(!reply.text.includes(secret), secret);
  assert.match(created.json.stages[0].jobs[0].tasks[0].attributes.configuration[0].encrypted_value, /^v2:/);
  assert.match(created.json.stages[0].jobs[0].artifacts[0].configuration[0].encrypted_value, /^v2:/);
  assert.equal(created.json.materials[1].attributes.url, 'https://me:******@scm.example.org/b.git');
  const again = accepted(await server.put(`${PATH}/web`, { group: 'g', ...body }, '*'));
  assert.equal(again.etag, created.etag);
  assert.equal(again.text, created.text);
  const changed = accepted(await server.put(`${PATH}/web`, { group: 'g', ...body, environment_variables: [secure('another')] }, '*'));
  assert.notEqual(changed.etag, created.etag);
});
