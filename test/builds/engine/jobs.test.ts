// Jobs and their agents: which agent takes which job, and lost, repeated or late reports, through a whole server.
import assert from 'node:assert/strict';
import { after as afterAll, before, describe, test } from 'node:test';
import { MAX_ENDING_MS } from '../../../src/builds/jobs/job-states.ts';
import { SYSTEM_CLOCK } from '../../../src/kit/concurrency/clock.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { healthOf } from '../../support/server/health.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, type JsonBody, job, stage } from './lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
});
afterAll(() => lab.stop());

async function started(name: string, jobs: readonly JsonBody[] = [job()], more: JsonBody = {}) {
  const origin = await lab.origin(name);
  await lab.pipeline(name, { materials: [git(origin)], stages: [stage('build', { jobs })], ...more });
  await lab.poll(name);
  await lab.run(name, 1);
  return origin;
}

const jobsOf = async (name: string, counter = 1) => lab.jobs(await lab.stage(name, counter, 'build'));
const WAIT_MS = 100;

/** The order of a poll that is answered soon; undefined if the server holds it longer. */
async function soon(some: FakeAgent) {
  const order = await some.poll(AbortSignal.timeout(WAIT_MS)).catch((failure: Error) => {
    if (failure.name !== 'AbortError') throw failure;
  });
  return order?.order;
}

describe('a server whose jobs are not loaded yet', () => {
  test('asks agents to wait, so that they do not drop jobs that are still theirs', async (context) => {
    // A job that is left behind would keep the agent of the other tests.
    const own = await BuildLab.forTest(context);
    const printing = await own.agent();
    await own.pipeline('unloaded', { materials: [git(await own.origin('unloaded'))], stages: [stage()] });
    await own.poll('unloaded');
    const work = await printing.take();
    await printing.begin(work);
    await own.engine.stop();
    const early = await printing.printAt(work, 0, 'one');
    await own.engine.start();
    assert.equal(early.status, 503, early.text);
    assert.equal((await printing.printAt(work, 0, 'one')).status, 200);
    assert.equal((await printing.complete(work)).status, 200);
    assert.equal(await own.result('unloaded', 1, 'build'), 'Passed');
  });
});

