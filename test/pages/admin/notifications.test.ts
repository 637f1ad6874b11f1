// Notification filters and mail settings of the own user, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

const VIEWER = { name: 'viewer', password: PASSWORD };

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
  await lab.builds.pipeline('web');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

it('the page says that no mail server is configured, and leads administrators to its settings', async () => {
  lab.expect(/400 .*notification_filters|404 .*mailserver/);
  const page = await lab.visit('/preferences/notifications', VIEWER);
  await page.getByText('SMTP settings are currently not configured').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Configure the mail server' }).count(), 0);
  await lab.assertAccessible(page);
  const own = await lab.visit('/preferences/notifications');
  await own.getByRole('link', { name: 'Configure the mail server' }).click();
  await own.getByRole('heading', { name: 'Mail server' }).waitFor();
});

it('filters are added, changed and deleted, with the refusals of the server', async () => {
  lab.expect(/422 .*notification_filters/);
  const mail = { hostname: 'mail.example.org', port: 25, sender_email: 'slipway@example.org', admin_email: 'admin@example.org' };
  accepted(await lab.builds.server.post('/api/config/mailserver', mail));
  const page = await lab.visit('/preferences/notifications', VIEWER);
  await page.getByText('You get no mail about stages yet').waitFor();
  await lab.assertAccessible(page);
  await button(page, 'Add a filter').click();
  await page.getByLabel('Pipeline optional', { exact: true }).fill('no-such');
  await inDialog(page, 'Preview and save …').click();
  await page.getByRole('dialog').getByRole('alert').getByText("Pipeline with name 'no-such' was not found").waitFor();
  await lab.assertAccessible(page);
  await page.getByLabel('Pipeline optional', { exact: true }).fill('web');
  await page.getByLabel('What happens').selectOption('fails');
  // Not from the start: a user who has entered no names to commit as would get no mail.
  await page.getByLabel('Only when the run has a commit of mine').check();
  await inDialog(page, 'Preview and save …').click();
  await page.getByText('Notification filter created').waitFor();
  await inDialog(page, 'Save').click();
  await page.getByText('No mail is sent: enter your mail address below.').waitFor();
  await page.getByText('Filters for your own commits find none').waitFor();
  await button(page, 'any stage of web').click();
  await page.getByLabel('Stage optional', { exact: true }).fill('test');
  await page.getByLabel('Only when the run has a commit of mine').uncheck();
  await inDialog(page, 'Preview and save …').click();
  await page.getByRole('dialog').getByText('stage', { exact: false }).first().waitFor();
  await inDialog(page, 'Save').click();
  await page.getByRole('row').filter({ hasText: 'stage test of web' }).getByText('of any author').waitFor();
  await page.getByText('Filters for your own commits find none').waitFor({ state: 'detached' });
  await lab.assertAccessible(page);
  await lab.assertNarrow(page);
  await button(page, 'Delete the filter for stage test of web').click();
  await page.getByText('You get no mail about stages yet').waitFor();
});

it('a user sets the address of their own mail', async () => {
  lab.expect(/400 .*current_user/);
  const page = await lab.visit('/preferences/notifications', VIEWER);
  await page.getByLabel('Mail address').fill('nowhere');
  await button(page, 'Preview and save …').click();
  await page.locator('label', { hasText: 'Mail address' }).locator('.field-problems').getByText('Invalid email address').waitFor();
  await lab.assertAccessible(page);
  await page.getByLabel('Mail address').fill('viewer@example.org');
  await page.getByText('Invalid email address').waitFor({ state: 'detached' });
  await page.getByLabel('Send the mails').check();
  await page.getByLabel('Commits as').fill('Vi Ewer');
  await page.reload();
  await button(page, 'Continue').click();
  await button(page, 'Preview and save …').click();
  await page.getByText('viewer@example.org').first().waitFor();
  await lab.assertAccessible(page);
  await button(page, 'Save').click();
  await page.getByText('Your mail settings are saved').waitFor();
  await page.reload();
  assert.equal(await page.getByLabel('Mail address').inputValue(), 'viewer@example.org');
  assert.equal(await page.getByLabel('Commits as').inputValue(), 'Vi Ewer');
  assert.ok(await page.getByLabel('Send the mails').isChecked());
});
