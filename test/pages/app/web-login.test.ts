// Logins at a real OpenID Connect provider, and the sessions of all users, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import { CLIENT_ID, CLIENT_SECRET, OpenIdProvider } from '../../support/services/openid-provider.ts';
import { BrowserLab } from '../browser-lab.ts';

const ID = 'staff';

let lab: BrowserLab;
let provider: OpenIdProvider;
before(async () => {
  lab = await BrowserLab.start();
  provider = await OpenIdProvider.start({
    clientUrl: lab.url,
    authConfigId: ID,
    people: { carol: { name: 'Carol Coder', email: 'carol@example.org', groups: ['everybody'] } },
  });
  const settings = { Issuer: provider.issuer, ClientId: CLIENT_ID, ClientSecret: CLIENT_SECRET, PublicName: 'the company account' };
  accepted(
    await lab.builds.server.post('/api/admin/security/auth_configs', {
      id: ID,
      plugin_id: 'slipway.authorization.oidc',
      allow_only_known_users_to_login: false,
      properties: Object.entries(settings).map(([key, value]) => ({ key, value })),
    }),
  );
  lab.expect(new RegExp(`a request to ${provider.issuer}`));
  // The pages of the provider want a font from elsewhere.
  lab.expect(/fonts\.googleapis\.com/);
});
after(async () => {
  await lab?.stop();
  await provider?.stop();
});
afterEach(() => lab.assertQuiet());

async function atLogin(address: string): Promise<Page> {
  const page = await lab.window();
  await page.route(/fonts\.googleapis\.com/, (route) => route.abort());
  await page.goto(address);
  await page.getByRole('link', { name: 'Sign in with the company account' }).waitFor();
  return page;
}

describe('the login page', () => {
  it('has a button for the provider beside the password, which leads to its login and back; signing out ends both sessions', async () => {
    const page = await atLogin('/agents?q=linux');
    await page.getByLabel('Password').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Sign in with the company account' }).press('Enter');
    await page.getByPlaceholder('Enter any login').fill('carol');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/agents?q=linux');
    await page.getByRole('button', { name: 'Carol Coder: preferences' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('link', { name: 'Sign in with the company account' }).waitFor();
    assert.equal(new URL(page.url()).origin, lab.url);
    // The provider has ended its session, too.
    await page.getByRole('link', { name: 'Sign in with the company account' }).click();
    await page.getByPlaceholder('Enter any login').waitFor();
  });

  it('says in words why the login failed, and never repeats the text in the link', async () => {
    const page = await atLogin(`/auth/login?failure=away&source=${ID}`);
    assert.match((await page.getByRole('alert').textContent())!, /^the company account cannot be reached now/i);
    await lab.assertAccessible(page);
    const other = await atLogin('/auth/login?failure=Call%20555-EVIL&source=evil');
    assert.equal(await other.getByRole('alert').count(), 0);
    assert.ok(!(await other.content()).includes('555-EVIL'));
  });
});

describe('a server without passwords', () => {
  it('has no form for name and password', async () => {
    const page = await lab.window();
    const login_sources = [{ id: ID, label: 'the company account' }];
    await page.route('**/api/login_sources', (route) => route.fulfill({ json: { takes_passwords: false, _embedded: { login_sources } } }));
    await page.goto('/auth/login');
    await page.getByRole('link', { name: 'Sign in with the company account' }).waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
  });
});

describe('the sessions of all users', () => {
  it('are listed with their source, and can be ended', async () => {
    const carol = await atLogin('/agents');
    await carol.getByRole('link', { name: 'Sign in with the company account' }).click();
    await carol.getByPlaceholder('Enter any login').fill('carol');
    await carol.getByPlaceholder('and password').fill('any');
    await carol.getByRole('button', { name: 'Sign-in' }).click();
    await carol.getByRole('heading', { name: 'Agents' }).waitFor();
    const page = await lab.visit('/admin/sessions');
    const row = page.getByRole('row').filter({ hasText: 'carol' });
    await row.getByText(ID, { exact: true }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    lab.expect(/401 /);
    await row.getByRole('button', { name: /End the session of carol/ }).click();
    await page.getByText('The session has ended.').waitFor();
    await row.waitFor({ state: 'detached' });
    await carol.reload();
    await carol.getByRole('link', { name: 'Sign in with the company account' }).waitFor();
  });
});
