// Details of runs, stages and jobs for pages: times, approvals, reruns, agents, and links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FakeAgent } from '../support/builds/fake-agent.ts';
import { accepted } from '../support/requests/callers.ts';
import { BuildLab, git, MANUAL, stage } from './engine/lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent({ hostname: 'builder-1' });
  await lab.pipeline('web', { materials: [git(await lab.origin('web'))], stages: [stage(), stage('deploy', MANUAL)] });
  await lab.poll('web');
  await lab.run('web', 1);
});
after(() => lab.stop());

const get = async (path: string) => accepted(await lab.server.get(path)).json;

test('a job that waits has neither agent nor duration; one that has ended has both, and shows where the rest is', async () => {
  const path = '/api/jobs/web/1/build/1/compile';
  const waiting = await get(path);
  assert.deepEqual([waiting.agent, waiting.waiting_ms, waiting.duration_ms, waiting.completed_date], [null, null, null, null]);
  await agent.complete(await agent.take(), 'Failed');
  await lab.result('web', 1, 'build');
  const job = await get(path);
  assert.deepEqual(job.agent, { uuid: agent.uuid, hostname: 'builder-1' });
  assert.equal(job.scheduled_date + job.waiting_ms + job.duration_ms, job.completed_date);
  assert.equal(job.material_revisions[0].modifications[0].comment, 'first');
  assert.equal(job._links.console.href, `${lab.server.url}/files/web/1/build/1/compile/cruise-output/console.log`);
  assert.equal(job.environment, null);
});

test('a stage shows its times, its state and the configuration it was made by', async () => {
  const shown = await get('/api/stages/web/1/build/1');
  assert.deepEqual([shown.status, shown.is_latest, shown.pipeline_label], ['Failed', true, '1']);
  assert.equal(shown.duration_ms, shown.completed_at - shown.scheduled_at);
  assert.equal(shown.config_revision, (await get('/api/pipelines/web/1/instance')).config_revision);
});

test('a run shows which stage waits for approval, and which stages can rerun jobs', async () => {
  const [build, deploy] = (await get('/api/pipelines/web/history')).pipelines[0].stages;
  assert.deepEqual([build.awaits_approval, build.can_rerun_jobs, build.can_rerun_failed_jobs], [false, true, true]);
  assert.deepEqual([deploy.awaits_approval, deploy.can_rerun_jobs, deploy.scheduled_date], [true, false, null]);
  lab.pause('web');
  const [again, paused] = (await get('/api/pipelines/web/history')).pipelines[0].stages;
  assert.deepEqual([again.can_rerun_jobs, again.can_rerun_failed_jobs, paused.awaits_approval], [false, false, false]);
});
