// Runs over HTTP: triggered, read, commented, paused and unlocked, on a real server with a real repository.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addUser } from '../support/requests/callers.ts';
import { until } from '../support/until.ts';
import { CONFIRM, RunLab, stage } from './run-lab.ts';

let lab: RunLab;
before(async () => {
  lab = await RunLab.start();
});
after(() => lab.stop());

const manual = { approval: { type: 'manual' } };
const trigger = (name: string, body?: object) => lab.post(`/api/pipelines/${name}/schedule`, body);
const message = (reply: { readonly json: { readonly message: string } }) => reply.json.message;

describe('a run', () => {
  test('begins with the pipeline, and is shown with its revisions', async () => {
    await lab.pipeline('first');
    await lab.poll();
    const run = await lab.run('first', 1);
    const [revision] = run.build_cause.material_revisions;
    assert.equal(run.build_cause.approver, 'changes');
    assert.equal(run.build_cause.trigger_forced, false);
    assert.equal(revision.material.type, 'Git');
    assert.equal(revision.changed, true);
    assert.deepEqual(
      revision.modifications.map((one: { revision: string }) => one.revision),
      [await lab.origin.tip()],
    );
    assert.deepEqual(
      run.stages.map(({ name, counter, scheduled, status }: Record<string, unknown>) => ({ name, counter, scheduled, status })),
      [
        { name: 'test', counter: '1', scheduled: true, status: 'Building' },
        { name: 'deploy', counter: '1', scheduled: false, status: 'Unknown' },
      ],
    );
    assert.equal(run.can_run, false); // its first stage is in progress
    assert.equal(run.stages[0].operate_permission, true);
    assert.equal(run.stages[0].can_run, false);
    assert.equal(run.stages[0].jobs[0].state, 'Scheduled');
  });

  test('a run that is unknown, or has an invalid counter, is refused', async () => {
    const at = (counter: string) => lab.get(`/api/pipelines/first/${counter}/instance`);
    assert.deepEqual([(await at('x')).status, message(await at('x'))], [422, 'The pipeline counter should be an integer.']);
    assert.deepEqual([(await at('0')).status, message(await at('0'))], [422, 'The pipeline counter cannot be less than 1.']);
    assert.deepEqual([(await at('99')).status, message(await at('99'))], [404, 'Pipeline [first/99] not found.']);
    const unknown = await lab.get('/api/pipelines/nothing/1/instance');
    assert.deepEqual([unknown.status, message(unknown)], [404, "Pipeline with name 'nothing' was not found!"]);
  });

  test('is commented by users who may operate it', async () => {
    const path = '/api/pipelines/first/1/comment';
    assert.equal(message(await lab.post(path, { comment: 'looks good' })), 'Comment successfully updated.');
    assert.equal((await lab.run('first', 1)).comment, 'looks good');
    assert.equal((await lab.post(`${path}?dry_run=true`, { comment: 'tried' })).status, 200);
    assert.equal((await lab.run('first', 1)).comment, 'looks good');
    await lab.post(path, { comment: '' });
    assert.equal((await lab.run('first', 1)).comment, null);
    assert.equal((await lab.post(path, {})).status, 422);
    assert.equal((await lab.post(path, { comment: 'x'.repeat(10_001) })).status, 422);
    assert.equal((await lab.post('/api/pipelines/first/9/comment', { comment: 'x' })).status, 404);
    const hostile = await lab.post(path, { comment: 'shown\u001b[2J' });
    assert.deepEqual(
      [hostile.status, hostile.json.message],
      [422, '`comment` must not hold control characters other than line breaks and tabs.'],
    );
  });
});

