// Outgoing webhooks in a real browser, with a real receiver.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Receiver, SECRET, signatureProblems } from '../../events/receiver.ts';
import { accepted } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
let receiver: Receiver;
before(async () => {
  receiver = await Receiver.start();
  lab = await BrowserLab.start({ 'allow-private-webhooks': 'true' });
});
after(async () => {
  await lab?.stop();
  await receiver.stop();
});
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const act = async (page: Page, action: string) => {
  await button(page, 'Actions of chat').click();
  await page.getByRole('menuitem', { name: action }).click();
};
/** The problem that the server found in a field, beside it. */
const problemOf = (page: Page, label: string, text: string) =>
  page
    .locator('.form-field', { has: page.getByLabel(label) })
    .locator('.field-problems')
    .getByText(text);
const environment = async (name: string) => accepted(await lab.builds.server.post('/api/admin/environments', { name }));

it('a webhook is added, with problems beside their fields', async () => {
  lab.expect(/422 .*\/api\/admin\/webhooks/);
  const page = await lab.visit('/admin/webhooks');
  await page.getByText('There is no webhook yet').waitFor();
  await lab.assertAccessible(page);
  await button(page, 'Add a webhook').click();
  await page.getByLabel('Name').fill('chat');
  await page.getByLabel('Address').fill('ftp://example.org');
  await page.getByLabel('Secret').fill(SECRET);
  await page.getByLabel('Types of events').fill('nothing.such');
  await button(page, 'Preview and save …').click();
  await problemOf(page, 'Address', 'must begin with https://').waitFor();
  await problemOf(page, 'Types of events', 'no events of the type').waitFor();
  await lab.assertAccessible(page);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Types of events').fill('configuration.*');
  await button(page, 'Preview and save …').click();
  await button(page, 'Save').click();
  await page.getByText('types: configuration.*').waitFor();
  assert.ok(!(await page.content()).includes(SECRET));
  await lab.assertNarrow(page);
});

it('a webhook is tried out, shows its deliveries, and delivers again', async () => {
  const page = await lab.visit('/admin/webhooks?open=chat');
  await act(page, 'Send a test event');
  await page.getByText('chat took the test event').waitFor();
  assert.deepEqual(signatureProblems(receiver.received.at(-1)!), []);
  await environment('staging');
  const deliveries = page.getByRole('table', { name: 'Deliveries of chat' });
  await deliveries.getByText('configuration.changed').first().waitFor();
  await lab.assertAccessible(page);
  const { event } = receiver.received.at(-1)!;
  await act(page, 'Deliver again …');
  await page.getByLabel('From event number').fill(String(event.number));
  await lab.assertAccessible(page);
  await button(page, 'Deliver').click();
  await receiver.until(() => receiver.numbers.filter((number) => number === event.number).length === 2);
  await deliveries
    .getByRole('link', { name: `${event.number} configuration.changed` })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.getByText(event.hash, { exact: true }).waitFor();
});

it('the page says why deliveries fail, and skips the waiting events', async () => {
  const page = await lab.visit('/admin/webhooks?open=chat');
  receiver.answer = (response) => void response.writeHead(500).end();
  await environment('failing');
  await page
    .getByText(/failing: \d+ tr/)
    .first()
    .waitFor();
  await lab.assertAccessible(page);
  const { json } = await lab.builds.get('/api/admin/events?page_size=1');
  await act(page, 'Deliver again …');
  await page.getByLabel('From event number').fill(String(json._embedded.events[0].number + 1));
  await button(page, 'Deliver').click();
  await page.getByText('all delivered').first().waitFor();
  receiver.answer = (response) => void response.writeHead(204).end();
});

it('a stored secret that cannot be kept is reported beside its field', async () => {
  lab.expect(/422 .*\/api\/admin\/webhooks/);
  const page = await lab.visit('/admin/webhooks');
  await act(page, 'Change …');
  // The secret is not sent to another server.
  await page.getByLabel('Address').fill('https://other.example.org/hook');
  await button(page, 'Preview and save …').click();
  await problemOf(page, 'Secret', 'Encrypted value for secret').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Secret, by which deliveries are signed: Encrypted value' }).waitFor();
  await lab.assertAccessible(page);
  await page.getByLabel('Address').fill(receiver.url);
  await button(page, 'Cancel').click();
});

it('a webhook is changed without typing its secret again, and deleted', async () => {
  lab.expect(/412 .*\/api\/admin\/webhooks/);
  const page = await lab.visit('/admin/webhooks');
  await act(page, 'Change …');
  // The dialog is open, so it has read the webhook as it was.
  await page.getByLabel('Done by').fill('jez');
  const current = await lab.builds.get('/api/admin/webhooks/chat');
  accepted(await lab.builds.server.put('/api/admin/webhooks/chat', { ...current.json, enabled: false }, current.etag));
  await button(page, 'Preview and save …').click();
  await page.getByRole('columnheader', { name: 'Theirs' }).waitFor();
  await button(page, 'Look at theirs').click();
  await button(page, 'Continue').click();
  assert.equal(await page.getByLabel('Done by').inputValue(), 'jez');
  assert.equal(await page.getByLabel('Secret').inputValue(), 'set, not shown');
  // The typed webhook is still enabled.
  await page.getByLabel(/^Enabled/).uncheck();
  await button(page, 'Preview and save …').click();
  await button(page, 'Save').click();
  await page.getByText('actors: jez').waitFor();
  await page.getByText('disabled', { exact: true }).waitFor();
  await act(page, 'Delete …');
  await page.getByLabel('Reason, for the change log').fill('moved to mail');
  await lab.assertAccessible(page);
  await button(page, 'Delete').click();
  await page.getByText('There is no webhook yet').waitFor();
  await button(page, 'Undo').last().click();
  await page.getByText('actors: jez').waitFor();
});

it('a webhook is shown at an earlier revision, and cannot be changed there', async () => {
  const page = await lab.visit('/admin/webhooks?at=1');
  await page.getByText('There was no webhook then.').waitFor();
  const { revision } = (await lab.builds.get('/api/admin/config/entities/webhooks/chat/history')).json._embedded.revisions.at(-1);
  await page.goto(`/admin/webhooks?at=${revision}`);
  await page.getByText('types: configuration.*').waitFor();
  await page.getByText(`You are looking at revision ${revision}`).waitFor();
  assert.equal(await button(page, 'Add a webhook').count(), 0);
  await lab.assertAccessible(page);
  await page.getByRole('link', { name: 'chat', exact: true }).click();
  await page.getByRole('heading', { name: 'chat' }).waitFor();
  assert.equal(await button(page, 'Preview and save …').count(), 0);
});
