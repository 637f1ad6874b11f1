// Access tokens and sessions in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addUser, PASSWORD, tokenOf } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
let viewer: string;
before(async () => {
  lab = await BrowserLab.start();
  viewer = await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const VIEWER = { name: 'viewer', password: PASSWORD };
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('own tokens', () => {
  it('are made by the keyboard, shown once, and let in', async () => {
    const page = await lab.visit('/access_tokens', VIEWER);
    await page.getByText('You have no access token yet').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Create a token').press('Enter');
    // The dialog gets the focus once it is drawn; keys typed before go to the page.
    await page.getByLabel('What is it for?').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('nightly');
    await page.keyboard.press('Enter');
    await page.getByText('it is not shown again').waitFor();
    await lab.assertAccessible(page);
    const secret = (await page.getByRole('dialog').locator('pre').first().textContent()) ?? '';
    assert.equal((await lab.builds.server.get('/api/current_user', { as: `Bearer ${secret}` })).status, 200);
    await button(page, 'I have copied it').click();
    await rowOf(page, 'nightly').waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await lab.assertNarrow(page);
  });

  it('are revoked with a reason, and found by state and words in the address', async () => {
    const page = await lab.visit('/access_tokens?q=night', VIEWER);
    await page.getByRole('button', { name: 'Revoke nightly' }).click();
    await page.getByLabel('Why?').fill('it leaked');
    await lab.assertAccessible(page);
    await button(page, 'Revoke').click();
    await page.getByText('No token matches').waitFor();
    await page.getByLabel('Which tokens').selectOption('Revoked');
    await rowOf(page, 'nightly').getByText('it leaked').waitFor();
    assert.match(page.url(), /filter=revoked/);
    await lab.assertAccessible(page);
  });

  it('need a description, which the server asks for beside the field', async () => {
    lab.expect(/422 .*access_tokens/);
    const page = await lab.visit('/access_tokens', VIEWER);
    await button(page, 'Create a token').click();
    await page.getByLabel('What is it for?').fill('  ');
    await button(page, 'Create').click();
    await page.getByRole('dialog').getByRole('alert').getByText("'description' must not be blank").waitFor();
  });
});

describe('dialogs and the mouse', () => {
  /** Presses the button of the mouse on an element, and releases it beside the dialog. */
  const dragOut = async (page: Page, from: Locator): Promise<void> => {
    const box = (await from.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(5, 300, { steps: 3 });
    await page.mouse.up();
  };

  it('typed text stays when a selection of it ends beside the dialog, and a click there closes it', async () => {
    const page = await lab.visit('/access_tokens', VIEWER);
    await button(page, 'Create a token').click();
    const field = page.getByLabel('What is it for?');
    await field.fill('typed');
    await dragOut(page, field);
    assert.equal(await field.inputValue(), 'typed');
    await page.mouse.click(5, 300);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a new token is shown until the button says that it is copied', async () => {
    const page = await lab.visit('/access_tokens', VIEWER);
    await button(page, 'Create a token').click();
    await page.getByLabel('What is it for?').fill('copied by mouse');
    await button(page, 'Create').click();
    const secret = page.getByRole('dialog').locator('pre').first();
    await secret.waitFor();
    await dragOut(page, secret);
    await page.mouse.click(5, 300);
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    // The browser may have closed it for a moment.
    await secret.waitFor();
    await button(page, 'I have copied it').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('limited tokens', () => {
  it('are made with scopes and an end, show them, and are rotated', async () => {
    const page = await lab.visit('/access_tokens', VIEWER);
    await button(page, 'Create a token').click();
    await page.getByLabel('What is it for?').fill('watcher');
    await page.getByLabel('Expires').selectOption('in 30 days');
    await page.getByLabel('Scopes, one in each line').fill('agents:view:*');
    await lab.assertAccessible(page);
    await button(page, 'Create').click();
    await page.getByText('it is not shown again').waitFor();
    const secret = (await page.getByRole('dialog').locator('pre').first().textContent()) ?? '';
    const as = `Bearer ${secret}`;
    assert.equal((await lab.builds.server.get('/api/agents', { as })).status, 200);
    assert.equal((await lab.builds.server.get('/api/dashboard', { as })).status, 403);
    await button(page, 'I have copied it').click();
    await rowOf(page, 'watcher').getByText('1 scope').waitFor();
    await page.getByRole('button', { name: 'Details of watcher' }).click();
    await page.getByRole('dialog').getByText('agents:view:*').first().waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Close').first().click();
    await page.getByRole('button', { name: 'Rotate watcher' }).click();
    await page.getByLabel('The old one ends').selectOption('at once');
    await button(page, 'Rotate').click();
    await page.getByText('it is not shown again').waitFor();
    await button(page, 'I have copied it').click();
    assert.equal((await lab.builds.server.get('/api/agents', { as })).status, 401);
    await lab.assertNarrow(page);
  });
});

describe('service accounts', () => {
  it('are added, get tokens, and are deleted', async () => {
    const page = await lab.visit('/admin/service_accounts');
    await page.getByText('There is no service account yet').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Add a service account').click();
    await page.getByLabel('Name').fill('release-bot');
    await page.getByLabel('What is it for?').fill('publishes releases');
    await button(page, 'Preview and add …').click();
    await page.getByText("Service account 'release-bot' created").waitFor();
    await button(page, 'Add').click();
    await rowOf(page, 'publishes releases').waitFor();
    await page.getByRole('button', { name: 'Tokens: release-bot' }).click();
    await page.getByText('release-bot has no access token yet').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Create a token').click();
    await page.getByLabel('What is it for?').fill('publish');
    await button(page, 'Create').click();
    await page.getByText('it is not shown again').waitFor();
    const secret = (await page.getByRole('dialog').locator('pre').first().textContent()) ?? '';
    await button(page, 'I have copied it').click();
    await rowOf(page, 'publish').first().waitFor();
    await lab.assertNarrow(page);
    const me = () => lab.builds.server.get('/api/current_user', { as: `Bearer ${secret}` });
    assert.equal((await me()).json.login_name, 'release-bot');
    await page.getByRole('button', { name: 'Delete: release-bot' }).click();
    await button(page, 'Delete').click();
    await page.getByText('There is no service account yet').waitFor();
    assert.equal((await me()).status, 401);
  });

  it('are only for administrators', async () => {
    const page = await lab.visit('/admin/service_accounts', VIEWER);
    await page.getByRole('heading', { name: 'Service accounts' }).waitFor();
    assert.equal(await button(page, 'Add a service account').count(), 0);
  });
});

describe('sessions', () => {
  it('are listed, and ended one by one or all other sessions at once', async () => {
    lab.expect(/401 /);
    const page = await lab.visit('/access_tokens', VIEWER);
    await page.getByText('this one').waitFor();
    const elsewhere = await lab.visit('/agents', VIEWER);
    await elsewhere.getByRole('heading', { name: 'Agents' }).waitFor();
    await page.reload();
    await page.getByText('You are signed in elsewhere').waitFor();
    await lab.assertAccessible(page);
    await page
      .getByRole('button', { name: /^End the session of Chrome/ })
      .first()
      .click();
    await page.getByText('The session has ended').waitFor();
    await button(page, 'End all others').click();
    await page.getByText('You are signed in elsewhere').waitFor({ state: 'detached' });
    await elsewhere.getByText('Your session has ended').waitFor();
    await page.getByText('this one').waitFor();
  });

  it('are reached from the menu', async () => {
    const page = await lab.visit('/agents', VIEWER);
    await page.getByRole('button', { name: /preferences/ }).click();
    await page.getByRole('menuitem', { name: 'Access tokens and sessions' }).click();
    await page.getByRole('heading', { name: 'Browser sessions' }).waitFor();
  });
});

describe('tokens of all users', () => {
  it('are seen and revoked by administrators', async () => {
    await tokenOf(lab.builds.server, viewer);
    const page = await lab.visit('/admin/admin_access_tokens?q=viewer');
    await rowOf(page, 'for tests').getByText('viewer').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.getByRole('button', { name: 'Revoke for tests' }).click();
    await page.getByLabel('Why?').fill('viewer has left');
    await button(page, 'Revoke').click();
    await rowOf(page, 'for tests').waitFor({ state: 'detached' });
    const { json } = await lab.builds.get('/api/admin/access_tokens?filter=revoked');
    assert.ok(json._embedded.access_tokens.some((token: { revoke_cause: string }) => token.revoke_cause === 'viewer has left'));
  });

  it('are not for other users: the page says so', async () => {
    const page = await lab.visit('/admin/admin_access_tokens', VIEWER);
    await page.getByText('Only system administrators see this page').waitFor();
    await lab.assertAccessible(page);
  });
});
