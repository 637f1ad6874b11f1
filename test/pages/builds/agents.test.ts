// The page of agents in a real browser. The agents are said by the test.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
  accepted(await lab.builds.server.post('/api/admin/environments', { name: 'live', pipelines: [], environment_variables: [] }));
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const rowOf = (page: Page, hostname: string) => page.getByRole('row').filter({ hasText: hostname });
const choose = (page: Page, hostname: string) => page.getByRole('checkbox', { name: `Choose ${hostname}`, exact: true }).check();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('without agents', () => {
  it('an administrator is given the command that adds an agent', async () => {
    const page = await lab.visit('/agents');
    await page.getByText('There is no agent yet').waitFor();
    const { command } = (await lab.builds.get('/api/admin/agent_registration')).json;
    await page.getByText(command.split('\n')[0], { exact: false }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('other users are told whom to ask', async () => {
    const page = await lab.visit('/agents', { name: 'viewer', password: PASSWORD });
    await page.getByText('Ask an administrator to add one').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add an agent' }).count(), 0);
    assert.equal(await page.locator('pre').count(), 0);
  });
});

describe('agents', () => {
  before(async () => {
    for (const hostname of ['one', 'two', 'three']) await lab.builds.agent({ hostname });
  });

  it('appear while the page is open', async () => {
    const page = await lab.visit('/agents');
    await rowOf(page, 'three').waitFor();
    await lab.builds.agent({ hostname: 'late' });
    await rowOf(page, 'late').waitFor({ timeout: 10_000 });
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('are disabled and enabled in bulk', async () => {
    const page = await lab.visit('/agents');
    await rowOf(page, 'one').waitFor();
    assert.ok(await button(page, 'Disable').isDisabled());
    await choose(page, 'one');
    await choose(page, 'two');
    await page.getByText('2 chosen').waitFor();
    await button(page, 'Disable').click();
    for (const hostname of ['one', 'two']) await rowOf(page, hostname).getByText('Disabled').waitFor();
    await page.getByText('2 chosen').waitFor({ state: 'detached' });
    await choose(page, 'one');
    await button(page, 'Enable').click();
    await rowOf(page, 'one').getByText('Disabled').waitFor({ state: 'detached' });
  });

  it('get resources and environments, one at a time', async () => {
    const page = await lab.visit('/agents');
    await button(page, 'one').click();
    await page.getByLabel('Resources, separated by commas').fill('linux, fast , linux');
    await page.getByLabel('Environments, separated by commas').fill('live');
    await lab.assertAccessible(page);
    await button(page, 'Preview and save …').click();
    await page.getByRole('region', { name: 'What will change' }).getByText('fast').first().waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Save').click();
    await rowOf(page, 'one').getByText('fast, linux').or(rowOf(page, 'one').getByText('linux, fast')).waitFor();
    await rowOf(page, 'one').getByText('live').waitFor();
  });

  it('get and lose resources in bulk, and the refusal stands in the dialog', async () => {
    lab.expect(/(400|404|422) .*\/api\/agents/);
    const page = await lab.visit('/agents');
    await choose(page, 'one');
    await choose(page, 'two');
    await button(page, 'Change …').click();
    await page.getByLabel('Add to environments').fill('no-such-environment');
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByRole('alert').getByText('no-such-environment').waitFor();
    await page.getByLabel('Add to environments').fill('');
    await page.getByLabel('Add resources').fill('arm');
    await page.getByLabel('Remove resources').fill('fast');
    await button(page, 'Preview and save …').click();
    await page.getByText('agents one', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await rowOf(page, 'two').getByText('arm').waitFor();
    await rowOf(page, 'one').getByText('fast').waitFor({ state: 'detached' });
  });

  it('are deleted only when they are disabled', async () => {
    lab.expect(/406 .*\/api\/agents/);
    const page = await lab.visit('/agents');
    await choose(page, 'three');
    await button(page, 'Delete …').click();
    await button(page, 'Delete').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Disable').click();
    await rowOf(page, 'three').getByText('Disabled').waitFor();
    await choose(page, 'three');
    await button(page, 'Delete …').click();
    await button(page, 'Delete').click();
    await rowOf(page, 'three').waitFor({ state: 'detached' });
  });

  it('are searched, with the search in the address, and other users can only view them', async () => {
    const page = await lab.visit('/agents?q=arm', { name: 'viewer', password: PASSWORD });
    await rowOf(page, 'two').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await page.keyboard.press('/');
    await page.keyboard.type(' nothing');
    await page.getByText('No agent matches').waitFor();
    assert.match(page.url(), /q=arm\+nothing/);
    await lab.assertAccessible(page);
  });

  it('show the job that they build', async () => {
    const { builds } = lab;
    await builds.pipeline('web');
    const agent = await builds.agent({ hostname: 'worker' });
    const page = await lab.visit('/agents');
    await rowOf(page, 'worker').waitFor();
    await builds.poll();
    const work = await agent.workOf('web');
    await agent.report(work, 'Building');
    await rowOf(page, 'worker').getByText('Building').waitFor();
    await rowOf(page, 'worker').getByRole('link', { name: 'web / test / unit' }).waitFor();
    await agent.report(work, 'Completed', 'Passed');
    await rowOf(page, 'worker').getByText('Building').waitFor({ state: 'detached' });
  });
});
