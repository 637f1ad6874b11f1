// Stages one after the other: gates, waiting runs, reruns, cancels, pauses and locks, through a whole server.
import assert from 'node:assert/strict';
import { after as afterAll, before, describe, test } from 'node:test';
import type { Run } from '../../../src/store/builds/runs.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { healthOf } from '../../support/server/health.ts';
import { until } from '../../support/until.ts';
import { after, BuildLab, git, type JsonBody, job, MANUAL, stage } from './lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
});
afterAll(() => lab.stop());

const runStage = (run: Run, name: string, configuration: 'current' | 'original' = 'current') =>
  lab.engine.stages.runStage(run, name, 'ann', configuration);

/** A pipeline on a repository of its own, with its first run. */
async function started(name: string, stages: readonly JsonBody[], more: JsonBody = {}) {
  const origin = await lab.origin(name);
  await lab.pipeline(name, { materials: [git(origin)], stages, ...more });
  await lab.poll(name);
  const run = await lab.run(name, 1);
  const commit = async () => {
    await origin.commit('more');
    await lab.poll(name);
  };
  return { origin, run, commit };
}

describe('the flow', () => {
  test('a passed stage is followed by the next one, a failed one by none', async () => {
    const { commit } = await started('flow', [stage('one'), stage('two'), stage('three')]);
    await agent.finishNext();
    await agent.finishNext('Failed');
    assert.equal(await lab.result('flow', 1, 'two'), 'Failed');
    assert.equal((await lab.stageRuns(await lab.run('flow', 1))).length, 2);
    await commit();
    for (let count = 0; count < 3; count++) await agent.finishNext();
    assert.equal(await lab.result('flow', 2, 'three'), 'Passed');
    const rows = await lab.stageRuns(await lab.run('flow', 2));
    assert.deepEqual(
      rows.map(({ approved_by: by, position }) => [by, position]),
      [
        ['changes', 0],
        ['changes', 1],
        ['changes', 2],
      ],
    );
  });

  test('all jobs of a stage have to pass, and one that failed shows at once', async () => {
    await started('jobs', [stage('one', { jobs: [job('a'), job('b')] }), stage('two')]);
    const helper = await lab.agent();
    const [first, second] = [await agent.take(), await helper.take()];
    await agent.begin(first);
    await agent.complete(first, 'Failed');
    const row = await lab.stage('jobs', 1, 'one');
    assert.equal(row.completed_at, null);
    await helper.begin(second);
    await helper.complete(second);
    assert.equal(await lab.result('jobs', 1, 'one'), 'Failed');
    await helper.stop();
  });

  test('the newest waiting run gets a stage that was busy, and those between are left out', async () => {
    const { commit } = await started('queue', [stage('one'), stage('two')]);
    const slow = await lab.agent();
    await agent.finishNext();
    await lab.result('queue', 1, 'one');
    const held = await slow.take();
    assert.equal(held.locator.stage, 'two');
    for (const counter of [2, 3]) {
      await commit();
      await lab.run('queue', counter);
      await agent.finishNext();
      await lab.result('queue', counter, 'one');
    }
    await slow.begin(held);
    await slow.complete(held);
    const work = await agent.finishNext();
    assert.deepEqual([work.locator.pipeline_counter, work.locator.stage], [3, 'two']);
    assert.equal(await lab.result('queue', 3, 'two'), 'Passed');
    assert.equal((await lab.stageRuns(await lab.run('queue', 2))).length, 1);
    assert.equal(lab.engine.state.active.waitingCount, 0);
    await slow.stop();
  });

  test('a manual stage waits for approval, also when the stage before has failed', async () => {
    const { run } = await started('gates', [
      stage('one'),
      stage('two', MANUAL),
      stage('three', { approval: { type: 'manual', allow_only_on_success: true } }),
    ]);
    await assert.rejects(runStage(run, 'two'), /Cannot schedule: Stage \[one\] in pipeline \[gates\] is still in progress/);
    await agent.finishNext('Failed');
    await lab.result('gates', 1, 'one');
    await assert.rejects(runStage(run, 'three'), /because its previous stage has not been run/);
    await assert.rejects(runStage(run, 'four'), /Stage 'four' not found/);
    assert.equal(await runStage(run, 'two'), 1);
    await agent.finishNext('Failed');
    await lab.result('gates', 1, 'two');
    assert.equal((await lab.stage('gates', 1, 'two')).approved_by, 'ann');
    await assert.rejects(runStage(run, 'three'), /Cannot schedule three as the previous stage two has Failed!/);
    assert.equal(await runStage(run, 'two'), 2);
    await agent.finishNext();
    await lab.result('gates', 1, 'two', 2);
    assert.equal(await runStage(run, 'three'), 1);
    await agent.finishNext();
    assert.equal(await lab.result('gates', 1, 'three'), 'Passed');
  });
});