describe('triggering', () => {
  before(() =>
    lab.pipeline('asked', {
      stages: [stage('go', manual)],
      environment_variables: [
        { name: 'MODE', value: 'test' },
        { name: 'TOKEN', secure: true, value: 'hidden-1' },
      ],
    }),
  );

  test('lists the variables and materials of the pipeline', async () => {
    const { json } = await until('a revision', async () => {
      const reply = await lab.get('/api/pipelines/asked/trigger_options');
      return reply.json.materials[0].revision.latest_revision === null ? undefined : reply;
    });
    assert.deepEqual(json.variables, [
      { name: 'MODE', secure: false, value: 'test' },
      { name: 'TOKEN', secure: true },
    ]);
    assert.deepEqual([json.materials[0].type, json.materials[0].revision.comment], ['Git', 'first']);
  });

  test('refuses variables and materials that the pipeline does not have', async () => {
    const variable = await trigger('asked', { environment_variables: [{ name: 'COLOUR', value: 'red' }] });
    assert.deepEqual(
      [variable.status, message(variable)],
      [422, "Request to schedule pipeline rejected { Variable 'COLOUR' has not been configured for pipeline 'asked' }"],
    );
    const material = await trigger('asked', { materials: [{ fingerprint: 'abc', revision: '1' }] });
    assert.deepEqual(
      [material.status, message(material)],
      [422, "Request to schedule pipeline rejected { Pipeline 'asked' does not contain the following material(s): [abc]. }"],
    );
    const [{ fingerprint }] = (await lab.get('/api/pipelines/asked/trigger_options')).json.materials;
    const empty = await trigger('asked', { materials: [{ fingerprint, revision: ' ' }] });
    assert.deepEqual(
      [empty.status, message(empty)],
      [422, `Request to schedule pipeline rejected { Material [${fingerprint}] has empty revision }`],
    );
    for (const update of [true, false]) {
      const unknown = await trigger('asked', {
        update_materials_before_scheduling: update,
        materials: [{ fingerprint, revision: 'deadbeef' }],
      });
      assert.deepEqual(
        [unknown.status, message(unknown)],
        [422, `Request to schedule pipeline rejected { Material [${fingerprint}] has no revision 'deadbeef' }`],
      );
      assert.deepEqual(unknown.json.data, { errors: { [fingerprint]: ["It has no revision 'deadbeef'."] } });
    }
    assert.equal((await trigger('asked', { environment_variables: [{ name: 'MODE' }] })).status, 422);
    const unknown = await trigger('nothing');
    assert.deepEqual([unknown.status, message(unknown)], [404, "Pipeline 'nothing' not found."]);
    assert.equal((await lab.server.ask('POST', '/api/pipelines/asked/schedule')).status, 400);
  });

  test('takes a revision that has come just now, and variables that stay secret', async () => {
    const revision = await lab.origin.commit('second', { 'readme.md': '2' });
    await lab.origin.commit('third', { 'readme.md': '3' });
    const [{ fingerprint }] = (await lab.get('/api/pipelines/asked/trigger_options')).json.materials;
    const reply = await trigger('asked', {
      materials: [{ fingerprint, revision }],
      environment_variables: [
        { name: 'TOKEN', value: 'hidden-2' },
        { name: 'MODE', value: 'hidden-3', secure: true },
      ],
    });
    assert.deepEqual([reply.status, message(reply)], [202, 'Request to schedule pipeline asked accepted']);
    const run = await lab.run('asked', 1);
    assert.equal(run.build_cause.trigger_message, 'Forced by admin');
    assert.equal(run.build_cause.material_revisions[0].modifications[0].revision, revision);
    const { text } = await lab.get('/api/admin/events?page_size=100');
    assert.ok(!/hidden-\d/.test(text + lab.server.lines.join('\n')));
    const agent = await lab.agent();
    const work = await agent.workOf('asked');
    const given = Object.fromEntries(work.environment.map(({ name, value, is_secret }) => [name, [value, is_secret]]));
    assert.deepEqual(
      [given.TOKEN, given.MODE],
      [
        ['hidden-2', true],
        ['hidden-3', true],
      ],
    );
    const again = await trigger('asked');
    assert.deepEqual(
      [again.status, message(again)],
      [409, 'Failed to trigger pipeline [asked] { Stage [go] in pipeline [asked] is still in progress }'],
    );
    await agent.report(work, 'Completed', 'Passed');
    await lab.stageResult('asked/1/go/1', 'Passed');
  });

  test('is refused the second time at the same moment, and a dry run does nothing', async () => {
    assert.equal((await lab.server.ask('POST', '/api/pipelines/asked/schedule?dry_run=true', CONFIRM)).status, 202);
    const replies = await Promise.all([trigger('asked'), trigger('asked')]);
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [202, 409]);
    const refused = replies.find(({ status }) => status === 409)!;
    assert.equal(message(refused), 'Failed to trigger pipeline: asked { Pipeline already triggered }');
    await lab.run('asked', 2);
    assert.equal((await lab.get('/api/pipelines/asked/3/instance')).status, 404);
  });
});

