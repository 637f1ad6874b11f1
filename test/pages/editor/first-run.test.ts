// A pipeline that is created and run on its page: one run begins, whether or not the server polls by itself, and nothing is refused.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { healthOf } from '../../support/server/health.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
afterEach(() => lab.endTest());

async function createAndRun(name: string) {
  const page = await lab.visit('/admin/pipelines/new?group=shop');
  const button = (label: string) => page.getByRole('button', { name: label, exact: true });
  await page.getByLabel('URL').fill(lab.builds.origin.path);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Script').fill('make test');
  await button('Preview and create …').click();
  await button('Create and run').click();
  await page.waitForURL(`**/pipeline/activity/${name}`);
  return page;
}

/** The first run is there, its stage ends, and no other begins; no problem was shown. */
async function assertOneRun(name: string, page: Awaited<ReturnType<typeof createAndRun>>): Promise<void> {
  await page.getByText(`${name} will run`).waitFor();
  await lab.builds.run(name, 1);
  assert.equal(await page.locator('.message.is-failed').count(), 0);
  const agent = await lab.builds.agent();
  await agent.report(await agent.workOf(name), 'Completed', 'Passed');
  await lab.builds.stageResult(`${name}/1/build/1`, 'Passed');
  await until('nothing to do', async () => {
    const { is_requested: isRequested, reasons } = (await lab.builds.get(`/api/pipelines/${name}/why`)).json;
    return !isRequested && reasons[0]?.rule === 'already_run';
  });
  assert.equal((await lab.builds.get(`/api/pipelines/${name}/2/instance`)).status, 404);
  assert.deepEqual(
    (await healthOf(lab.builds.server)).filter(({ message }) => message.includes(name)),
    [],
  );
}

describe('on a server that polls only on request', () => {
  before(async () => {
    lab = await BrowserLab.start();
  });
  after(() => lab?.stop());

  it('a repository that is new to the server is polled', async () => {
    const page = await createAndRun('unknown');
    await page.getByText('unknown will run as soon as its repository has been polled.').waitFor();
    await assertOneRun('unknown', page);
  });

  it('a repository that the server knows is run from at once', async () => {
    await assertOneRun('known', await createAndRun('known'));
  });
});

describe('on a server that polls by itself', () => {
  before(async () => {
    lab = await BrowserLab.start({ 'material-interval': '1' });
  });
  after(() => lab?.stop());

  it('the polls of the server and of the page begin one run', async () => {
    lab.expect(/409 .*trigger_update/); // it may be polling already
    await assertOneRun('polled', await createAndRun('polled'));
  });
});
