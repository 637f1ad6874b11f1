// The configuration as XML in the editor, and the results of its checks.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkResultOf } from '../../../pages/config-xml/document.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

it('a refusal names mistakes with their places, or a conflict with another user', () => {
  const mistake = { line: 3, column: 5, message: 'Name is required' };
  const answer = { result: 'line 3: Name is required', errors: [mistake] };
  assert.deepEqual(checkResultOf({ status: 404, message: '', answer }), { is: 'wrong', mistakes: [mistake], message: answer.result });
  const conflict = checkResultOf({ status: 409, message: '', answer: { result: 'Others' } });
  assert.deepEqual(conflict, { is: 'in conflict', mistakes: [], message: 'Others' });
  assert.deepEqual(checkResultOf({ status: 0, message: 'Away', answer: undefined }), { is: 'unknown', message: 'Away' });
});

describe('the page', () => {
  let lab: BrowserLab;
  before(async () => {
    lab = await BrowserLab.start();
    await addUser(lab.builds.server, 'viewer');
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'live' }));
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'idle' }));
  });
  after(() => lab?.stop());
  afterEach(() => lab.endTest());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Configuration as XML' });
  const names = async () =>
    accepted(await lab.builds.get('/api/admin/environments'))
      .json._embedded.environments.map(nameOf)
      .toSorted();
  const nameOf = ({ name }: { readonly name: string }) => name;
  /** Finds a text by the search of the editor, and types over it. */
  const replace = async (page: Page, text: string, by: string): Promise<void> => {
    await editor(page).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.type(by);
  };

  it('shows the document, checks it while the user types, and saves it after a preview', async () => {
    lab.expect(/404 .*config\.xml/);
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('live').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    // Where it does not fit, it is scrolled by the keyboard.
    await page.setViewportSize({ width: 1280, height: 300 });
    await lab.assertAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await replace(page, 'name="live"', 'name="g p"');
    await page.getByRole('button', { name: /^line \d+$/ }).waitFor();
    await page.getByText('1 mistake.').waitFor();
    await lab.assertAccessible(page);
    await replace(page, 'name="g p"', 'name="production"');
    await page.getByText('No mistakes. 2 entities would change.').waitFor();
    assert.deepEqual(await names(), ['idle', 'live']);
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog');
    await dialog.getByText("Environment config 'production' created").waitFor();
    await lab.assertAccessible(page);
    await page.getByLabel('Reason').fill('A better name');
    await button(page, 'Save').click();
    await page.getByText(/Saved, as revision/).waitFor();
    assert.deepEqual(await names(), ['idle', 'production']);
    await page.getByText('Nothing is changed.').waitFor();
    await editor(page).getByText('production').waitFor();
  });

  it('merges the changes that other users made meanwhile', async () => {
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('production').waitFor();
    await replace(page, 'name="production"', 'name="live"');
    await page.getByText('No mistakes').waitFor();
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'late' }));
    await page.getByText('The configuration has changed since').waitFor();
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByText("Environment config 'live' created").waitFor();
    await button(page, 'Save').click();
    await page.getByText(/Saved, as revision/).waitFor();
    assert.deepEqual(await names(), ['idle', 'late', 'live']);
  });

  it('says in words when another user has changed the same entity', async () => {
    lab.expect(/409 .*config\.xml/);
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('idle').waitFor();
    const { etag } = accepted(await lab.builds.get('/api/admin/environments/idle'));
    const body = { name: 'idle', environment_variables: [{ name: 'BY', value: 'others' }] };
    accepted(await lab.builds.server.put('/api/admin/environments/idle', body, etag));
    await replace(page, 'name="idle"', 'name="busy"');
    await page.getByText('Others have changed the same.').waitFor();
    await page.getByText(/idle.*changed by admin.*and deleted in this file/).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    assert.ok(await button(page, 'Save').isDisabled());
    await button(page, 'Cancel').click();
    await button(page, 'Discard mine and load the newest').click();
    await editor(page).getByText('others').waitFor();
  });

  it('keeps the typed text while another page is open, and discards it when told to', async () => {
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('late').waitFor();
    await replace(page, 'name="late"', 'name="later"');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await page.goBack();
    await editor(page).getByText('later').waitFor();
    await button(page, 'Discard').click();
    await editor(page).getByText('later').waitFor({ state: 'detached' });
    await page.getByText('Nothing is changed.').waitFor();
  });

  it('offers the typed text after a reload, to its user alone, and keeps no secret in clear', async () => {
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('late').waitFor();
    await replace(page, 'name="late"', 'name="after-hush"');
    const stored = () => page.evaluate(() => localStorage.getItem('draft admin config_xml'));
    await until('the draft is kept', async () => (await stored()) !== null);
    assert.doesNotMatch((await stored())!, /hush/);
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'meanwhile' }));
    await page.reload();
    await page.getByText('You have an unsaved draft').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Continue').click();
    await editor(page).getByText('after-hush').waitFor();
    await page.getByText('The configuration has changed since').waitFor();
    await page.getByText('No mistakes. 2 entities would change.').waitFor();
    await button(page, 'Discard').click();
    await editor(page).getByText('after-hush').waitFor({ state: 'detached' });
    assert.equal(await stored(), null);
    await page.reload();
    await editor(page).getByText('meanwhile').waitFor();
    assert.equal(await page.getByText('You have an unsaved draft').count(), 0);
  });

  it('shows the document at an earlier revision, which cannot be changed, and how to clone it', async () => {
    const page = await lab.visit('/admin/config_xml?at=1');
    await page.getByText('You are looking at revision 1').waitFor();
    await editor(page).waitFor();
    assert.equal(await editor(page).getByText('late').count(), 0);
    assert.equal(await button(page, 'Preview and save …').count(), 0);
    await page.getByText('Clone the history with git').click();
    await page.getByText(`git clone ${lab.url}/api/config-repository.git`).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Back to now').click();
    await editor(page).getByText('late').waitFor();
  });

  it('can be read where a bracket has no other', async () => {
    lab.expect(/404 .*config\.xml/);
    const page = await lab.visit('/admin/config_xml');
    await editor(page).getByText('cruise').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('<oops');
    await page.locator('.cm-nonmatchingBracket').first().waitFor();
    await lab.assertAccessible(page);
  });

  it('is only for administrators', async () => {
    const page = await lab.visit('/admin/config_xml', { name: 'viewer', password: PASSWORD });
    await page.getByText('Only system administrators').waitFor();
  });
});