describe('a pause', () => {
  const pausing = (what: string, body?: object) => lab.post(`/api/pipelines/rested/${what}`, body);

  test('stops runs until it ends, which wakes the pipeline', async () => {
    const group = { 'X-pause-pipeline': 'true' };
    const pipeline = { name: 'rested', materials: [lab.material], stages: [stage('test')] };
    await lab.server.post('/api/admin/pipelines', { group: 'shop', pipeline }, { headers: group });
    const paused = await pausing('pause', { pause_cause: 'again' });
    assert.deepEqual([paused.status, message(paused)], [409, "Failed to pause pipeline 'rested'. Pipeline 'rested' is already paused."]);
    const refused = await trigger('rested');
    assert.deepEqual([refused.status, message(refused)], [409, 'Failed to trigger pipeline [rested] { Pipeline rested is paused }']);
    assert.deepEqual((await lab.get('/api/pipelines/rested/status')).json.schedulable, false);
    assert.equal(message(await pausing('unpause')), "Pipeline 'rested' unpaused successfully.");
    await lab.run('rested', 1);
    const unpaused = await pausing('unpause');
    assert.deepEqual(
      [unpaused.status, message(unpaused)],
      [409, "Failed to unpause pipeline 'rested'. Pipeline 'rested' is already unpaused."],
    );
  });

  test('has its user and its reason in the status and in an event', async () => {
    assert.equal((await lab.post('/api/pipelines/rested/pause?dry_run=true', { pause_cause: 'tried' })).status, 200);
    assert.equal(message(await pausing('pause', { pause_cause: 'lunch' })), "Pipeline 'rested' paused successfully.");
    const { json } = await lab.get('/api/pipelines/Rested/status');
    const { paused_at: since, ...status } = json;
    assert.ok(Math.abs(Date.now() - Date.parse(since)) < 60_000, since);
    const mine = { name: 'rested', group: 'shop', can_trigger: true, can_operate: true, can_administer: true };
    assert.deepEqual(status, {
      ...mine,
      paused: true,
      paused_cause: 'lunch',
      paused_by: 'admin',
      locked: false,
      locked_by: null,
      schedulable: false,
    });
    const { events } = (await lab.get('/api/admin/events?page_size=100')).json._embedded;
    const pipelineEvents = events
      .filter(({ type }: { type: string }) => type.startsWith('pipeline.'))
      .map(({ type, data }: { type: string; data: unknown }) => [type, data]);
    assert.deepEqual(pipelineEvents, [
      ['pipeline.paused', { cause: 'lunch' }],
      ['pipeline.unpaused', {}],
    ]);
    await lab.server.restart();
    assert.equal((await lab.get('/api/pipelines/rested/status')).json.paused_cause, 'lunch');
    await pausing('unpause');
    assert.equal((await pausing('pause', { pause_cause: 'x'.repeat(1001) })).status, 422);
    assert.equal((await lab.server.ask('POST', '/api/pipelines/rested/unpause')).status, 400);
  });
});

describe('a lock', () => {
  const unlock = () => lab.post('/api/pipelines/locked/unlock');

  test('is released by hand once its run rests', async () => {
    const none = await lab.post('/api/pipelines/first/unlock');
    assert.deepEqual([none.status, message(none)], [409, 'No lock exists within the pipeline configuration for first']);
    await lab.pipeline('locked', { lock_behavior: 'lockOnFailure', stages: [stage('test', manual), stage('deploy')] });
    const free = await unlock();
    assert.deepEqual(
      [free.status, message(free)],
      [409, 'Lock exists within the pipeline configuration but no pipeline instance is currently in progress'],
    );
    await trigger('locked');
    await lab.run('locked', 1);
    const held = (await lab.get('/api/pipelines/locked/status')).json;
    assert.deepEqual([held.locked, held.locked_by.counter, held.locked_by.label], [true, 1, '1']);
    const active = await unlock();
    assert.deepEqual(
      [active.status, message(active)],
      [409, 'Locked pipeline instance is currently running (one of the stages is in progress)'],
    );
    await lab.post('/api/stages/locked/1/test/1/cancel');
    const refused = await trigger('locked');
    assert.deepEqual(
      [refused.status, message(refused)],
      [409, 'Pipeline locked cannot be scheduled { Pipeline locked is locked as another instance of this pipeline is running. }'],
    );
    assert.equal((await lab.server.ask('POST', '/api/pipelines/locked/unlock?dry_run=true', CONFIRM)).status, 200);
    assert.equal((await lab.get('/api/pipelines/locked/status')).json.locked, true);
    assert.equal(message(await unlock()), 'Pipeline lock released for locked');
    assert.deepEqual((await lab.get('/api/pipelines/locked/status')).json, {
      name: 'locked',
      group: 'shop',
      paused: false,
      paused_cause: '',
      paused_by: '',
      paused_at: null,
      locked: false,
      locked_by: null,
      schedulable: true,
      can_trigger: true,
      can_operate: true,
      can_administer: true,
    });
  });
});