describe('stages that run again', () => {
  test('a downstream run fetches from the stage run that it was made from, though the stage ran again', async () => {
    const { run } = await started('above', [stage('notes'), stage('dist')]);
    const attributes = { artifact_origin: 'gocd', pipeline: 'above', job: 'compile', source: 'app', run_if: [] };
    const tasks = ['DIST', 'notes'].map((name) => ({ type: 'fetch', attributes: { ...attributes, stage: name } }));
    const deploy = stage('deploy', { ...MANUAL, jobs: [job('copy', { tasks })] });
    await lab.pipeline('below', { materials: [after('above', 'dist')], stages: [stage('build'), deploy] });
    for (let count = 0; count < 3; count++) await agent.finishNext();
    assert.equal(await lab.result('below', 1, 'build'), 'Passed');
    for (const name of ['dist', 'notes']) {
      await runStage(run, name);
      await agent.finishNext('Failed');
      assert.equal(await lab.result('above', 1, name, 2), 'Failed');
    }
    await runStage(await lab.run('below', 1), 'deploy');
    const fetched = (await agent.finishNext()).tasks.map((task) => (task.type === 'fetch' ? task.from : task));
    const from = { pipeline: 'above', pipeline_counter: 1, job: 'compile' };
    assert.deepEqual(fetched, [
      { ...from, stage: 'dist', stage_counter: 1 },
      { ...from, stage: 'notes', stage_counter: 2 },
    ]);
    assert.equal(await lab.result('below', 1, 'deploy'), 'Passed');
  });

  test('a stage runs by the present configuration, or by that of its first run', async () => {
    const task = (command: string) => ({ tasks: [{ type: 'exec', attributes: { command } }] });
    const stages = (command: string) => [stage('one', { jobs: [job('a', task(command))] }), stage('two', MANUAL)];
    const { run, origin } = await started('again', stages('old'));
    await agent.finishNext();
    await lab.result('again', 1, 'one');
    await lab.pipeline('again', { materials: [git(origin)], stages: stages('new') });
    const commandOf = async () => {
      const { tasks, locator } = await agent.finishNext();
      await lab.result('again', 1, 'one', locator.stage_counter);
      return (tasks[0] as { command?: string }).command;
    };
    assert.equal(await runStage(run, 'one'), 2);
    assert.equal(await commandOf(), 'new');
    assert.equal(await runStage(run, 'one', 'original'), 3);
    assert.equal(await commandOf(), 'old');
    const rows = await lab.stageRuns(run);
    assert.deepEqual(
      rows.map(({ counter, is_latest: latest }) => [counter, latest]),
      [
        [1, 0],
        [2, 0],
        [3, 1],
      ],
    );
    assert.equal((await lab.runs('again')).length, 1, 'the run stays the same');
  });

  test('failed jobs run again beside copies of the others', async () => {
    const { run } = await started('failed', [stage('one', { jobs: [job('a'), job('b'), job('c')] }), stage('two')]);
    for (const result of ['Passed', 'Failed', 'Cancelled'] as const) await agent.finishNext(result);
    assert.equal(await lab.result('failed', 1, 'one'), 'Cancelled');
    const first = await lab.stage('failed', 1, 'one');
    const originals = await lab.jobs(first);
    assert.equal(await lab.engine.stages.rerunJobs(run, first, 'failed', 'ann'), 2);
    const second = await lab.stage('failed', 1, 'one', 2);
    assert.equal(second.rerun_of_counter, 1);
    const jobs = await lab.jobs(second);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => jobs.find((one) => one.name === name)!);
    assert.deepEqual([a!.original_id, a!.result, a!.state, a!.is_rerun], [originals[0]!.id, 'Passed', 'Completed', 0]);
    for (const again of [b, c]) assert.deepEqual([again!.original_id, again!.is_rerun, again!.state], [null, 1, 'Scheduled']);
    const work = await agent.finishNext();
    assert.equal(work.environment.find(({ name }) => name === 'GO_RERUN_OF_STAGE_COUNTER')?.value, '1');
    await agent.finishNext();
    assert.equal(await lab.result('failed', 1, 'one', 2), 'Passed');
    assert.equal((await agent.finishNext()).locator.stage, 'two', 'the next stage follows a rerun that passed');
    await lab.result('failed', 1, 'two');
    await assert.rejects(lab.engine.stages.rerunJobs(run, second, 'failed', 'ann'), /There are no failed jobs/);
    assert.equal(await lab.engine.stages.rerunJobs(run, second, ['A'], 'ann'), 3);
    const third = await lab.stage('failed', 1, 'one', 3);
    assert.equal(third.rerun_of_counter, 1, 'of the original, not of the rerun');
    const copies = (await lab.jobs(third)).filter(({ original_id: original }) => original !== null);
    assert.deepEqual(copies.map(({ original_id: id }) => id).toSorted(), [b!.id, c!.id].toSorted());
    await agent.finishNext();
    assert.equal(await lab.result('failed', 1, 'one', 3), 'Passed');
    await assert.rejects(lab.engine.stages.rerunJobs(run, third, [], 'ann'), /No job was selected/);
    await assert.rejects(
      lab.engine.stages.rerunJobs(run, third, ['x'], 'ann'),
      /Job\(s\) \[x\] does not exist in stage 'failed\/1\/one\/3'/,
    );
    const again = await agent.finishNext();
    assert.equal(again.locator.stage_counter, 2, 'the stage after it runs again, too');
    await lab.result('failed', 1, 'two', 2);
  });
});

