// The editors that are made by hand as they show the past, and definitions of config repos, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import type { Reply } from '../../support/server/server.ts';
import { BrowserLab } from '../browser-lab.ts';

const label = (text: string) => `${text}-\${COUNT}`;
const TASKS = [{ type: 'exec', attributes: { command: 'make' } }];
const FILE = (material: string) => `format_version: 11
pipelines:
  remote:
    group: shop
    materials: { code: { git: "${material}", branch: main } }
    stages: [{ build: { tasks: [{ exec: { command: make } }] } }, { ship: { tasks: [{ exec: { command: make } }] } }]
environments:
  shared:
    pipelines: [remote]
`;

let lab: BrowserLab;
/** One window for all of it: signing in takes as long as a form. */
let page: Page;
/** The revision after which everything is as it was first. */
let then: string;

const revisionOf = (reply: Reply): string => accepted(reply).headers.get('x-svc-revision')!;
const change = async (address: string, part: object): Promise<string> => {
  const now = await lab.builds.get(address);
  return revisionOf(await lab.builds.server.put(address, { ...now.json, ...part }, now.etag));
};

before(async () => {
  lab = await BrowserLab.start();
  const { origin } = lab.builds;
  await lab.builds.pipeline('web', { label_template: label('first') });
  const stages = [{ name: 'compile', jobs: [{ name: 'build', tasks: TASKS }] }];
  accepted(await lab.builds.post('/api/admin/templates', { name: 'made', stages }));
  accepted(await lab.builds.post('/api/admin/environments', { name: 'live', environment_variables: [{ name: 'OLD', value: '1' }] }));
  await origin.commit('remote', { 'ci/shop.gocd.yaml': FILE(origin.path) });
  const rules = [{ directive: 'allow', action: 'refer', type: '*', resource: '*' }];
  const material = { type: 'git', attributes: { url: origin.path, branch: 'main' } };
  then = revisionOf(
    await lab.builds.post('/api/admin/config_repos', { id: 'team', plugin_id: 'yaml.config.plugin', material, rules, configuration: [] }),
  );
  await change('/api/admin/pipelines/web', { label_template: label('second') });
  await change('/api/admin/templates/made', { stages: [{ ...stages[0], name: 'build' }] });
  await change('/api/admin/environments/live', { environment_variables: [{ name: 'NEW', value: '2' }] });
  await change('/api/admin/config_repos/team', { rules: [...rules, ...rules] });
  page = await lab.visit('/admin');
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const looking = () => page.getByText(`You are looking at revision ${then}.`).waitFor();
const at = (address: string) => page.goto(`${address}?at=${then}`);

describe('the past', () => {
  it('the past of pipelines is listed and shown, and cannot be changed', async () => {
    await page.goto('/admin/pipelines');
    await button('View an earlier state …').click();
    await page.getByLabel('Or after this revision').fill(then);
    await button('View').click();
    await looking();
    await link('web').waitFor();
    assert.equal((await button('New group …').count()) + (await link('New pipeline').count()), 0);
    assert.equal(await button('Actions for web').count(), 0);
    await lab.assertAccessible(page);
    await link('web').click();
    await looking();
    assert.equal(await page.getByLabel('Label of runs').inputValue(), label('first'));
    assert.ok(await page.getByLabel('Label of runs').isDisabled());
    assert.equal(await button('Preview and save …').count(), 0);
    assert.equal(await button('Add a stage').count(), 0);
    await lab.assertAccessible(page);
    await button('Back to now').click();
    await button('Preview and save …').waitFor();
    assert.equal(await page.getByLabel('Label of runs').inputValue(), label('second'));
  });

  it('the past of templates is listed and shown', async () => {
    await at('/admin/templates');
    await looking();
    assert.equal(await button('New template …').count(), 0);
    await link('made').click();
    await looking();
    await page
      .getByRole('navigation', { name: /^Parts of/ })
      .getByRole('button', { name: 'compile' })
      .waitFor();
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled());
    assert.equal(await button('Preview and save …').count(), 0);
  });

  it('the past of environments is listed and shown', async () => {
    await at('/admin/environments');
    await looking();
    assert.equal(await button('New environment …').count(), 0);
    await link('live').click();
    await looking();
    await page.getByLabel('Value of OLD').waitFor();
    assert.ok(await page.getByLabel('Value of OLD').isDisabled());
    assert.equal(await button('Preview and save …').count(), 0);
    await lab.assertAccessible(page);
  });

  it('the past of config repos is listed and shown', async () => {
    await at('/admin/config_repos');
    await looking();
    assert.equal(await link('Add a config repo').count(), 0);
    await lab.assertAccessible(page);
    await link('team').click();
    await looking();
    assert.equal((await button('Update now').count()) + (await button('Delete …').count()), 0);
    await link('All settings').click();
    await looking();
    await page.getByLabel('Rule', { exact: true }).first().waitFor();
    assert.equal(await page.getByLabel('Rule', { exact: true }).count(), 1);
    assert.ok(await page.getByLabel('URL').isDisabled());
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('the past of forms that the server describes', () => {
  it('is kept on the way back to the list, and from section to section', async () => {
    await at('/admin/security/auth_configs/password-file');
    await looking();
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link').last().click();
    await page.waitForURL(`**/admin/security/auth_configs?at=${then}`);
    await link('password-file').waitFor();
    await at('/admin/server_configuration/site_urls');
    await looking();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Artifacts', exact: true }).click();
    await page.getByRole('region', { name: 'Artifacts', exact: true }).waitFor();
    await looking();
  });
});

describe('an entity that a config repo defines', () => {
  it('is listed with file and line on the page of the repo', async () => {
    await page.goto('/admin/config_repos/team/status');
    const defined = page.getByRole('region', { name: 'What it defines' });
    await defined.getByText('ci/shop.gocd.yaml:3').waitFor();
    await defined.getByText('ci/shop.gocd.yaml:8').waitFor();
    await lab.assertAccessible(page);
  });

  it('cannot be changed, and leads to its file and line', async () => {
    await page.goto('/admin/pipelines/remote/edit');
    await page.getByText('ci/shop.gocd.yaml:3', { exact: true }).waitFor();
    await button('Copy ci/shop.gocd.yaml:3').waitFor();
    assert.ok(await page.getByLabel('Label of runs').isDisabled());
    assert.equal(await button('Preview and save …').count(), 0);
    const stages = page.getByRole('region', { name: 'Stages' }).locator('.tree-list').first().locator(':scope > li');
    assert.equal(await stages.first().getAttribute('draggable'), null);
    await page.getByRole('button', { name: 'build', exact: true }).first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    assert.match((await stages.first().textContent()) ?? '', /^build/);
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto('/admin/environments/shared/edit');
    await page.getByText('ci/shop.gocd.yaml:8', { exact: true }).waitFor();
  });
});
