// The page of users in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addRole, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
  await addRole(lab.builds.server, 'release-team', ['viewer']);
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const rowOf = (page: Page, login: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name: login, exact: true }) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choose = (page: Page, login: string) => page.getByRole('checkbox', { name: `Choose ${login}`, exact: true }).check();

it('the page shows the users, with roles and administrators', async () => {
  const page = await lab.visit('/admin/users');
  await rowOf(page, 'admin').getByText('administrator').waitFor();
  await rowOf(page, 'viewer').getByText('release-team').waitFor();
  await lab.assertAccessible(page);
  await page.keyboard.press('/');
  await page.keyboard.type('release');
  await rowOf(page, 'admin').waitFor({ state: 'detached' });
  assert.match(page.url(), /q=release/);
  await lab.assertNarrow(page);
});

it('a user is added and changed, with the refusals of the server', async () => {
  lab.expect(/(400|422) .*\/api\/users/);
  const page = await lab.visit('/admin/users');
  await button(page, 'Add a user').click();
  await page.getByLabel('Login name').fill('viewer');
  await lab.assertAccessible(page);
  await button(page, 'Preview and add …').click();
  await page.getByRole('dialog').getByRole('alert').getByText('already exists').waitFor();
  await page.getByLabel('Login name').fill('jez');
  await page.getByLabel('Mail address').fill('no address');
  await button(page, 'Preview and add …').click();
  await page.getByRole('dialog').getByRole('alert').getByText('Invalid email address').waitFor();
  await page
    .locator('label', { has: page.getByLabel('Mail address') })
    .locator('.field-problems')
    .getByText('Invalid email')
    .waitFor();
  assert.equal(await page.getByLabel('Mail address').getAttribute('aria-invalid'), 'true');
  await lab.assertAccessible(page);
  await page.getByLabel('Send the mails').check();
  await page.getByLabel('Mail address').fill('jez@example.org');
  await page.getByRole('dialog').getByRole('alert').waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('dialog').locator('.field-problems').count(), 0);
  await button(page, 'Preview and add …').click();
  await page.getByText("User 'jez' created").waitFor();
  assert.equal(await rowOf(page, 'jez').count(), 0);
  await lab.assertAccessible(page);
  await button(page, 'Add').click();
  await rowOf(page, 'jez').getByText('jez@example.org').waitFor();
});

it('a change of a user is shown before it is made', async () => {
  lab.expect(/412 .*\/api\/users/);
  await addUser(lab.builds.server, 'jane');
  const page = await lab.visit('/admin/users');
  await button(page, 'jane').click();
  await button(page, 'Preview and save …').click();
  await page.getByText('Nothing would change').waitFor();
  await page.getByLabel('Commits as').fill('Jane S., jane');
  await page.getByText('Nothing would change').waitFor({ state: 'detached' });
  await button(page, 'Preview and save …').click();
  const preview = page.getByRole('region', { name: 'What will change' });
  await preview.getByText("checkin alias 'Jane S.' added").waitFor();
  await lab.assertAccessible(page);
  await lab.assertNarrow(page);
  // Another administrator is faster: the difference is another one now.
  accepted(await lab.builds.server.patch('/api/users/jane', { checkin_aliases: ['J.'] }));
  await button(page, 'Save').click();
  await page.getByRole('dialog').getByRole('alert').getByText('modified').waitFor();
  assert.equal(await page.getByLabel('Commits as').inputValue(), 'Jane S., jane');
  await button(page, 'Preview and save …').click();
  await preview.getByText("checkin alias 'J.' removed").waitFor();
  await button(page, 'Save').click();
  await rowOf(page, 'jane').getByText('Jane S., jane').waitFor();
});

it('a user who is half typed is offered after a reload', async () => {
  const page = await lab.visit('/admin/users');
  await button(page, 'Add a user').click();
  await page.getByLabel('Login name').fill('kent');
  await page.getByLabel('Commits as').fill('Kent B.');
  await page.reload();
  await button(page, 'Add a user').click();
  await page.getByText('You have an unsaved draft').waitFor();
  assert.ok(await page.getByLabel('Login name').isDisabled());
  await lab.assertAccessible(page);
  await button(page, 'Continue').click();
  assert.equal(await page.getByLabel('Commits as').inputValue(), 'Kent B.');
  await button(page, 'Preview and add …').click();
  await button(page, 'Add').click();
  await rowOf(page, 'kent').getByText('Kent B.').waitFor();
  await button(page, 'Add a user').click();
  assert.equal(await page.getByText('unsaved draft').count(), 0);
});

it('a dialog that is closed gives the focus back to what opened it', async () => {
  const page = await lab.visit('/admin/users');
  for (const opener of ['Add a user', 'viewer']) {
    for (const closer of ['Escape', 'Cancel']) {
      await button(page, opener).press('Enter');
      await page.locator('dialog input:focus').waitFor();
      if (closer === 'Escape') await page.keyboard.press(closer);
      else await button(page, closer).press('Enter');
      await button(page, opener).and(page.locator(':focus')).waitFor();
    }
  }
});

it('users are disabled, enabled and deleted in bulk', async () => {
  for (const login of ['one', 'two']) await addUser(lab.builds.server, login);
  const page = await lab.visit('/admin/users');
  await choose(page, 'one');
  await choose(page, 'two');
  await page.getByText('2 chosen').waitFor();
  await button(page, 'Delete …').click();
  await page.getByText('are enabled and can not be deleted').waitFor();
  assert.ok(await button(page, 'Delete').isDisabled());
  await button(page, 'Cancel').click();
  await button(page, 'Disable').click();
  for (const login of ['one', 'two']) await rowOf(page, login).getByText('disabled').waitFor();
  await choose(page, 'one');
  await button(page, 'Enable').click();
  await rowOf(page, 'one').getByText('disabled').waitFor({ state: 'detached' });
  await choose(page, 'one');
  await choose(page, 'two');
  await button(page, 'Delete …').click();
  await lab.assertAccessible(page);
  await button(page, 'Delete').click();
  await rowOf(page, 'two').waitFor({ state: 'detached' });
  await rowOf(page, 'one').waitFor();
});

it('the last administrator is not disabled, in the words of the server', async () => {
  lab.expect(/(400|409|422) .*\/api\/users/);
  const page = await lab.visit('/admin/users?filter=admins');
  await choose(page, 'admin');
  await button(page, 'Disable').click();
  await page.locator('.message.is-failed').waitFor();
  await rowOf(page, 'admin').getByText('enabled').waitFor();
});

it('the page is only for administrators', async () => {
  const page = await lab.visit('/admin/users', { name: 'viewer', password: PASSWORD });
  await page.getByText('Only system administrators see this page').waitFor();
});