describe('work', () => {
  test('goes through all states, and has all that a job needs', async () => {
    const origin = await started('whole', [job('compile', { environment_variables: [{ name: 'A', value: '1', secure: false }] })]);
    const work = await agent.take();
    const [row] = await jobsOf('whole');
    assert.deepEqual([row!.state, row!.agent_uuid, row!.epoch], ['Assigned', agent.uuid, 1]);
    assert.deepEqual(work.locator, { pipeline: 'whole', pipeline_counter: 1, stage: 'build', stage_counter: 1, job: 'compile' });
    assert.equal(work.materials[0]!.revision, await origin.tip());
    assert.equal(work.environment.find(({ name }) => name === 'GO_SERVER_URL')?.value, lab.server.url);
    assert.equal(work.environment.find(({ name }) => name === 'A')?.value, '1');
    await agent.begin(work);
    await agent.complete(work);
    assert.equal(await lab.result('whole', 1, 'build'), 'Passed');
    assert.deepEqual(await lab.statesOf(work.job), ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing', 'Completed']);
    assert.equal(await lab.engine.state.jobs.planOf(work.job), undefined, 'its plan is not kept');
  });

  test('is given again if the answer was lost', async () => {
    await started('lost-answer');
    const first = await agent.poll();
    assert.ok(first.order === 'work');
    const again = await agent.take();
    assert.deepEqual(again, first.work);
    await agent.begin(again);
    await agent.complete(again);
    await lab.result('lost-answer', 1, 'build');
  });

  test('is recorded once, however often its reports come', async () => {
    await started('repeated');
    const work = await agent.take();
    for (let count = 0; count < 2; count++) assert.equal((await agent.report(work, 'Preparing', undefined, 1)).status, 200);
    const all = Array.from({ length: 5 }, () => agent.report(work, 'Completed', 'Passed', 2));
    for (const { status } of await Promise.all(all)) assert.equal(status, 200);
    assert.equal(await lab.result('repeated', 1, 'build'), 'Passed');
    const states = await lab.statesOf(work.job);
    assert.equal(states.filter((state) => state === 'Completed').length, 1);
    assert.equal((await agent.report(work, 'Completed', 'Failed', 3)).status, 200, 'it is over, and the agent need not know more');
    assert.equal((await jobsOf('repeated'))[0]!.result, 'Passed');
  });

  test('work of one agent cannot be reported by another', async () => {
    await started('foreign');
    const work = await agent.take();
    const thief = await lab.agent();
    assert.equal((await thief.report(work, 'Completed', 'Failed')).status, 409);
    assert.equal((await thief.printAt(work, 0, 'stolen\n')).status, 409);
    await agent.begin(work);
    await agent.complete(work);
    assert.equal(await lab.result('foreign', 1, 'build'), 'Passed');
  });
});

describe('an agent', () => {
  test('an agent that was restarted gets its job anew, and the earlier one is marked as rescheduled', async () => {
    await started('restarted');
    const work = await agent.take();
    await agent.begin(work);
    await agent.print(work, 'half\n');
    await agent.restart();
    const again = await agent.take();
    assert.deepEqual([again.locator, again.epoch, again.is_first], [work.locator, 2, false]);
    assert.notEqual(again.job, work.job);
    assert.equal((await agent.report(work, 'Completed', 'Passed')).status, 409, 'a late report');
    assert.equal((await agent.print(work, 'late\n')).status, 409, 'a late line');
    await agent.print(again, 'whole\n');
    agent.claim(again);
    await agent.begin(again);
    await agent.complete(again);
    assert.equal(await lab.result('restarted', 1, 'build'), 'Passed');
    const rows = await jobsOf('restarted');
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['Rescheduled', 'Completed'],
    );
    assert.equal((await lab.statesOf(work.job)).at(-1), 'Rescheduled');
    assert.equal(await lab.console('restarted/1/build/1/compile'), 'half\nwhole\n');
    const events = (await lab.server.get('/api/admin/events?resource=pipelines&id=restarted&after=0')).json._embedded.events;
    assert.equal(events.filter(({ type }: { type: string }) => type === 'job.rescheduled').length, 1);
  });

  test('an agent that has forgotten its job gets it anew', async () => {
    await started('forgotten');
    const work = await agent.take();
    await agent.begin(work);
    agent.claims = [];
    const again = await agent.take();
    assert.equal(again.epoch, 2);
    await agent.begin(again);
    await agent.complete(again);
    await lab.result('forgotten', 1, 'build');
  });

  test('an agent without contact for the whole timeout loses its job to another agent, and drops it', async (context) => {
    await started('silent');
    const lost = await lab.agent();
    const work = await lost.take();
    await lost.begin(work);
    const { now } = SYSTEM_CLOCK;
    context.after(() => {
      SYSTEM_CLOCK.now = now;
    });
    SYSTEM_CLOCK.now = () => now() + 301_000;
    const again = await agent.take();
    assert.deepEqual([again.locator, again.epoch], [work.locator, 2]);
    assert.deepEqual(await lost.ordered('drop'), { order: 'drop', job: work.job });
    assert.equal((await lost.report(work, 'Completed', 'Passed')).status, 409);
    await agent.begin(again);
    await agent.complete(again);
    assert.equal(await lab.result('silent', 1, 'build'), 'Passed');
  });

  test('an agent without contact does not count as cancelling, and gets the order again when it returns', async (context) => {
    await started('unheard');
    const work = await agent.take();
    await agent.begin(work);
    await lab.engine.stages.cancelStage(await lab.stage('unheard', 1, 'build'), 'bob');
    const { queue } = lab.engine;
    assert.equal(queue.isCancelling(agent.uuid), true);
    const { now } = SYSTEM_CLOCK;
    context.after(() => {
      SYSTEM_CLOCK.now = now;
    });
    SYSTEM_CLOCK.now = () => now() + 301_000;
    await until('the end of waiting for it', () => !queue.isCancelling(agent.uuid));
    assert.deepEqual(await agent.ordered('cancel'), { order: 'cancel', job: work.job });
    assert.equal((await agent.complete(work, 'Cancelled')).status, 200);
  });

  test('goes on over a restart of the server', async () => {
    await started('server-restart');
    const work = await agent.take();
    await agent.begin(work);
    await agent.print(work, 'before\n');
    await lab.restart();
    await agent.print(work, 'after\n');
    await agent.complete(work);
    assert.equal(await lab.result('server-restart', 1, 'build'), 'Passed');
    assert.equal((await jobsOf('server-restart')).length, 1);
    assert.equal(await lab.console('server-restart/1/build/1/compile'), 'before\nafter\n');
  });

  test('adds nothing to the console of a job that it has completed', async () => {
    await started('sealed');
    const work = await agent.take();
    await agent.begin(work);
    await agent.print(work, 'said\n');
    await agent.complete(work);
    assert.equal(await lab.result('sealed', 1, 'build'), 'Passed');
    assert.equal((await agent.print(work, 'forged\n')).status, 409);
    await lab.restart();
    assert.equal((await agent.print(work, 'forged\n')).status, 409, 'also after a restart of the server');
    assert.equal(await lab.console('sealed/1/build/1/compile'), 'said\n');
  });

  test('adds to a cancelled job what it printed while the server was away, but not days later', async () => {
    await started('cancelled-long-ago');
    const own = await lab.agent();
    const work = await own.take();
    await own.begin(work);
    await lab.engine.stages.cancelStage(await lab.stage('cancelled-long-ago', 1, 'build'), 'bob');
    await lab.restart();
    assert.equal((await own.print(work, 'late\n')).status, 200);
    const { query } = lab.parts.database;
    const longAgo = lab.engine.state.now() - MAX_ENDING_MS;
    await query.updateTable('jobs').set({ completed_at: longAgo }).where('id', '=', work.job).execute();
    assert.equal((await own.print(work, 'forged\n')).status, 409);
  });

  test('takes only jobs that fit its resources and its environment', async () => {
    await lab.post('/api/admin/environments', { name: 'prod' });
    await started('needs', [job('linux', { resources: ['Linux', 'big'] })]);
    const small = await lab.agent({ resources: ['linux'] });
    assert.equal(await soon(small), undefined);
    assert.equal(await soon(agent), undefined);
    const elsewhere = await lab.agent({ resources: ['linux', 'BIG'], environments: ['prod'] });
    assert.equal(await soon(elsewhere), undefined, 'the pipeline is in no environment');
    const fits = await lab.agent({ resources: ['linux', 'BIG'] });
    const held = small.take();
    held.catch(() => {}); // it is stopped without work
    await fits.finishNext();
    await small.stop();
    assert.equal(await lab.result('needs', 1, 'build'), 'Passed');
    const origin = await lab.origin('in-prod');
    await lab.pipeline('in-prod', { materials: [git(origin)], stages: [stage()] });
    const patch = await lab.server.patch('/api/admin/environments/prod', { pipelines: { add: ['in-prod'] } });
    assert.equal(patch.status, 200, patch.text);
    await lab.poll('in-prod');
    await lab.run('in-prod', 1);
    assert.equal(await soon(fits), undefined, 'the agent is in no environment');
    const work = await elsewhere.finishNext();
    assert.equal(work.environment.find(({ name }) => name === 'GO_ENVIRONMENT_NAME')?.value, 'prod');
    await lab.result('in-prod', 1, 'build');
  });
});

