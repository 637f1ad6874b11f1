// Stages and jobs over HTTP: run, run again, cancelled, read.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addUser } from '../support/requests/callers.ts';
import type { Reply } from '../support/server/server.ts';
import { until } from '../support/until.ts';
import { type Agent, RunLab, stage } from './run-lab.ts';

let lab: RunLab;
let agent: Agent;
before(async () => {
  lab = await RunLab.start();
  await lab.pipeline('web', { stages: [stage('test', {}, ['unit', 'lint']), stage('deploy', MANUAL), stage('tell', ONLY_ON_SUCCESS)] });
  await lab.poll();
  agent = await lab.agent();
});
after(() => lab.stop());

const MANUAL = { approval: { type: 'manual' } };
const ONLY_ON_SUCCESS = { approval: { type: 'manual', allow_only_on_success: true } };
const answerOf = ({ status, json }: Reply) => [status, json.message];
const run = (locator: string, body?: object, more = {}) => lab.post(`/api/stages/${locator}/run`, body, more);

describe('a stage', () => {
  test('a stage that fails is shown with its jobs', async () => {
    await lab.run('web', 1);
    await agent.build('Passed');
    await agent.build('Failed');
    const stageRun = await lab.stageResult('web/1/test/1', 'Failed');
    assert.equal(stageRun.counter, 1);
    assert.equal(stageRun.approved_by, 'changes');
    assert.equal(stageRun.pipeline_counter, 1);
    assert.equal('cancelled_by' in stageRun, false);
    assert.equal('estimated_duration_ms' in stageRun, false); // it has never passed
    const [unit, lint] = stageRun.jobs;
    assert.deepEqual([unit.name, unit.result, unit.agent_uuid, unit.stage_counter], ['unit', 'Passed', agent.uuid, '1']);
    assert.equal(lint.result, 'Failed');
    const states = unit.job_state_transitions.map(({ state }: { state: string }) => state);
    assert.deepEqual(states, ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing', 'Completed']);
    const { json } = await lab.get('/api/jobs/web/1/test/1/unit');
    assert.deepEqual({ ...json, ...unit }, json, 'by itself a job shows the same, and more');
  });

  test('has its failed jobs run again, the others stand as they are', async () => {
    const path = '/api/stages/web/1/test/1/run-failed-jobs';
    assert.deepEqual(answerOf(await lab.post(`${path}?dry_run=true`)), [202, 'Request to rerun jobs for web/1/test/1 accepted']);
    assert.deepEqual(answerOf(await lab.post(path)), [202, 'Request to rerun jobs for web/1/test/1 accepted']);
    const work = await agent.build('Passed');
    assert.equal(work.locator.job, 'lint');
    const again = await lab.stageResult('web/1/test/2', 'Passed');
    assert.equal(again.rerun_of_counter, 1);
    const unit = again.jobs.find(({ name }: { name: string }) => name === 'unit');
    const lint = again.jobs.find(({ name }: { name: string }) => name === 'lint');
    assert.deepEqual([unit.rerun, unit.original_job_id === null, unit.job_state_transitions.length], [false, false, 6]);
    assert.deepEqual([lint.rerun, lint.original_job_id], [true, null]);
    assert.deepEqual(answerOf(await lab.post('/api/stages/web/1/test/2/run-failed-jobs')), [
      400,
      'There are no failed jobs in the stage that could be re-run',
    ]);
  });

  test('has selected jobs run again', async () => {
    const path = '/api/stages/web/1/test/2/run-selected-jobs';
    assert.deepEqual(answerOf(await lab.post(path, { jobs: ['gone'] })), [404, "Job(s) [gone] does not exist in stage 'web/1/test/2'."]);
    assert.deepEqual(answerOf(await lab.post(path, { jobs: [] })), [400, 'No job was selected to re-run.']);
    assert.equal((await lab.post(path, {})).status, 422);
    assert.deepEqual(answerOf(await lab.post(path, { jobs: ['Unit'] })), [202, 'Request to rerun jobs for web/1/test/2 accepted']);
    const work = await agent.build('Passed');
    assert.deepEqual([work.locator.job, work.locator.stage_counter], ['unit', 3]);
    const again = await lab.stageResult('web/1/test/3', 'Passed');
    assert.equal(again.rerun_of_counter, 1);
  });

  test('is run by hand when the one before was run, and again by its configuration of then', async () => {
    assert.deepEqual(answerOf(await run('web/1/tell')), [
      400,
      'Can not run stage [tell] in pipeline [web] because its previous stage has not been run.',
    ]);
    assert.equal((await lab.post('/api/stages/web/1/deploy/run?dry_run=true')).status, 202);
    assert.equal((await lab.get('/api/stages/web/1/deploy/1')).status, 404);
    assert.deepEqual(answerOf(await run('web/latest/deploy')), [202, 'Request to schedule stage web/latest/deploy accepted']);
    assert.deepEqual(answerOf(await run('web/1/deploy')), [409, 'Cannot schedule: Stage [deploy] in pipeline [web] is still in progress']);
    await agent.build('Failed');
    await lab.stageResult('web/1/deploy/1', 'Failed');
    assert.deepEqual(answerOf(await run('web/1/tell')), [409, 'Cannot schedule tell as the previous stage deploy has Failed!']);
    const { json, etag } = await lab.get('/api/admin/pipelines/web');
    const renamed = json.stages.map((one: { name: string }) => (one.name === 'deploy' ? stage('deploy', MANUAL, ['other']) : one));
    assert.equal((await lab.server.put('/api/admin/pipelines/web', { ...json, stages: renamed }, etag!)).status, 200);
    assert.equal((await run('web/1/deploy', { configuration: 'original' })).status, 202);
    assert.equal((await agent.build('Passed')).locator.job, 'unit');
    await lab.stageResult('web/1/deploy/2', 'Passed');
    assert.equal((await run('web/1/deploy', { configuration: 'current' })).status, 202);
    assert.equal((await agent.build('Passed')).locator.job, 'other');
    await lab.stageResult('web/1/deploy/3', 'Passed');
    assert.deepEqual(answerOf(await run('web/1/deploy', { configuration: 'best' })), [
      422,
      '`configuration` must be one of current, original.',
    ]);
  });

  test('gets 404 if it does not exist', async () => {
    assert.deepEqual(answerOf(await run('web/9/deploy')), [404, "Not Found { Pipeline 'web' with counter '9' not found }"]);
    assert.deepEqual(answerOf(await run('web/x/deploy')), [422, 'The pipeline counter should be an integer.']);
    assert.deepEqual(answerOf(await run('web/1/nothing')), [404, "Stage 'nothing' not found in pipeline 'web'."]);
    assert.deepEqual(answerOf(await lab.get('/api/stages/web/9/test/1')), [404, "Not Found { Pipeline 'web' with counter '9' not found }"]);
    assert.deepEqual(answerOf(await lab.get('/api/stages/web/1/test/9')), [
      404,
      "Stage 'test' with counter '9' not found. Please make sure specified stage or stage run with specified counter exists.",
    ]);
    assert.deepEqual(answerOf(await lab.get('/api/stages/web/1/test/x')), [422, 'The stage counter should be an integer.']);
    assert.deepEqual(answerOf(await lab.get('/api/jobs/web/1/test/1/gone')), [404, "No job instance was found for 'web/1/test/1/gone'."]);
    assert.deepEqual(answerOf(await lab.get('/api/jobs/web/x/test/1/unit')), [
      400,
      "The params 'pipeline_counter' must be a number greater than 0.",
    ]);
    assert.deepEqual(answerOf(await lab.get('/api/jobs/web/1/test/0/unit')), [
      400,
      "The params 'stage_counter' must be a number greater than 0.",
    ]);
  });

  test('is cancelled, also in maintenance mode, in which nothing new starts', async () => {
    assert.equal((await run('web/1/deploy')).status, 202);
    await lab.post('/api/admin/maintenance_mode/enable');
    assert.equal((await run('web/1/test')).status, 503);
    assert.equal((await lab.post('/api/pipelines/web/schedule')).status, 503);
    const path = '/api/stages/web/1/deploy/4/cancel';
    assert.deepEqual(answerOf(await lab.post(`${path}?dry_run=true`)), [200, 'Stage cancelled successfully.']);
    assert.deepEqual(answerOf(await lab.post(path)), [200, 'Stage cancelled successfully.']);
    assert.deepEqual(answerOf(await lab.post(path)), [200, 'Stage is not active. Cancellation Ignored.']);
    assert.equal((await lab.get('/api/stages/web/1/deploy/4')).json.cancelled_by, 'admin');
    const { rules } = await whyOf('web');
    assert.ok(rules.includes('maintenance'));
    await lab.post('/api/admin/maintenance_mode/disable');
  });

  test('a stage with approvers of its own can be run by them alone', async () => {
    const [operator, approver] = [await addUser(lab.server, 'operator'), await addUser(lab.server, 'approver')];
    const group = await lab.get('/api/admin/pipeline_groups/shop');
    const authorization = { view: { users: ['operator', 'approver'] }, operate: { users: ['operator', 'approver'] } };
    await lab.server.put('/api/admin/pipeline_groups/shop', { name: 'shop', authorization }, group.etag!);
    const own = { approval: { type: 'manual', authorization: { users: ['approver'], roles: [] } } };
    await lab.pipeline('guarded', { stages: [stage('test', own), stage('after', MANUAL)] });
    const schedule = (as: string) => lab.post('/api/pipelines/guarded/schedule?dry_run=true', {}, { as });
    assert.deepEqual([(await schedule(operator)).status, (await schedule(approver)).status], [403, 202]);
    await lab.post('/api/pipelines/guarded/schedule');
    await lab.run('guarded', 1);
    const mayOperate = async (as: string) => (await lab.get('/api/pipelines/guarded/1/instance', { as })).json.stages[0].operate_permission;
    assert.deepEqual([await mayOperate(operator), await mayOperate(approver)], [false, true]);
    const cancel = (as: string) => lab.post('/api/stages/guarded/1/test/1/cancel', {}, { as });
    assert.deepEqual(answerOf(await cancel(operator)), [403, 'Unauthorized to operate stage named test']);
    assert.deepEqual(answerOf(await run('guarded/1/test', {}, { as: operator })), [
      403,
      'User does not have operate permissions for stage [test] of pipeline [guarded]',
    ]);
    assert.deepEqual(answerOf(await cancel(approver)), [200, 'Stage cancelled successfully.']);
    assert.equal((await run('guarded/1/after', {}, { as: operator })).status, 202);
    await lab.post('/api/stages/guarded/1/after/1/cancel');
  });
});

test('the usual duration is shown, and the estimated end of a running job', async () => {
  await lab.pipeline('timed', { stages: [stage('test', MANUAL)] });
  for (const counter of [1, 2]) {
    await lab.post('/api/pipelines/timed/schedule', { update_materials_before_scheduling: false });
    await lab.run('timed', counter);
    await agent.build('Passed');
    await lab.stageResult(`timed/${counter}/test/1`, 'Passed');
  }
  await lab.post('/api/pipelines/timed/schedule', { update_materials_before_scheduling: false });
  await lab.run('timed', 3);
  const waiting = (await lab.get('/api/stages/timed/3/test/1')).json;
  assert.equal(waiting.estimated_end, waiting.scheduled_at + waiting.estimated_duration_ms);
  assert.deepEqual([typeof waiting.jobs[0].estimated_duration_ms, 'estimated_end' in waiting.jobs[0]], ['number', false]);
  const work = await agent.work();
  const { json: job } = await lab.get('/api/jobs/timed/3/test/1/unit');
  const assigned = job.job_state_transitions.find(({ state }: { state: string }) => state === 'Assigned').state_change_time;
  assert.equal(job.estimated_end, assigned + job.estimated_duration_ms);
  const { stages } = await lab.run('timed', 3);
  assert.deepEqual([stages[0].estimated_end, stages[0].jobs[0].estimated_end], [waiting.estimated_end, job.estimated_end]);
  await agent.report(work, 'Completed', 'Passed');
  const done = await lab.stageResult('timed/3/test/1', 'Passed');
  assert.deepEqual(['estimated_duration_ms' in done, 'estimated_end' in done], [true, false]);
});

async function whyOf(pipeline: string) {
  const { json } = await lab.get(`/api/pipelines/${pipeline}/why`);
  return { ...json, rules: json.reasons.map(({ rule }: { rule: string }) => rule) };
}

describe('why a pipeline', () => {
  test('does not run: already run, paused, manual trigger, timer, its own first stage', async () => {
    const [ran] = (await whyOf('web')).reasons;
    assert.deepEqual([ran.rule, ran.run], ['already_run', 1]);
    await lab.post('/api/pipelines/web/pause', { pause_cause: 'lunch' });
    const paused = await whyOf('web');
    assert.equal(paused.will_run, false);
    assert.deepEqual([paused.reasons[0].rule, paused.reasons[0].paused_by, paused.reasons[0].paused_cause], ['paused', 'admin', 'lunch']);
    assert.match(paused.reasons[0].message, /Unpause it/);
    await lab.post('/api/pipelines/web/unpause');
    await lab.pipeline('nightly', { stages: [stage('test', MANUAL)], timer: { spec: '0 0 3 1 1 ?', only_on_changes: true } });
    const nightly = await whyOf('nightly');
    assert.deepEqual(nightly.rules, ['manual_first_stage', 'timer']);
    assert.match(nightly.reasons[1].next, /^\d{4}-\d\d-\d\dT/);
    assert.equal(nightly.last_run, null);
    assert.equal(nightly.materials[0].latest_revision, await lab.origin.tip());
    await lab.post('/api/pipelines/nightly/schedule');
    await lab.run('nightly', 1);
    const active = (await whyOf('nightly')).reasons.find(({ rule }: { rule: string }) => rule === 'stage_active');
    assert.deepEqual([active.stage, active.runs], ['test', [1]]);
    await lab.post('/api/stages/nightly/1/test/1/cancel');
  });

  test('does not run: lock of another run, nothing known yet, upstream stage not passed', async () => {
    await lab.pipeline('locked', { lock_behavior: 'lockOnFailure', stages: [stage('test', MANUAL), stage('deploy')] });
    await lab.post('/api/pipelines/locked/schedule');
    await lab.run('locked', 1);
    await lab.post('/api/stages/locked/1/test/1/cancel');
    const locked = (await whyOf('locked')).reasons.find(({ rule }: { rule: string }) => rule === 'locked');
    assert.deepEqual([locked.run, /run locked\/1 holds/.test(locked.message)], [1, true]);
    const elsewhere = { type: 'git', attributes: { url: 'https://scm.example.org/none.git', auto_update: false } };
    await lab.pipeline('blind', { materials: [elsewhere] });
    const blind = (await whyOf('blind')).reasons[0];
    assert.deepEqual([blind.rule, blind.materials[0].type], ['no_modifications', 'git']);
    assert.equal(blind.materials[0].poll_error, undefined);
    const gone = { type: 'git', attributes: { url: `${lab.origin.path}-gone` } };
    await lab.pipeline('failing', { materials: [gone] });
    const { fingerprint } = (await whyOf('failing')).reasons[0].materials[0];
    await until('the poll', async () => (await lab.post(`/api/internal/materials/${fingerprint}/trigger_update`)).status < 300);
    const failed = await until('the failure', async () => {
      const [reason] = (await whyOf('failing')).reasons;
      return reason.materials[0].poll_error === undefined ? undefined : reason;
    });
    assert.match(failed.message, /when the first poll of it succeeds\. The last poll failed: .*gone/);
    const upstream = { type: 'dependency', attributes: { pipeline: 'locked', stage: 'deploy' } };
    await lab.pipeline('below', { materials: [upstream] });
    const below = (await whyOf('below')).reasons[0];
    assert.deepEqual(
      [below.rule, /stage 'deploy' of the pipeline 'locked' has not passed/.test(below.message)],
      ['no_modifications', true],
    );
  });

  test('does not run: all changed files are ignored', async () => {
    const filtered = { ...lab.material, attributes: { ...lab.material.attributes, filter: { ignore: ['docs/**/*'] } } };
    await lab.pipeline('code', { materials: [filtered] });
    await lab.run('code', 1);
    await lab.post('/api/stages/code/1/test/1/cancel');
    await lab.origin.commit('documented', { 'docs/a.md': '1', 'docs/b/c.md': '2' });
    await lab.poll();
    await lab.run('web', 2);
    const [ignored] = (await whyOf('code')).reasons;
    assert.equal(ignored.rule, 'ignored');
    assert.deepEqual(ignored.materials[0].patterns, ['docs/**/*']);
    assert.deepEqual(ignored.materials[0].files, ['docs/a.md', 'docs/b/c.md']);
    await lab.post('/api/stages/web/2/test/1/cancel');
  });

  test('does not run: upstream runs disagree on a revision', async () => {
    const name = (which: string) => ({ type: 'dependency', attributes: { pipeline: which, stage: 'test' } });
    for (const upstream of ['left', 'right']) await lab.pipeline(upstream, { stages: [stage('test', MANUAL)] });
    const passed = async (pipeline: string) => {
      await lab.post(`/api/pipelines/${pipeline}/schedule`);
      await lab.run(pipeline, 1);
      // A poll may have set off other pipelines of the same material.
      await agent.report(await agent.workOf(pipeline), 'Completed', 'Passed');
      await lab.stageResult(`${pipeline}/1/test/1`, 'Passed');
    };
    await passed('left');
    const [older, newer] = [await lab.origin.tip(), await lab.origin.commit('newer', { 'docs/a.md': '2' })];
    await passed('right');
    await lab.pipeline('joined', { materials: [name('left'), name('right')] }, 'joined');
    // Which stages have passed before is learned when it is first looked at.
    const isFanIn = (one: { rule: string }) => one.rule === 'fan_in';
    const reason = await until('the look at it', async () => (await whyOf('joined')).reasons.find(isFanIn));
    assert.equal(reason.cause, 'disagreement');
    const used = Object.fromEntries(reason.runs.map((one: { locator: string; revision: string }) => [one.locator, one.revision]));
    assert.deepEqual(used, { 'left/1/test/1': older, 'right/1/test/1': newer });
    const as = await addUser(lab.server, 'guest');
    await lab.server.put('/api/admin/pipeline_groups/joined', { name: 'joined', authorization: { view: { users: ['guest'] } } }, '*');
    const { text } = await lab.get('/api/pipelines/joined/why', { as });
    const found = [older, newer, lab.origin.path, 'disagree on a material of pipelines'].filter((one) => text.includes(one));
    assert.deepEqual(found, ['disagree on a material of pipelines']);
  });
});

describe('why a job', () => {
  const why = (job: string) => lab.get(`/api/jobs/${job}/why`);

  test('waits: no agent has its resources', async () => {
    const jobs = [{ name: 'unit', resources: ['jdk'], tasks: [{ type: 'exec', attributes: { command: 'true' } }] }];
    await lab.pipeline('java', { stages: [{ name: 'test', ...MANUAL, jobs }] });
    await lab.post('/api/pipelines/java/schedule');
    await lab.run('java', 1);
    const { json } = await why('java/1/test/1/unit');
    assert.equal(json.will_run, false);
    assert.deepEqual(
      json.reasons.map(({ rule }: { rule: string }) => rule),
      ['no_agent', 'resources'],
    );
    const own = json.agents.find(({ uuid }: { uuid: string }) => uuid === agent.uuid);
    assert.deepEqual([own.may_take, own.rule, own.hostname], [false, 'resources', 'builder']);
    const other = await lab.agent({ resources: ['jdk'] });
    assert.equal((await why('java/1/test/1/unit')).json.will_run, true);
    await other.report(await other.workOf('java'), 'Completed', 'Passed');
    await lab.stageResult('java/1/test/1', 'Passed');
    const ended = (await why('java/1/test/1/unit')).json;
    assert.deepEqual([ended.will_run, ended.reasons[0].rule, ended.agents], [false, 'completed', []]);
    assert.equal((await why('java/1/test/1/none')).status, 404);
  });
});
