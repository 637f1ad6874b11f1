// What administrators do, by keys alone: nothing here presses or moves a mouse, or puts a text into a field otherwise.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';
import { controlOf } from '../forms/filler.ts';
import { hasFocus, press, tabTo, typeInto } from '../keyboard.ts';

let lab: BrowserLab;
let page: Page;
before(async () => {
  lab = await BrowserLab.start();
  lab.expect(/404 .*\/api\//);
  const { builds } = lab;
  await builds.pipeline('web');
  for (const name of ['ann', 'bob'])
    accepted(await builds.post('/api/admin/security/roles', { name, type: 'svc', attributes: { users: [] } }));
  page = await lab.visit('/admin');
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const field = (label: string) => controlOf(page.locator('main'), label);
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const json = async (address: string) => accepted(await lab.builds.get(address)).json;
const gets = (what: string) => until(`the focus on ${what}`, () => hasFocus(button(what)));

/** Enter previews, and Enter in the reason saves. */
async function previewAndSave(): Promise<void> {
  await press(page, page.getByRole('button', { name: /^Preview and save/ }));
  const reason = page.getByLabel('Reason, for the change log');
  await reason.waitFor();
  await until('the focus on the reason', () => hasFocus(reason));
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
}

describe('by keys alone', () => {
  it('an artifact store is added, changed and deleted, and that is undone', async () => {
    await press(page, link('Artifact stores'));
    await press(page, link('Add artifact store'));
    await typeInto(page, field('ID'), 'keys');
    await tabTo(page, field('Plugin'));
    await page.keyboard.type('s3');
    await page.keyboard.press('Enter');
    assert.equal(await field('Plugin').inputValue(), 'cd.go.artifact.s3');
    await typeInto(page, field('Bucket'), 'first');
    await previewAndSave();
    await says('Added artifact store keys');
    await typeInto(page, field('Bucket'), 'second');
    await previewAndSave();
    await says('Saved artifact store keys');
    await press(page, button('Delete …'), 'Shift+Tab');
    await press(page, inDialog('Delete'));
    await says('Deleted artifact store keys');
    await press(page, button('Undo').last());
    await says(/is undone/);
    assert.match(JSON.stringify(await json('/api/admin/artifact_stores/keys')), /second/);
  });

  it('names are added to a list and removed, and the focus stays with them', async () => {
    await page.goto('/admin/security/system_admins');
    await tabTo(page, field('Roles'));
    // The last is not among those that are offered.
    for (const name of ['ann', 'bob', 'cid']) {
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await button(`Remove ${name}`).waitFor();
    }
    await press(page, button('Remove bob'), 'Shift+Tab');
    await gets('Remove cid');
    await page.keyboard.press('Enter');
    await gets('Remove ann');
    await page.keyboard.press('Enter');
    await until('the focus on the field', () => hasFocus(field('Roles')));
  });

  it('rows are added to a list, moved and removed, and the focus stays with them', async () => {
    await page.goto('/admin/security/roles/new');
    await typeInto(page, field('Name'), 'keepers');
    await tabTo(page, field('Type'));
    await page.keyboard.type('Lists');
    for (const resource of ['first', 'second', 'third']) {
      await press(page, button('Add policy'));
      const row = page.getByRole('group', { name: /^Policy \d+$/ }).last();
      await until('the focus in the new row', () => row.evaluate((element) => element.contains(element.ownerDocument.activeElement)));
      await typeInto(page, controlOf(row, 'Names'), resource);
    }
    const names = async () => Promise.all((await page.getByLabel('Names').all()).map((one) => one.inputValue()));
    await press(page, button('Move Policy 3 up'));
    await gets('Move Policy 2 up');
    await page.keyboard.press('Enter');
    // It cannot go further up.
    await gets('Move Policy 1 down');
    assert.deepEqual(await names(), ['third', 'first', 'second']);
    await press(page, button('Remove Policy 3'));
    await gets('Remove Policy 2');
    assert.deepEqual(await names(), ['third', 'first']);
  });

  it('stages are moved in the editor of pipelines, and that is reverted', async () => {
    await page.goto('/admin/pipelines/web/edit');
    await press(page, button('deploy'));
    await page.keyboard.press('Alt+ArrowUp');
    await gets('deploy');
    await previewAndSave();
    const first = async () => (await json('/api/admin/pipelines/web')).stages[0].name;
    await until('the stage is moved', async () => (await first()) === 'deploy');
    await page.goto('/admin/changes');
    await press(page, page.getByRole('main').getByRole('link', { name: /^Revision \d+/ }));
    await press(page, button('Revert …'));
    await inDialog('Revert').waitFor();
    await press(page, inDialog('Revert'));
    await until('it is reverted', async () => (await first()) === 'test');
  });

  it('the configuration is changed as XML, and the editor is left by Tab', async () => {
    await page.goto('/admin/config_xml');
    const editor = page.getByRole('textbox', { name: /XML/ });
    const isInEditor = () => page.evaluate<boolean>('document.activeElement?.shadowRoot?.activeElement != null');
    await editor.waitFor();
    for (let keys = 0; keys < 50 && !(await isInEditor()); keys++) await page.keyboard.press('Tab');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('id="keys"');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.type('id="edited"');
    await previewAndSave();
    await until('it is saved', async () => (await lab.builds.get('/api/admin/artifact_stores/edited')).status === 200);
  });
});