describe('instances', () => {
  test('a job runs as often as it is configured, and each instance knows its number', async () => {
    await started('many', [job('unit', { run_instance_count: 3 })]);
    const works = [await agent.finishNext(), await agent.finishNext(), await agent.finishNext()];
    assert.equal(await lab.result('many', 1, 'build'), 'Passed');
    const value = (index: number, name: string) => works[index]!.environment.find((one) => one.name === name)?.value;
    assert.deepEqual(
      works.map(({ locator }) => locator.job),
      ['unit-runInstance-1', 'unit-runInstance-2', 'unit-runInstance-3'],
    );
    assert.deepEqual([value(1, 'GO_JOB_RUN_INDEX'), value(1, 'GO_JOB_RUN_COUNT')], ['2', '3']);
  });

  test('too many instances are refused, and the server goes on', async () => {
    const origin = await lab.origin('countless');
    const stages = [stage('build', { jobs: [job('x', { run_instance_count: 100_000_000 })] })];
    await lab.pipeline('countless', { materials: [git(origin)], stages });
    await lab.poll('countless');
    const refusal = 'Stage [build] has 100000000 jobs with all their instances. At most 5000 can run.';
    await until('the message', async () => (await healthOf(lab.server)).find(({ detail }) => detail === refusal));
    assert.deepEqual(await lab.runs('countless'), []);
  });

  test('the pipeline names the waiting job of its run as the first reason why it does not run', async () => {
    const resources = ['rare'];
    const origin = await lab.origin('rare');
    await lab.pipeline('rare', {
      materials: [git(origin)],
      lock_behavior: 'unlockWhenFinished',
      stages: [stage('build', { jobs: [job('x', { resources })] })],
    });
    await lab.poll('rare');
    await lab.run('rare', 1);
    const ofJob = (await lab.server.get('/api/jobs/rare/1/build/1/x/why')).json.reasons as { rule: string; message: string }[];
    const { reasons } = (await lab.server.get('/api/pipelines/rare/why')).json;
    const message = `The job 'x' of the stage 'build' in run 1 waits for an agent. ${ofJob.map((one) => one.message).join(' ')}`;
    const job_rules = ofJob.map(({ rule }) => rule);
    assert.deepEqual(reasons[0], { rule: 'job_waits', message, run: 1, stage: 'build', job: 'x', job_rules });
    assert.equal(ofJob.length > 0, true);
    assert.deepEqual(
      reasons.map(({ rule }: { rule: string }) => rule),
      ['job_waits', 'locked', 'stage_active', 'already_run'],
    );
    const agent = await lab.agent({ resources });
    await agent.finishNext();
    await lab.result('rare', 1, 'build');
    await agent.stop();
  });

  test('a job runs on all agents that fit, each on its own; without any nothing is scheduled', async () => {
    const resources = ['everywhere'];
    const origin = await lab.origin('all');
    await lab.pipeline('all', {
      materials: [git(origin)],
      stages: [stage('build', { jobs: [job('x', { run_instance_count: 'all', resources })] })],
    });
    await lab.poll('all');
    const refusal = 'Could not find matching agents to run job [x] of stage [build].';
    await until('the message', async () => (await healthOf(lab.server)).find(({ detail }) => detail === refusal));
    assert.deepEqual(await lab.runs('all'), []);
    const why = (await lab.server.get('/api/pipelines/all/why')).json;
    assert.deepEqual([why.will_run, why.reasons[0].rule], [false, 'no_agent']);
    assert.ok(why.reasons[0].message.startsWith(refusal));
    const first = await lab.agent({ resources });
    await lab.run('all', 1);
    await first.finishNext();
    assert.equal(await lab.result('all', 1, 'build'), 'Passed');
    await until('no message', async () => !(await healthOf(lab.server)).some(({ detail }) => detail === refusal));
    const pair = [first, await lab.agent({ resources })];
    await lab.request('all');
    await lab.run('all', 2);
    const works = await Promise.all(pair.map((one) => one.finishNext()));
    assert.deepEqual(works.map(({ locator }) => locator.job).toSorted(), ['x-runOnAll-1', 'x-runOnAll-2']);
    assert.equal(await lab.result('all', 2, 'build'), 'Passed');
    const rows = await jobsOf('all', 2);
    for (const { agent_uuid: uuid, pinned_to: pinned } of rows) assert.equal(uuid, pinned);
  });
});

