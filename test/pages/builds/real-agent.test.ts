// Actions of users on the pages while a real agent builds: nothing that the pages show comes from the test.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { spawnAgent, temporaryFolder } from '../../support/builds/agent-process.ts';
import { BrowserLab } from '../browser-lab.ts';

const MANUAL = { approval: { type: 'manual' } };
const REPORT = '<testsuite><testcase classname="Cart" name="adds" time="0.2"/><testcase classname="Cart" name="empties"/></testsuite>';
const shell = (text: string) => ({ type: 'exec', attributes: { command: 'sh', arguments: ['-c', text] } });

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

/** Adds a pipeline that builds until the file exists, and deploys until a user cancels it. */
async function addPipeline(file: string): Promise<void> {
  const compile = [
    shell('printf "from \\033[32m%s\\033[0m\\n" "$(cat readme.md)"'),
    shell(`while [ ! -e '${file}' ]; do sleep 0.1; done; echo released`),
    shell(`mkdir out reports; echo done > out/note.txt; echo '${REPORT}' > reports/TEST-cart.xml`),
  ];
  const artifacts = [
    { type: 'build', source: 'out', destination: '' },
    { type: 'test', source: 'reports', destination: '' },
  ];
  const stages = [
    { name: 'build', ...MANUAL, jobs: [{ name: 'compile', tasks: compile, artifacts }] },
    { name: 'deploy', ...MANUAL, jobs: [{ name: 'ship', tasks: [shell('echo shipping; sleep 600')] }] },
  ];
  await lab.builds.pipeline('web', { stages });
  await lab.builds.poll();
}

/** Adds an agent as a user does who copies the command from the page. */
async function addAgent(context: TestContext, page: Page): Promise<void> {
  const command = await page.locator('pre', { hasText: 'slipway -- agent' }).innerText();
  const [, server, key] = /--server (\S+) --key (\S+)/.exec(command) ?? [];
  assert.equal(server, lab.url);
  spawnAgent(context, lab.builds.server, join(temporaryFolder(context), 'agent'), { key: key! });
  await page.getByRole('row').filter({ hasText: 'Idle' }).waitFor();
}

it('a run is started, followed, approved and cancelled on the pages while a real agent builds it', async (context) => {
  const release = join(temporaryFolder(context), 'release');
  await addPipeline(release);
  const agents = await lab.visit('/agents');
  await addAgent(context, agents);

  const page = await lab.visit('/pipelines');
  await page.getByRole('button', { name: 'Run web' }).click();
  await page.getByRole('link', { name: /build : Building/ }).click();
  await page.getByRole('link', { name: 'compile', exact: true }).click();
  const log = page.getByRole('log');
  await log.locator('.log-row', { hasText: 'from 1' }).waitFor();
  assert.equal(await log.locator('.ansi-2').textContent(), '1');
  await agents.getByRole('link', { name: 'web / build / compile' }).waitFor();

  writeFileSync(release, '');
  await log.locator('.log-row', { hasText: 'released' }).waitFor();
  await page.locator('.page-header').getByText('Passed', { exact: true }).waitFor();
  await agents.getByRole('row').filter({ hasText: 'Idle' }).waitFor();
  await page.getByRole('tab', { name: 'Artifacts' }).click();
  await page.getByRole('link', { name: 'note.txt', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Tests' }).click();
  await page.getByText('2 passed').waitFor();

  await page.goto('/pipeline/activity/web');
  await page.getByRole('button', { name: 'Run deploy of 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
  await agents.getByRole('link', { name: 'web / deploy / ship' }).waitFor();
  await page.getByRole('button', { name: 'Cancel deploy of 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the stage' }).click();
  await page.getByRole('link', { name: /deploy Cancelled/ }).waitFor();
  await agents.getByRole('row').filter({ hasText: 'Idle' }).waitFor();
});
