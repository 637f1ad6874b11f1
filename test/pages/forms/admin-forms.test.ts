// The forms of administrators in a real browser: every one takes its example, and shows it again.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isObject, textOf } from '../../../pages/api/json.ts';
import { pageOfEntity, pageOfForm, pageOfNew } from '../../../pages/forms/areas.ts';
import type { PluginInfo } from '../../../pages/forms/model/declared.ts';
import { formField } from '../../../pages/forms/schema/fields.ts';
import type { FormDescription, FormFacts } from '../../../pages/forms/schema/schema.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindsOf, resourceName } from '../../../src/shape/resource.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';
import { fillIn, type PluginFor } from './filler.ts';

/** Resources that have pages of their own. */
const OWN_PAGES: ReadonlySet<string> = new Set(['config_repos', 'environments', 'pipeline_groups', 'pipelines', 'templates', 'webhooks']);
const resources = kindsOf(registry)
  .filter(({ isInternal }) => !isInternal)
  .map(resourceName)
  .filter((resource) => !OWN_PAGES.has(resource));

let lab: BrowserLab;
let forms: readonly FormFacts[];
let plugins: readonly PluginInfo[];
/** One window for most of it: signing in takes as long as a form. */
let page: Page;
before(async () => {
  lab = await BrowserLab.start();
  // The server answers 404 for settings that were never set, and the browser logs it.
  lab.expect(/404 .*\/api\/config\/mailserver/);
  await addUser(lab.builds.server, 'viewer');
  forms = accepted(await lab.builds.get('/api/forms')).json.forms;
  plugins = accepted(await lab.builds.get('/api/admin/plugin_info')).json._embedded.plugin_info;
  page = await lab.visit('/admin');
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const main = () => page.locator('main');
const described = async (resource: string): Promise<FormDescription> => accepted(await lab.builds.get(`/api/forms/${resource}`)).json;

const pluginFor: PluginFor = ({ plugin: { through } }, { plugin_id: id, plugin_metadata: metadata }) => {
  // The examples of entities that get their plugin through another entity all use these two.
  if (through !== undefined) return plugins.find((one) => one.id === THROUGH[through]);
  const name = textOf(metadata !== undefined && isObject(metadata) ? metadata.id : id);
  return plugins.find((one) => one.id === name);
};
const THROUGH: Readonly<Record<string, string>> = {
  cluster_profiles: 'cd.go.contrib.elastic-agent.docker',
  repositories: 'slipway.package.npm',
};

describe('the overview', () => {
  it('has every form by its title', async () => {
    await page.goto('/admin');
    for (const { title } of forms) await main().getByRole('link', { name: title, exact: true }).first().waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has nothing for users without administration rights', async () => {
    const other = await lab.visit('/admin', { name: 'viewer', password: PASSWORD });
    await other.getByText('You may not look after anything').waitFor();
    assert.equal(await other.getByRole('link', { name: 'Admin' }).count(), 0);
    await other.goto('/admin/artifact_stores');
    await other.getByText('You may not look at artifact stores').waitFor();
    await lab.assertAccessible(other);
    await other.context().close();
  });

  it('has what the policy of a role allows', async () => {
    await addUser(lab.builds.server, 'keeper');
    const policy = [{ permission: 'allow', action: 'administer', type: 'environment', resource: '*' }];
    accepted(
      await lab.builds.server.post('/api/admin/security/roles', {
        name: 'keepers',
        type: 'gocd',
        attributes: { users: ['keeper'] },
        policy,
      }),
    );
    const other = await lab.visit('/pipelines', { name: 'keeper', password: PASSWORD });
    await other.getByRole('link', { name: 'Admin', exact: true }).click();
    await other.getByRole('main').getByRole('link', { name: 'Environments', exact: true }).waitFor();
    assert.equal(await other.getByRole('main').getByRole('link').count(), 1);
    await other.context().close();
  });

  it('says that a plugin cannot decide about the members of a role', async () => {
    // The typed values stay as a draft of the window.
    const other = await lab.visit('/admin/security/roles/new');
    await other.getByLabel('Type', { exact: true }).selectOption('plugin');
    await other.getByRole('combobox', { name: 'Authorization configuration' }).fill('password-file');
    await other.getByText('The plugin cd.go.authentication.passwordfile cannot be used here.').waitFor();
    assert.equal(await other.getByRole('button', { name: 'Add a setting' }).count(), 0);
    await lab.assertAccessible(other);
    await other.context().close();
  });

  it('is one of the pages that the palette finds', async () => {
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Admin' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('secret conf');
    await page.getByRole('option', { name: 'Secret configs' }).click();
    await page.getByText('There is no secret config yet').waitFor();
    await lab.assertAccessible(page);
  });
});

describe('every form', () => {
  for (const resource of resources) {
    it(`takes the example of ${resource}, and shows it again`, async () => {
      const form = await described(resource);
      const { example, is_singleton: isSingleton } = form;
      await page.goto(isSingleton ? pageOfForm(form) : pageOfNew(form));
      await button('Preview and save …').waitFor();
      await fillIn(main(), formField(form.schema), example, pluginFor);
      await button('Preview and save …').click();
      await page.getByRole('region', { name: 'What will change' }).waitFor();
      // The administrators of the example are those of every new server.
      if (resource !== 'system_admins') {
        await page.getByText('Not saved yet.').waitFor();
        await page.getByLabel('Reason, for the change log').fill('As documented – für alle');
        await button('Save').click();
        // With the name of the entity: "Not saved yet." is still there.
        await page
          .getByText(`${isSingleton ? 'Saved' : 'Added'} ${form.singular}`)
          .first()
          .waitFor();
      }
      await page.goto(isSingleton ? pageOfForm(form) : pageOfEntity(form, textOf(example[form.address_field ?? 'id'])));
      await button('Preview and save …').waitFor();
      await lab.assertAccessible(page);
      await button('Preview and save …').click();
      await page.getByText('Nothing would change').waitFor();
    });
  }

  it('leaves its reason in the change log', async () => {
    const { json } = await lab.builds.get('/api/admin/config/entities/artifact_stores/release-bucket/history');
    assert.match(JSON.stringify(json), /As documented – für alle/);
  });
});
