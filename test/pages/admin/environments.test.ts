// Environments, templates and the way to a first pipeline, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const json = async (address: string) => accepted(await lab.builds.get(address)).json;

describe('a first pipeline', () => {
  it('is a click away on the dashboard of a new server, and so is a config repo', async () => {
    const page = await lab.visit('/pipelines');
    await page.getByText('There is no pipeline yet.').waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('link', { name: 'Add a config repo' }).click();
    await page.getByRole('heading', { name: 'New config repo' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Make a pipeline' }).click();
    await page.waitForURL('**/admin/pipelines/new');
  });

  it('comes of a repository, a name and a script, and runs', async () => {
    lab.expect(/422 .*\/api\/admin\/pipelines/);
    const page = await lab.visit('/admin/pipelines/new?group=shop');
    await page.getByLabel('URL').fill(lab.builds.origin.path);
    await button(page, 'Check connection').click();
    await page.getByText('Connection OK.').waitFor();
    await button(page, 'Call it origin').click();
    await page.getByLabel('Stage').fill('not a name');
    await page.getByLabel('Script').fill('make test');
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await button(page, 'Preview and create …').click();
    await page
      .getByText(/Invalid stage name/)
      .first()
      .waitFor();
    await page.getByLabel('Stage').fill('build');
    await button(page, 'Preview and create …').click();
    await page.getByRole('dialog').getByText('pipelines origin').waitFor();
    await button(page, 'Create and run').click();
    await page.waitForURL('**/pipeline/activity/origin');
    await lab.builds.run('origin', 1);
  });

  it('is refused to users who administer no group', async () => {
    const page = await lab.visit('/admin/pipelines/new', { name: 'viewer', password: PASSWORD });
    await page.getByText('You may create no pipeline').waitFor();
    await lab.assertAccessible(page);
  });
});

describe('environments', () => {
  it('are created, and get pipelines, agents and variables with secrets', async () => {
    await lab.builds.agent({ hostname: 'worker' });
    const page = await lab.visit('/admin/environments');
    await page.getByText('There is no environment yet').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'New environment …').click();
    await page.getByLabel('Name', { exact: true }).fill('live');
    await page.keyboard.press('Enter');
    const planned = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'environments live' });
    await planned.waitFor();
    assert.equal(await planned.getByRole('link').count(), 0, 'there is nothing to look at yet');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/environments/live/edit');
    await page.getByRole('combobox', { name: 'Add a pipeline' }).fill('origin');
    await page.getByRole('option', { name: 'origin' }).click();
    await button(page, 'Remove origin').click();
    await page.getByRole('combobox', { name: 'Add a pipeline' }).fill('origin');
    await page.keyboard.press('Enter');
    await button(page, 'Remove origin').click();
    // A typed name that is not added yet is saved, too.
    await page.getByRole('combobox', { name: 'Add a pipeline' }).fill('origin');
    await button(page, 'Add a variable').click();
    await page.getByLabel('Name of variable 1').fill('KEY');
    await page.getByLabel('secret').check();
    await page.getByLabel('Value of KEY').fill('hush');
    await lab.assertAccessible(page);
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByText('changed', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await page.getByText('live is saved.').waitFor();
    const { pipelines, environment_variables: variables } = await json('/api/admin/environments/live');
    assert.deepEqual([pipelines[0].name, variables[0].name], ['origin', 'KEY']);
    assert.ok(variables[0].encrypted_value);
    await page.getByLabel('An agent to add').selectOption({ label: 'worker' });
    await button(page, 'Add the agent').click();
    await button(page, 'Remove the agent worker').waitFor();
    await lab.assertNarrow(page);
  });

  it('are deleted', async () => {
    const page = await lab.visit('/admin/environments?q=origin');
    await page.getByRole('row').filter({ hasText: 'live' }).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Actions for live').click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await button(page, 'Delete').click();
    await page.getByText('There is no environment yet').waitFor();
  });
});

describe('templates', () => {
  it('are extracted from a pipeline, changed and given rights', async () => {
    const page = await lab.visit('/admin/pipelines');
    await button(page, 'Actions for origin').click();
    await page.getByRole('menuitem', { name: 'Extract a template …' }).click();
    await page.getByLabel('Name of the template').fill('shared');
    await button(page, 'Preview and extract …').click();
    await button(page, 'Extract').click();
    await page.getByText('The template shared is made').waitFor();
    await page.goto('/admin/templates');
    await page.getByRole('row').filter({ hasText: 'shared' }).getByRole('link', { name: 'origin' }).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Actions for shared').click();
    await page.getByRole('menuitem', { name: 'Rights …' }).click();
    await page.getByRole('group', { name: 'May change it' }).getByLabel('Users, separated by commas').fill('viewer');
    await button(page, 'Preview and save …').click();
    await button(page, 'Save').click();
    await page.getByText('The rights of shared are changed.').waitFor();
    // Typed text is kept when the dialog is closed.
    await button(page, 'Actions for shared').click();
    await page.getByRole('menuitem', { name: 'Rights …' }).click();
    await page.getByRole('group', { name: 'May see it' }).getByLabel('Users, separated by commas').fill('viewer');
    await button(page, 'Cancel').click();
    await button(page, 'Actions for shared').click();
    await page.getByRole('menuitem', { name: 'Rights …' }).click();
    await page.getByText('You have an unsaved draft').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Discard').click();
    await button(page, 'Cancel').click();
    await lab.assertNarrow(page);
  });

  it('are changed by users with the right', async () => {
    const page = await lab.visit('/admin/templates/shared/edit', { name: 'viewer', password: PASSWORD });
    await page.getByLabel('Name', { exact: true }).fill('compile');
    await lab.assertAccessible(page);
    await button(page, 'Preview and save …').click();
    await button(page, 'Save').click();
    await page.getByText('shared is saved.').waitFor();
    assert.equal((await json('/api/admin/templates/shared')).stages[0].name, 'compile');
  });
});
