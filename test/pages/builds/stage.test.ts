// The page of a run of a stage, in a real browser: its jobs, and the actions on them.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { isWithoutAgent, type JobAnswer } from '../../../pages/api/run-answers.ts';
import { durationBar, paceOf } from '../../../pages/kit/text/duration-estimate.ts';
import { countersTo, countsText, failedJobs, maxDuration } from '../../../pages/stage/stage.ts';
import { stage } from '../../builds/run-lab.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';
import { agentOf, begin } from './job-lab.ts';

let lab: BrowserLab;
let agent: FakeAgent;
const HOSTILE = '<img src=x onerror=alert(1)>';
const MANUAL = { approval: { type: 'manual' } };

before(async () => {
  lab = await BrowserLab.start();
  await lab.builds.post('/api/admin/pipeline_groups', { name: 'shop', authorization: { view: { users: ['guest'], roles: [] } } });
  await lab.builds.origin.commit(HOSTILE, { 'readme.md': '2' });
  await lab.builds.pipeline('web', { stages: [stage('build', {}, ['compile', 'unit', 'lint']), stage('deploy', MANUAL)] });
  await lab.builds.poll();
  await lab.builds.run('web', 1);
  agent = await agentOf(lab, { hostname: 'builder-1' });
});
after(async () => {
  await agent?.stop();
  await lab?.stop();
});
afterEach(() => lab.endTest());

