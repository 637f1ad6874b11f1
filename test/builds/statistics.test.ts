// How the last runs of a pipeline went, over HTTP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { accepted, addUser } from '../support/requests/callers.ts';
import { BuildLab, git, MANUAL, stage } from './engine/lab.ts';

let lab: BuildLab;
let agent: FakeAgent;

before(async () => {
  lab = await BuildLab.start();
  await lab.pipeline('web', { materials: [git(await lab.origin('web'))], stages: [stage(), stage('deploy', MANUAL)] });
  await lab.poll('web');
  await lab.run('web', 1);
  agent = await lab.agent();
  await agent.complete(await agent.take());
  await lab.result('web', 1, 'build');
});
after(() => lab.stop());

const statistics = (query = '') => lab.server.get(`/api/pipelines/web/statistics${query}`);

async function runAgain(counter: number, result: 'Passed' | 'Failed'): Promise<void> {
  await lab.request('web');
  await lab.run('web', counter);
  await agent.complete(await agent.take(), result);
  await lab.result('web', counter, 'build');
}

test('the statistics count durations and waits of the last runs, by day, by stage and one by one', async () => {
  const [stageRun] = await lab.stageRuns(await lab.run('web', 1));
  const [job] = await lab.jobs(stageRun!);
  const assigned = (await lab.engine.state.jobs.transitionsOf([job!.id])).find(({ state }) => state === 'Assigned')!.at;
  const duration = stageRun!.completed_at! - stageRun!.scheduled_at;
  const waiting = assigned - job!.scheduled_at;
  assert.ok(waiting > 0, 'the agent came later');
  const { json } = accepted(await statistics());
  const [run] = json.runs;
  assert.deepEqual([run.counter, run.result, run.duration_ms, run.waiting_ms], [1, 'Passed', duration, waiting]);
  assert.deepEqual(run.stages, [{ name: 'build', result: 'Passed', duration_ms: duration, waiting_ms: waiting }]);
  assert.deepEqual(json.summary.waiting_ms, { median: waiting, p90: waiting });
  assert.deepEqual(
    json.days.map(({ day, runs }: Record<string, unknown>) => [day, runs]),
    [[new Date(run.scheduled_date).toISOString().slice(0, 10), 1]],
  );
  assert.deepEqual(
    json.stages.map(({ name, passed }: Record<string, unknown>) => [name, passed]),
    [['build', 1]],
  );
});

test('the statistics show the share of passed runs, and do not count a running one', async () => {
  await runAgain(2, 'Failed');
  assert.deepEqual(accepted(await statistics()).json.summary.success_rate, 0.5);
  await lab.request('web');
  await lab.run('web', 3);
  const { json, etag } = accepted(await statistics());
  assert.deepEqual([json.summary.runs, json.runs[0].result, json.runs[0].stages[0].duration_ms], [2, 'Unknown', null]);
  const again = () => lab.server.get('/api/pipelines/web/statistics', { headers: { 'If-None-Match': etag! } });
  assert.equal((await again()).status, 304);
  await agent.complete(await agent.take());
  await lab.result('web', 3, 'build');
  assert.equal(accepted(await again()).json.summary.runs, 3);
});

test('the statistics cover as many runs as requested', async () => {
  const { json } = accepted(await statistics('?runs=1'));
  assert.deepEqual(
    json.runs.map(({ counter }: { counter: number }) => counter),
    [3],
  );
  assert.equal((await statistics('?runs=101')).status, 400);
});

test('the statistics of a pipeline are for users who may see it', async () => {
  const as = await addUser(lab.server, 'stranger');
  assert.equal((await lab.server.get('/api/pipelines/web/statistics', { as })).status, 403);
});
