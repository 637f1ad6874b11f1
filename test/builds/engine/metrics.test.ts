// The figures of jobs and agents, as Prometheus reads them, through a whole server.
import assert from 'node:assert/strict';
import { after as afterAll, before, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, job, stage } from './lab.ts';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
});
afterAll(() => lab.stop());

const WAIT_MS = 600;

async function metrics(): Promise<Record<string, number>> {
  const { text } = accepted(await lab.server.get('/metrics', { accept: null }));
  const lines = text.split('\n').filter((line) => /^slipway_(?:job|agents)/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]));
}

const agentsIn = (found: Record<string, number>, state: string) => found[`slipway_agents{config_state="Enabled",state="${state}"}`];

test('jobs wait, run and end; agents are idle, build and are missing', async () => {
  const origin = await lab.origin('counted');
  await lab.pipeline('counted', { materials: [git(origin)], stages: [stage('build', { jobs: [job('one'), job('two')] })] });
  await lab.poll('counted');
  await lab.run('counted', 1);
  const before = await metrics();
  assert.deepEqual([before.slipway_jobs_waiting, before.slipway_jobs_running, before.slipway_job_wait_seconds_count], [2, 0, 0]);
  assert.equal(agentsIn(before, 'Idle'), 0, 'a state that no agent is in has its figure');

  await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  const agent = await lab.agent();
  const work = await agent.take();
  await agent.begin(work);
  const during = await metrics();
  assert.deepEqual([during.slipway_jobs_waiting, during.slipway_jobs_running, during.slipway_job_wait_seconds_count], [1, 1, 1]);
  assert.deepEqual([agentsIn(during, 'Building'), agentsIn(during, 'Idle')], [1, 0]);
  assert.ok(during.slipway_job_wait_seconds_sum! >= WAIT_MS / 1000, 'counted from when it was scheduled');
  assert.equal(during['slipway_job_wait_seconds_bucket{le="0.5"}'], 0);
  assert.equal(during['slipway_job_wait_seconds_bucket{le="3600"}'], 1);
  assert.equal(during['slipway_job_wait_seconds_bucket{le="+Inf"}'], 1);

  await agent.complete(work);
  const last = await agent.take();
  await agent.complete(last);
  await lab.result('counted', 1, 'build');
  const ended = await metrics();
  assert.deepEqual([ended.slipway_jobs_waiting, ended.slipway_jobs_running, ended.slipway_job_wait_seconds_count], [0, 0, 2]);
});

test('a server that does not run builds has no metrics of them', async () => {
  await lab.parts.builds.stop();
  try {
    assert.deepEqual(await metrics(), {});
  } finally {
    await lab.parts.builds.start();
  }
  const again = await until('the agent is missing', async () => {
    const found = await metrics();
    return agentsIn(found, 'Missing') === 1 && found;
  });
  assert.equal(again.slipway_jobs_waiting, 0);
});
