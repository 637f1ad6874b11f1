// The pages of config repos in a real browser, with a real repository.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

const definition = (name: string, material: string) => `pipelines:
  ${name}:
    group: shop
    materials: { code: { git: "${material}", branch: main } }
    stages: [{ build: { tasks: [{ exec: { command: make } }] } }]
`;

describe('without config repos', () => {
  it('an administrator is led to the first config repo', async () => {
    const page = await lab.visit('/admin/config_repos');
    await page.getByText('No repository defines pipelines yet').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('other users are told that they may see no config repo', async () => {
    lab.expect(/403 .*\/api\/internal\/config_repos/);
    const page = await lab.visit('/admin/config_repos', { name: 'viewer', password: PASSWORD });
    await page.getByText('not authorized').waitFor();
    assert.equal(await link(page, 'Add a config repo').count(), 0);
  });
});

describe('a config repo', () => {
  it('is added: its repository answers, and the preview comes first', async () => {
    lab.expect(/422 .*\/api\/admin/);
    const { origin } = lab.builds;
    await origin.commit('web', { 'web.gocd.yaml': definition('web', origin.path) });
    const page = await lab.visit('/admin/config_repos/new');
    await page.getByText('None: the files **/*.gocd.yaml, **/*.gocd.yml are read.').waitFor();
    await page.getByLabel('Id').fill('team-a');
    await page.getByLabel('URL').fill(`${origin.path}-gone`);
    await button(page, 'Check connection').click();
    await page.getByText(/Check connection failed/).waitFor();
    await page.getByLabel('URL').fill(origin.path);
    await button(page, 'Check connection').click();
    await page.getByText('Connection OK.').waitFor();
    await page.getByLabel('Name; * and ? are wildcards').fill('');
    await lab.assertAccessible(page);
    await button(page, 'Preview and add …').click();
    // The problem stands beside its field, and on top.
    await page.getByText('Resource cannot be blank.').nth(1).waitFor();
    await page.getByLabel('Name; * and ? are wildcards').fill('*');
    await button(page, 'Preview and add …').click();
    await page.getByRole('dialog').getByText('config repos team-a').waitFor();
    await page.getByLabel('Reason, for the change log').fill('Pipelines as code – at last');
    await lab.assertAccessible(page);
    await button(page, 'Add').click();
    await page.getByRole('heading', { name: 'team-a' }).waitFor();
    await page.getByRole('region', { name: 'What it defines' }).getByRole('link', { name: 'web' }).waitFor();
    const { json } = accepted(await lab.builds.get('/api/admin/config/entities/config_repos/team-a/history'));
    assert.match(JSON.stringify(json), /Pipelines as code – at last/);
    await lab.assertAccessible(page);
  });

  it('puts its pipelines into an environment by its files: the page of the environment says how', async () => {
    lab.expect(/422 .*\/api\/admin\/environments/);
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'live' }));
    const page = await lab.visit('/admin/environments/live/edit');
    await page.getByRole('combobox', { name: 'Add a pipeline' }).fill('web');
    await page.getByText('web is defined by the config repo team-a, and is added in its files').waitFor();
    assert.equal(await button(page, 'Add').isDisabled(), true);
    await page.keyboard.press('Enter');
    assert.equal(await button(page, 'Remove web').count(), 0);
    await button(page, 'Preview and save …').click();
    await page
      .getByText(/cannot reference a pipeline in/)
      .first()
      .waitFor();
    await page.getByText('pipelines: ["web"]').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await link(page, 'rules').click();
    await page.getByRole('heading', { name: 'Edit team-a' }).waitFor();
    await lab.assertNarrow(page);
    await page.goBack();
    await page.getByText('Pipelines of config repos are added in their files').click();
    await link(page, 'team-a').click();
    const { origin } = lab.builds;
    const web = definition('web', origin.path);
    await origin.commit('web is live', { 'web.gocd.yaml': `${web}environments: { live: { pipelines: [web] } }\n` });
    await button(page, 'Update now').click();
    await page.getByText('Refused').waitFor();
    await lab.assertAccessible(page);
    await link(page, 'Edit the rules').click();
    await button(page, 'Add a rule').click();
    await page.getByLabel('Kind').nth(1).selectOption({ label: 'Environments' });
    await page.getByLabel('Name; * and ? are wildcards').nth(1).fill('live');
    await button(page, 'Preview and save …').click();
    await button(page, 'Save').click();
    const live = page.getByRole('region', { name: 'What it defines' }).getByRole('link', { name: 'live' });
    await live.click();
    await page.getByText('web from team-a').waitFor();
    assert.equal(await button(page, 'Remove web').count(), 0);
  });

  it('is updated on demand, and says where a file is wrong', async () => {
    const { origin } = lab.builds;
    const page = await lab.visit('/admin/config_repos/team-a/status');
    await page.getByText('Up to date').first().waitFor();
    await origin.commit('a mistake', { 'web.gocd.yaml': 'pipelnes: {}\n' });
    await button(page, 'Update now').click();
    await page.getByText('Not understood').waitFor();
    const errors = page.getByRole('list', { name: 'Errors' });
    await errors.getByText('web.gocd.yaml:1:1').waitFor();
    await errors.getByText(/Did you mean pipelines/).waitFor();
    await page.getByText('Webhook addresses').click();
    await page.getByText(`${lab.url}/api/webhooks/github/config_repos/team-a`).waitFor();
    await lab.assertAccessible(page);
    await page.goto('/admin/config_repos?q=team');
    await page.getByRole('row').filter({ hasText: 'team-a' }).getByText('Failed').waitFor();
    await lab.assertAccessible(page);
  });

  it('is checked at a branch before the branch is merged', async () => {
    lab.expect(/(400|422) .*preflight/);
    const page = await lab.visit('/admin/config_repos/preflight?repo=team-a');
    await page.getByLabel('What to check').selectOption('ref');
    await page.getByLabel('Branch or whole commit id').fill('gone');
    await button(page, 'Check').click();
    await page.getByRole('main').getByRole('alert').waitFor();
    await page.getByLabel('Branch or whole commit id').fill('main');
    await button(page, 'Check').click();
    await page.getByRole('heading', { name: 'This would be refused' }).waitFor();
    await page.getByRole('list', { name: 'Errors' }).getByText('web.gocd.yaml:1:1').waitFor();
    assert.match(page.url(), /ref=main/);
    await lab.assertAccessible(page);
  });

  it('is changed', async () => {
    const page = await lab.visit('/admin/config_repos/team-a/edit');
    await page.getByText('None: the files').waitFor(); // the settings of the plugin are known
    await button(page, 'Add a setting').click();
    assert.equal(await page.getByLabel('Key').inputValue(), 'file_pattern');
    await page.getByLabel('Value').fill('ci/*.yaml');
    await button(page, 'Add a rule').click();
    await button(page, 'Move rule 3 up').click();
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByText('changed', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await page.waitForURL('**/team-a/status');
    const { json } = accepted(await lab.builds.get('/api/admin/config_repos/team-a'));
    assert.deepEqual(json.configuration, [{ key: 'file_pattern', value: 'ci/*.yaml' }]);
    assert.equal(json.rules.length, 3);
  });

  it('is deleted after a preview of the deletion', async () => {
    // The windows of the other tests still look at it.
    lab.expect(/404 .*\/config_repos\/team-a/);
    const page = await lab.visit('/admin/config_repos/team-a/status');
    await button(page, 'Delete …').click();
    await page.getByRole('dialog').getByText('config repos team-a').waitFor();
    await button(page, 'Delete').click();
    await page.getByText('No repository defines pipelines yet').waitFor();
  });
});

describe('files are checked before they are committed', () => {
  it('files are checked before they are committed: their mistakes and planned changes are shown', async () => {
    const page = await lab.visit('/admin/config_repos/preflight');
    await page.getByLabel('Content').fill('pipelines:\n  web: { group: shop }\n');
    await button(page, 'Check').click();
    await page.getByRole('heading', { name: 'This would be refused' }).waitFor();
    await page
      .getByText(/web\.gocd\.yaml/)
      .first()
      .waitFor();
    const stored = () => page.evaluate(() => localStorage.getItem('draft admin preflight'));
    const first = await until('a draft is kept', async () => (await stored()) ?? undefined);
    await page.getByLabel('Content').fill(definition('checked', lab.builds.origin.path));
    await button(page, 'Check').click();
    await page.getByText('Pipelines created: checked.').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await until('the newer draft is kept', async () => (await stored()) !== first);
    await page.reload();
    await button(page, 'Continue').click();
    assert.equal(await page.getByLabel('Content').inputValue(), definition('checked', lab.builds.origin.path));
  });
});
