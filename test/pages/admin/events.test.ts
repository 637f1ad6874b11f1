// Events and audit in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
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

const environment = async (name: string) => accepted(await lab.builds.server.post('/api/admin/environments', { name }));
/** Comes from another page, so that the stream is open: a page reads its answers anew when it opens, and new events with them. */
async function openEvents(): Promise<Page> {
  const page = await lab.visit('/admin');
  const link = page.getByRole('main').getByRole('link', { name: 'Events', exact: true });
  await link.waitFor();
  await page.getByText('Connecting …').waitFor({ state: 'detached' });
  await link.click();
  return page;
}

it('the page shows events, new events behind a button, and how to verify them', async () => {
  await environment('staging');
  const page = await openEvents();
  await page.getByText('create environments staging').waitFor();
  await environment('late');
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByText('create environments late').waitFor();
  await page.getByRole('button', { name: /new$/ }).waitFor({ state: 'detached' });
  await page.getByText('Check the events for tampering').click();
  const { json } = await lab.builds.get('/api/admin/events?page_size=1');
  const { number, hash } = json._embedded.events[0];
  await page.getByText(`--expect ${number}:${hash}`, { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Check all events' }).click();
  await page.getByText(/^All \d+ events are as they were written, from /).waitFor();
  await lab.assertAccessible(page);
  await lab.assertNarrow(page);
});

it('an event is opened by the keyboard, with all its details', async () => {
  const page = await lab.visit('/admin/events?resource=environments&id=stag*');
  const row = page.getByRole('row').filter({ hasText: 'create environments staging' });
  await row.getByRole('button').press('Enter');
  await page.getByText('changes_digest').waitFor();
  assert.match(page.url(), /open=\d+/);
  await lab.assertAccessible(page);
  await page.getByRole('button', { name: 'Copy number and hash' }).waitFor();
});

it('events are filtered by type, actor and subject, with the filter in the address', async () => {
  const page = await lab.visit('/admin/events?actor=nobody-of-this-name');
  await page.getByText('No event matches').waitFor();
  await page.getByLabel('Who').fill('admin');
  await page.keyboard.press('Enter');
  await page.getByText('create environments staging').waitFor();
  await page.getByLabel('What').selectOption('Maintenance mode');
  await page.getByText('No event matches').waitFor();
  assert.match(page.url(), /type=maintenance_mode/);
});

it('new events are counted only if they match the filter', async () => {
  const page = await openEvents();
  await page.getByLabel('What').selectOption('Maintenance mode');
  await page.getByText('No event matches').waitFor();
  await environment('other');
  await lab.builds.post('/api/admin/maintenance_mode/enable', { reason: 'new disk' });
  await lab.builds.post('/api/admin/maintenance_mode/disable');
  await page.getByRole('button', { name: '2 new' }).click();
  await page.getByText('maintenance_mode.enabled').waitFor();
});

it('an event that a link names is shown, though the list does not have it', async () => {
  const page = await lab.visit('/admin/events?type=maintenance_mode.*&open=1');
  await page.getByRole('heading', { name: 'Event 1: events.begun' }).waitFor();
  await lab.assertAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Event 1: events.begun' }).waitFor({ state: 'detached' });
});

it('the page is only for administrators', async () => {
  const page = await lab.visit('/admin/events', { name: 'viewer', password: PASSWORD });
  await page.getByText('Only system administrators see this page').waitFor();
});
