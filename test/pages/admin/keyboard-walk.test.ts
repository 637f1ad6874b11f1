// Pages of administration by the keyboard alone: each control is reached and seen; dialogs and menus are opened, walked and left.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isObject, textOf } from '../../../pages/api/json.ts';
import { pageOfEntity, pageOfForm } from '../../../pages/forms/areas.ts';
import type { FormDescription } from '../../../pages/forms/schema/schema.ts';
import { pageOf } from '../../../pages/kit/page-addresses.ts';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';
import { hasFocus, NOTE_CLICKS, walk } from '../keyboard.ts';

/** Whose forms have all the parts that forms are made of. */
const RESOURCES = [
  'artifact_retention',
  'artifact_stores',
  'auth_configs',
  'backup',
  'cluster_profiles',
  'mailserver',
  'repositories',
  'roles',
  'secret_configs',
  'site_urls',
] as const;
const ANT = { type: 'ant', attributes: { run_if: ['passed'], build_file: 'build.xml', target: 'all' } };
const TEMPLATE = { name: 'shared', stages: [{ name: 'build', jobs: [{ name: 'unit', tasks: [ANT] }] }] };
const NO_FAULTS = { unreached: [], unseen: [], onlyByMouse: [] };
/** The name of a button that is on every page that knows its past, and walked once. */
const EARLIER = 'View an earlier state …';

let lab: BrowserLab;
let page: Page;
/** The address where the example of each resource is shown. */
const examples = new Map<string, string>();
before(async () => {
  lab = await BrowserLab.start();
  lab.expect(/(400|404|422) .*\/api\//);
  const { builds } = lab;
  await builds.pipeline('web');
  for (const resource of [...RESOURCES, 'environments', 'webhooks']) {
    const form: FormDescription = accepted(await builds.get(`/api/forms/${resource}`)).json;
    await make(form);
    const id = isObject(form.example) ? textOf(form.example[form.address_field ?? 'id']) : '';
    examples.set(resource, form.is_singleton ? pageOfForm(form) : pageOfEntity(form, id));
  }
  accepted(await builds.post('/api/admin/templates', TEMPLATE));
  accepted(await builds.post('/api/admin/config_repos', { id: 'team-a', plugin_id: 'yaml.config.plugin', material: builds.material }));
  accepted(await builds.post('/api/current_user/access_tokens', { description: 'robot' }));
  accepted(await builds.post('/api/admin/service_accounts', { name: 'deployer', description: '', owner: 'admin' }));
  page = await lab.visit('/');
  await page.addInitScript(NOTE_CLICKS);
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

it('the first link of a page leads to its content, and leaves the address as it is', async () => {
  await page.goto('/agents?q=none');
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  const address = page.url();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  assert.equal(page.url(), address);
});

async function make({ is_singleton: isSingleton, path, example }: FormDescription): Promise<void> {
  const there = await lab.builds.get(path);
  accepted(
    isSingleton && there.status === 200
      ? await lab.builds.server.put(path, example, there.etag ?? '*')
      : await lab.builds.post(path, example),
  );
}

const PAGES: readonly string[] = [
  pageOf.changes(),
  pageOf.change(2),
  pageOf.entityChanges({ resource: 'artifact_stores', id: 'release-bucket' }),
  pageOf.plan(),
  pageOf.configXml(),
  pageOf.health(),
  pageOf.adminPipelines(),
  pageOf.newPipeline(),
  pageOf.editPipeline('web'),
  pageOf.editPipeline('web', { stage: 'test', job: 'unit' }),
  `${pageOf.editPipeline('web')}?part=materials.0`,
  `${pageOf.editPipeline('web')}?part=stages.0.jobs.0.tasks.0`,
  pageOf.templates(),
  pageOf.editTemplate('shared'),
  pageOf.environments(),
  pageOf.editEnvironment('staging'),
  pageOf.configRepos(),
  pageOf.newConfigRepo(),
  pageOf.configRepo('team-a'),
  pageOf.editConfigRepo('team-a'),
  pageOf.preflight(),
  pageOf.about(),
  pageOf.tokens(),
  pageOf.allTokens(),
  pageOf.allSessions(),
  pageOf.serviceAccounts(),
  pageOf.users(),
  pageOf.backup(),
  pageOf.maintenance(),
  pageOf.webhooks(),
  pageOf.events(),
  pageOf.notifications(),
  pageOf.replicas(),
  '/admin/artifact_stores',
  '/admin/security/roles/new',
];

async function open(address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await loaded();
}

async function loaded(): Promise<void> {
  await until('all of it', () => page.evaluate<boolean>("document.querySelector('.loading') === null"));
}

async function assertWalkable(address: string): Promise<void> {
  await open(address);
  assert.deepEqual(await walk(page, 'main'), NO_FAULTS, address);
  await assertDialogs();
  await assertMenus();
}

/** Buttons that end with an ellipsis ask something first. */
async function assertDialogs(): Promise<void> {
  const buttons = page.getByRole('main').getByRole('button', { name: / …$/, disabled: false });
  const labels = new Set(await buttons.allInnerTexts());
  for (const label of labels) if (label !== EARLIER && !label.startsWith('Preview')) await assertDialog(label);
}

async function assertDialog(label: string): Promise<void> {
  const opener = page.getByRole('main').getByRole('button', { name: label, exact: true }).first();
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog').last();
  await dialog.waitFor();
  await loaded();
  assert.ok(await dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement)), `${label} has the focus`);
  assert.deepEqual(await walk(page), NO_FAULTS, label);
  await dialog.getByRole('button').first().focus();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await hasFocus(opener), `${label} gives the focus back`);
}

async function assertMenus(): Promise<void> {
  const opener = page.getByRole('main').locator('[aria-haspopup=menu]').first();
  if ((await opener.count()) === 0) return;
  await opener.focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  assert.ok(await hasFocus(items.first()), 'the first action has the focus');
  await page.keyboard.press('ArrowUp');
  assert.ok(await hasFocus(items.last()), 'arrows go through the actions');
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  assert.ok(await hasFocus(opener), 'the menu gives the focus back');
}

describe('by the keyboard alone', () => {
  it('the frame of all pages is reached by the keyboard, and visible with the focus', async () => {
    await open('/admin');
    assert.deepEqual(await walk(page), NO_FAULTS);
    await open('/admin/artifact_stores');
    await assertDialog(EARLIER);
  });

  for (const address of PAGES)
    it(`all of ${address} is reached by the keyboard, and visible with the focus`, () => assertWalkable(address));

  for (const resource of RESOURCES) {
    it(`the form of ${resource} is reached by the keyboard, and visible with the focus`, () => assertWalkable(examples.get(resource)!));
  }
});