describe('cancel', () => {
  const stuckAgents = async () => {
    await lab.engine.cancelHung();
    const messages = await healthOf(lab.server);
    return messages.filter(({ message }) => message.endsWith('does not end a cancelled job')).map(({ detail }) => detail);
  };

  test('a cancelled stage is over at once, its agent is notified, and nothing follows', async () => {
    await started('cancelled', [stage('one', { jobs: [job('a'), job('b')] }), stage('two')]);
    const work = await agent.take();
    await agent.begin(work);
    const row = await lab.stage('cancelled', 1, 'one');
    const cancelOrder = agent.ordered('cancel');
    assert.equal(await lab.engine.stages.cancelStage(row, 'bob'), true);
    assert.equal(await lab.result('cancelled', 1, 'one'), 'Cancelled');
    assert.equal((await lab.stage('cancelled', 1, 'one')).cancelled_by, 'bob');
    assert.deepEqual(await cancelOrder, { order: 'cancel', job: work.job });
    assert.equal(await lab.engine.stages.cancelStage(row, 'bob'), false);
    // It takes its time: lines still count, other work does not come, and it is still shown as cancelling.
    agent.claims = agent.claims.map((claim) => ({ ...claim, is_cancelling: true }));
    assert.equal((await agent.print(work, 'the end\n')).status, 200);
    assert.equal((await lab.server.get(`/api/agents/${agent.uuid}`)).json.build_state, 'Cancelled');
    assert.equal((await agent.complete(work, 'Cancelled')).status, 200);
    assert.equal((await agent.print(work, 'too late\n')).status, 409);
    assert.equal(await lab.console('cancelled/1/one/1/a'), 'the end\n');
    assert.deepEqual(await lab.statesOf(work.job), ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completed']);
    assert.equal((await lab.stageRuns(await lab.run('cancelled', 1))).length, 1);
    assert.equal(lab.engine.state.active.waitingCount, 0, 'the job that nobody had taken');
  });

  test('an agent of a cancelled job prints until it is done, also after a restart of the server', async () => {
    await started('printing', [stage()]);
    const work = await agent.take();
    await agent.begin(work);
    assert.equal(await lab.engine.stages.cancelStage(await lab.stage('printing', 1, 'build'), 'bob'), true);
    await lab.restart();
    assert.equal((await agent.print(work, 'before it polls\n')).status, 200);
    assert.deepEqual(await agent.ordered('cancel'), { order: 'cancel', job: work.job });
    assert.equal((await agent.print(work, 'and afterwards\n')).status, 200);
    // Its report is lost: that it does not speak of the job any more says the same.
    agent.claims = [];
    await agent.poll(AbortSignal.timeout(50)).catch(() => {});
    assert.equal((await agent.print(work, 'too late\n')).status, 409);
    assert.equal(await lab.console('printing/1/build/1/compile'), 'before it polls\nand afterwards\n');
  });

  test('a stage can be cancelled while it is on disk, but not known in memory yet', async () => {
    await started('fresh', [stage()]);
    const row = await lab.stage('fresh', 1, 'build');
    const { active, pipelineMutex } = lab.engine.state;
    const known = await until('the stage in memory', () => active.stageRun(row.id));
    active.remove(known);
    const scheduling = pipelineMutex.run(row.pipeline_key, async () => active.add(known));
    assert.equal(await lab.engine.stages.cancelStage(row, 'bob'), true);
    await scheduling;
    assert.equal(await lab.result('fresh', 1, 'build'), 'Cancelled');
  });

  test('an agent that does not end a cancelled job is reported, and can be told to kill it', async (context) => {
    await started('stubborn', [stage()]);
    const work = await agent.take();
    await agent.begin(work);
    assert.equal(lab.engine.queue.kill(agent.uuid), false, 'nothing is cancelled');
    await lab.engine.stages.cancelStage(await lab.stage('stubborn', 1, 'build'), 'bob');
    assert.equal((await agent.poll()).order, 'cancel');
    agent.claims = agent.claims.map((claim) => ({ ...claim, is_cancelling: true }));
    const killed = agent.ordered('kill');
    await until('the held poll', () => lab.parts.builds.sessions.heldPolls > 0);
    assert.deepEqual(await stuckAgents(), [], 'it has some time');
    const clock = context.mock.method(lab.engine.state, 'now', () => Date.now() + 11 * 60_000);
    const [reported] = await stuckAgents();
    assert.match(reported!, /more than 10 minutes ago to cancel 'stubborn\/build\/\w+'.*kill_running_tasks/);
    clock.mock.restore();
    assert.equal(lab.engine.queue.kill(agent.uuid), true);
    assert.deepEqual(await killed, { order: 'kill', job: work.job });
    assert.equal((await agent.complete(work, 'Cancelled')).status, 200);
    assert.equal(lab.engine.queue.isCancelling(agent.uuid), false);
    assert.deepEqual(await stuckAgents(), [], 'it has ended it');
  });

  test('a cancel outlives a restart of the server', async () => {
    await started('restarted', [stage()]);
    const work = await agent.take();
    await agent.begin(work);
    await lab.engine.stages.cancelStage(await lab.stage('restarted', 1, 'build'), 'bob');
    await lab.restart();
    assert.deepEqual(await agent.ordered('cancel'), { order: 'cancel', job: work.job });
    assert.equal((await agent.complete(work, 'Cancelled')).status, 200);
    assert.equal(await lab.result('restarted', 1, 'build'), 'Cancelled');
  });
});

describe('a pause', () => {
  test('starts neither runs nor stages, and running jobs come to their end', async () => {
    const { origin, run } = await started('paused', [stage('one'), stage('two')]);
    lab.pause('paused', 'ann', 'lunch');
    await agent.finishNext();
    assert.equal(await lab.result('paused', 1, 'one'), 'Passed');
    assert.equal((await lab.stageRuns(run)).length, 1);
    await origin.commit('more');
    await lab.poll('paused');
    const outcome = await lab.check('paused');
    assert.ok(outcome.kind === 'obstacle');
    assert.match(outcome.obstacle.message, /paused by ann \(lunch\)/);
    await assert.rejects(runStage(run, 'two'), /Cannot schedule: Pipeline paused is paused/);
    await lab.request('paused');
    await until('the request is over', () => !lab.engine.requests.isWaiting('paused'));
    assert.equal((await lab.runs('paused')).length, 1);
    await lab.unpause('paused');
    await lab.run('paused', 2);
    await agent.finishNext();
    await agent.finishNext();
    assert.equal(await lab.result('paused', 2, 'two'), 'Passed');
  });
});