describe('the history', () => {
  test('is read a page at a time, from either end', async () => {
    await lab.pipeline('long', { stages: [stage('test', manual)] });
    for (let counter = 1; counter <= 12; counter++) {
      await until(
        'its turn',
        async () => (await trigger('long', { update_materials_before_scheduling: false })).status === 202 || undefined,
      );
      await lab.run('long', counter);
      await lab.post(`/api/stages/long/${counter}/test/1/cancel`);
    }
    const counters = ({ json }: { json: { pipelines: { counter: number }[] } }) => json.pipelines.map(({ counter }) => counter);
    const first = await lab.get('/api/pipelines/long/history');
    assert.deepEqual(counters(first), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    assert.deepEqual(Object.keys(first.json._links), ['next']);
    const next = await lab.get(first.json._links.next.href.slice(lab.server.url.length));
    assert.deepEqual(counters(next), [2, 1]);
    assert.deepEqual(Object.keys(next.json._links), ['previous']);
    const previous = await lab.get(next.json._links.previous.href.slice(lab.server.url.length));
    assert.deepEqual(counters(previous), counters(first));
    const all = await lab.get('/api/pipelines/long/history?page_size=50');
    assert.equal(all.json.pipelines.length, 12);
    assert.deepEqual(all.json._links, {});
    const size = "The query parameter 'page_size', if specified must be a number between 10 and 100.";
    const cursor = (name: string) => `The query parameter '${name}', if specified, must be a positive integer.`;
    for (const [query, expected] of [
      ['page_size=9', size],
      ['page_size=101', size],
      ['page_size=x', size],
      ['after=x', cursor('after')],
      ['before=-1', cursor('before')],
    ] as const) {
      const refused = await lab.get(`/api/pipelines/long/history?${query}`);
      assert.deepEqual([refused.status, message(refused)], [400, expected], query);
    }
    assert.deepEqual(counters(await lab.get('/api/pipelines/long/history?after=0')), counters(first));
    const stages = await lab.get('/api/stages/long/test/history?page_size=10');
    assert.equal(stages.json.stages.length, 10);
    const jobs = await lab.get('/api/jobs/long/test/unit/history');
    assert.deepEqual(
      jobs.json.jobs.map((job: { pipeline_counter: number }) => job.pipeline_counter),
      counters(first),
    );
    assert.equal((await lab.get(jobs.json._links.next.href.slice(lab.server.url.length))).json.jobs.length, 2);
  });
});

test('users with only view rights cannot operate, and users without them see nothing', async () => {
  const [viewer, operator, stranger] = [
    await addUser(lab.server, 'viewer'),
    await addUser(lab.server, 'operator'),
    await addUser(lab.server, 'stranger'),
  ];
  const group = await lab.get('/api/admin/pipeline_groups/shop');
  const authorization = { view: { users: ['viewer'] }, operate: { users: ['operator'] } };
  await lab.server.put('/api/admin/pipeline_groups/shop', { name: 'shop', authorization }, group.etag!);
  const seen = await lab.get('/api/pipelines/first/1/instance', { as: viewer });
  assert.deepEqual([seen.status, seen.json.can_run, seen.json.stages[0].operate_permission], [200, false, false]);
  for (const path of ['pause', 'unpause', 'unlock', 'schedule', '1/comment']) {
    const body = { pause_cause: '', comment: '' };
    assert.equal((await lab.post(`/api/pipelines/first/${path}?dry_run=true`, body, { as: viewer })).status, 403, path);
    assert.notEqual((await lab.post(`/api/pipelines/first/${path}?dry_run=true`, body, { as: operator })).status, 403, path);
  }
  for (const path of [
    'pipelines/first/1/instance',
    'pipelines/first/history',
    'pipelines/first/why',
    'stages/first/1/test/1',
    'jobs/first/1/test/1/unit',
  ]) {
    const [there, missing] = [
      await lab.get(`/api/${path}`, { as: stranger }),
      await lab.get(`/api/${path.replace('first', 'none')}`, { as: stranger }),
    ];
    assert.deepEqual([there.status, there.text], [403, missing.text], path);
  }
});