describe('a timeout', () => {
  const later = (minutes: number) => {
    for (const one of [...lab.engine.state.active.jobs()]) {
      one.activeAt -= minutes * 60_000;
      lab.engine.state.active.change(one, { ...one.row, scheduled_at: one.row.scheduled_at - minutes * 60_000 });
    }
  };

  test('ends a job that no agent takes, and a job that prints nothing', async () => {
    await started('hung', [job('stuck', { timeout: 5 }), job('untaken', { timeout: 5, resources: ['none-has-it'] })]);
    const work = await agent.take();
    await agent.begin(work);
    await agent.print(work, 'something\n');
    await lab.engine.cancelHung();
    assert.equal((await lab.stage('hung', 1, 'build')).completed_at, null, 'not yet');
    later(6);
    await agent.print(work, 'a sign of life\n');
    await lab.engine.cancelHung();
    assert.match(
      await lab.console('hung/1/build/1/untaken'),
      /cancelled this job as it has not been assigned an agent for more than 5 minute\(s\)/,
    );
    assert.equal((await lab.stage('hung', 1, 'build')).completed_at, null, 'the other one goes on');
    assert.equal((await lab.stage('hung', 1, 'build')).cancelled_by, 'Slipway');
    later(6);
    const cancelOrder = agent.ordered('cancel');
    await lab.engine.cancelHung();
    assert.deepEqual(await cancelOrder, { order: 'cancel', job: work.job });
    assert.equal(await lab.result('hung', 1, 'build'), 'Cancelled');
    agent.claims = [];
    assert.match(await lab.console('hung/1/build/1/stuck'), /as it has not generated any console output for more than 5 minute\(s\)/);
  });

  test('does not run while no agent gets a job, or while the server is down', async () => {
    await started('held', [job('begun'), job('untaken', { timeout: 5, resources: ['none-has-it'] })]);
    const work = await agent.take();
    await agent.begin(work);
    const { maintenance, builds } = lab.parts;
    await maintenance.enable({ by: 'ann', reason: null, until: null, survivesRestart: false });
    later(6);
    await lab.engine.cancelHung();
    const row = await lab.stage('held', 1, 'build');
    await lab.engine.stages.cancelJob(lab.engine.state.active.job(work.job)!, 'ann');
    assert.deepEqual(
      builds.buildJobs.building().map(({ name, state }) => [name, state]),
      [['begun', 'Completing']],
      'the agent still has to end it',
    );
    const path = `/api/agents/${agent.uuid}/kill_running_tasks`;
    assert.equal((await lab.server.ask('POST', path, { headers: { 'X-Svc-Confirm': 'true' } })).status, 202);
    agent.claims = [];
    await maintenance.disable('ann');
    await lab.engine.cancelHung();
    assert.equal((await lab.stage('held', 1, 'build')).completed_at, null, 'it waits since the end of the maintenance');
    await lab.engine.state.writer.written();
    const { database } = lab.parts;
    const hourAgo = Date.now() - 3_600_000;
    await database.writeTransaction([
      database.query.updateTable('jobs').set({ scheduled_at: hourAgo }).where('stage_run_id', '=', row.id).compile(),
    ]);
    await lab.restart();
    await lab.engine.cancelHung();
    assert.equal((await lab.stage('held', 1, 'build')).completed_at, null, 'it waits since the start of the server');
    later(6);
    await lab.engine.cancelHung();
    assert.equal(await lab.result('held', 1, 'build'), 'Cancelled');
  });

  test('a timeout of `never` ends no job, but its silence is reported until the next line', async () => {
    await started('patient', [job('stuck', { timeout: 'never' })]);
    const work = await agent.take();
    await agent.begin(work);
    later(600);
    await lab.engine.cancelHung();
    const message = "Job 'patient/build/stuck' is not responding";
    assert.ok((await healthOf(lab.server)).some((one) => one.message === message));
    await agent.print(work, 'here\n');
    await lab.engine.cancelHung();
    assert.ok(!(await healthOf(lab.server)).some((one) => one.message === message));
    await agent.complete(work);
    assert.equal(await lab.result('patient', 1, 'build'), 'Passed');
  });
});