describe('the page of a stage', () => {
  it('shows its jobs as they go, without being loaded again', async () => {
    const page = await lab.visit('/pipelines/web/1/build/1');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    await row('compile').getByText('Scheduled').waitFor();
    await page.getByText('No agent has taken the next job yet.').waitFor();
    assert.match((await page.getByRole('link', { name: 'Why compile waits' }).getAttribute('href')) ?? '', /web\/1\/build\/1\/compile$/);
    const work = await begin(agent);
    await row('compile').getByText('Building').waitFor();
    await page.getByText('No agent has taken').waitFor({ state: 'detached' });
    await row('compile').getByRole('link', { name: 'builder-1' }).waitFor();
    await agent.complete(work);
    await row('compile').getByText('Passed').waitFor();
    await agent.finishNext('Failed');
    await agent.finishNext('Passed');
    await row('unit').getByText('Failed').waitFor();
    await page.locator('.page-header').getByText('Failed', { exact: true }).waitFor();
    await page.getByText('1 failed, 2 passed').waitFor();
    // A hostile text from a repository is shown as text.
    await page.getByText(HOSTILE).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('runs the failed jobs again, and leads to the new run', async () => {
    const page = await lab.visit('/pipelines/web/1/build/1');
    await page.getByRole('button', { name: 'Run failed jobs again' }).click();
    await page.waitForURL('**/pipelines/web/1/build/2');
    await agent.finishNext('Passed');
    await page.locator('.page-header').getByText('Passed', { exact: true }).waitFor();
    assert.equal(await page.getByText('from before').count(), 2);
    await page.getByRole('link', { name: 'Run 1 of this stage' }).click();
    await page.getByText('It was run again since').waitFor();
    await page.getByRole('link', { name: 'see run 2' }).click();
    await page.waitForURL('**/pipelines/web/1/build/2');
  });

  it('runs chosen jobs again, and cancels a run', async () => {
    const page = await lab.visit('/pipelines/web/1/build/2');
    await page.getByLabel('Choose compile').check();
    await page.getByLabel('Choose lint').check();
    await page.getByRole('button', { name: 'Run 2 jobs again' }).click();
    await page.waitForURL('**/pipelines/web/1/build/3');
    await page.getByRole('button', { name: 'Cancel …' }).click();
    await page.getByRole('button', { name: 'Cancel the stage' }).click();
    await page.locator('.page-header').getByText('Cancelled').waitFor();
    await page.getByText('Cancelled by').waitFor();
    const strip = page.getByRole('list', { name: /Last runs/ });
    await strip.getByRole('link', { name: /Run 1\/3: Cancelled/ }).waitFor();
    assert.equal(await strip.getByRole('link').count(), 3);
  });

  it('names its runs by their labels, as the strip shows them', async () => {
    await lab.builds.pipeline('labelled', { label_template: `v1.\${COUNT}`, stages: [stage('build')] });
    await lab.builds.poll();
    await lab.builds.run('labelled', 1);
    const page = await lab.visit('/pipelines/labelled/1/build/1');
    const run = page.getByRole('list', { name: /Last runs/ }).getByRole('link', { name: /^v1\.1 · Run 1\/1: / });
    assert.equal(await run.locator('.strip-label').textContent(), 'v1.1');
    await lab.assertAccessible(page);
    await lab.builds.post('/api/stages/labelled/1/build/1/cancel');
  });

  it('runs the whole stage again, and leads to the new run and the next stage', async () => {
    const page = await lab.visit('/pipelines/web/1/build/3');
    await page.getByRole('button', { name: 'Run the stage again' }).click();
    await page.waitForURL('**/pipelines/web/1/build/4');
    for (let job = 0; job < 3; job++) await agent.finishNext('Passed');
    await page.locator('.page-header').getByText('Passed', { exact: true }).waitFor();
    await lab.builds.post('/api/stages/web/1/deploy/run');
    await page.getByRole('link', { name: 'Next stage →' }).click();
    await page.waitForURL('**/pipelines/web/1/deploy/1');
    await agent.finishNext('Passed');
    await page.getByText('by hand').waitFor();
    await page.getByRole('link', { name: '← Previous stage' }).click();
    await page.waitForURL('**/pipelines/web/1/build/4');
  });

  it('offers no action to users with view rights only', async () => {
    const { server } = lab.builds;
    await addUser(server, 'guest');
    const page = await lab.visit('/pipelines/web/1/build/4', { name: 'guest', password: PASSWORD });
    await page.getByRole('row', { name: /compile/ }).waitFor();
    await page.getByText(HOSTILE).waitFor();
    assert.equal(await page.getByRole('button', { name: /again/ }).count(), 0);
    assert.equal(await page.getByLabel('Choose compile').count(), 0);
  });

  it('says that a run does not exist', async () => {
    lab.expect(/404 .*\/build\/99/);
    const page = await lab.visit('/pipelines/web/1/build/99');
    await page.getByRole('alert').getByText('not found').waitFor();
    await lab.assertAccessible(page);
  });
});

describe('the logic of the page of a stage', () => {
  const job = (name: string, result: string, more: Partial<JobAnswer> = {}): JobAnswer => ({
    name,
    state: result === 'Unknown' ? 'Building' : 'Completed',
    result,
    scheduled_date: 0,
    completed_date: null,
    waiting_ms: null,
    duration_ms: null,
    rerun: false,
    original_job_id: null,
    job_state_transitions: [],
    ...more,
  });

  it('counts the most urgent results first', () => {
    const jobs = [job('a', 'Passed'), job('b', 'Unknown'), job('c', 'Failed'), job('d', 'Passed'), job('e', 'Cancelled')];
    assert.equal(countsText(jobs), '1 failed, 1 cancelled, 1 building, 2 passed');
    assert.deepEqual(failedJobs(jobs), ['c', 'e']);
  });

  it('knows when all jobs wait for an agent', () => {
    const [waiting, running, ended] = [{ state: 'Scheduled' }, { state: 'Preparing' }, { state: 'Completed' }];
    assert.deepEqual([[waiting], [waiting, ended]].map(isWithoutAgent), [true, true]);
    assert.deepEqual([[], [ended], [waiting, running]].map(isWithoutAgent), [false, false, false]);
  });

  it('compares durations with the longest one, and with the estimate', () => {
    const running = { job_state_transitions: [{ state: 'Assigned', state_change_time: 1_000 }] };
    assert.equal(maxDuration([job('a', 'Passed', { duration_ms: 5_000 }), job('b', 'Unknown', running)], 9_000), 8_000);
    assert.equal(maxDuration([job('a', 'Passed', { duration_ms: 5_000, estimated_duration_ms: 20_000 })], 0), 20_000);
    assert.deepEqual(durationBar({ ms: 5_000, estimatedMs: 10_000 }, 20_000), { length: 25, mark: 50 });
    assert.equal(paceOf({ ms: 20_000, estimatedMs: 10_000, isRunning: true }), 'slow');
    assert.equal(paceOf({ ms: 1_900, estimatedMs: 100, isRunning: false }), 'normal');
    assert.equal(paceOf({ ms: 1_000, estimatedMs: 10_000, isRunning: true }), 'normal');
    assert.equal(paceOf({ ms: 1_000, estimatedMs: 10_000, isRunning: false }), 'fast');
    assert.equal(paceOf({ ms: 60_000, estimatedMs: undefined, isRunning: false }), 'normal');
  });

  it('names the newest runs', () => {
    assert.deepEqual(countersTo(3, 12), [3, 2, 1]);
    assert.deepEqual(countersTo(30, 2), [30, 29]);
  });
});
