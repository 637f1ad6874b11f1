// The login page, and what happens to users who are not signed in, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/requests/browser-session.ts';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

describe('the login page', () => {
  it('comes first, and leads back to the page that the user opened', async () => {
    const page = await lab.window();
    await page.goto('/agents?q=linux');
    await page.getByRole('heading', { name: 'Slipway' }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await signIn(page);
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    const { pathname, search } = new URL(page.url());
    assert.equal(pathname + search, '/agents?q=linux');
  });

  it('says why a login was refused, and keeps the name', async () => {
    lab.expect(/401 .*\/api\/session/);
    const page = await lab.window();
    await page.goto('/auth/login');
    await signIn(page, { password: 'wrong' });
    await page.getByRole('alert').waitFor();
    assert.match((await page.getByRole('alert').textContent()) ?? '', /user name|password|credentials/i);
    assert.equal(await page.getByLabel('Name').inputValue(), 'admin');
  });

  it('leads a signed-in user on, even if its address names itself', async () => {
    const page = await lab.visit('/auth/login?from=%2Fauth%2Flogin%3Ffrom%3D%252Fagents');
    await page.waitForURL('**/pipelines');
  });

  it('leads to no other site, even if its address names one', async () => {
    for (const from of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const page = await lab.window();
      await page.goto(`/auth/login?from=${encodeURIComponent(from)}`);
      await signIn(page);
      await page.waitForURL('**/pipelines');
    }
  });
});

describe('a session', () => {
  it('ends by signing out, and is over in other windows of the browser at their next request', async () => {
    const page = await lab.visit('/agents');
    const other = await page.context().newPage();
    await other.goto('/agents');
    await other.getByRole('heading', { name: 'Agents' }).waitFor();
    await page.getByRole('button', { name: /preferences/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('a session that is ended elsewhere is over at once, and a new login leads back to the same page', async () => {
    lab.expect(/401 /);
    const page = await lab.visit('/admin/health');
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await lab.builds.server.ask('DELETE', '/api/current_user/sessions');
    await page.getByText('Your session has ended').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Health' }).waitFor();
  });
});

describe('the next user at the same browser', () => {
  /** Gives the browser a session of the administrator instead of its own at once: a request without any would lead to the login. */
  async function replaceSession(page: Page): Promise<void> {
    const browser = new Browser(lab.builds.server);
    await browser.logIn('admin', ADMIN_PASSWORD);
    const [name = ''] = browser.cookie.split('=');
    await page.context().addCookies([{ name, value: browser.token, url: lab.url, httpOnly: true, sameSite: 'Lax' }]);
  }

  it('is shown what they may see, and older windows are theirs, although the session before goes on', async () => {
    const { server } = lab.builds;
    await addUser(server, 'former');
    const page = await lab.visit('/agents', { name: 'former', password: PASSWORD });
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await lab.builds.agent({ hostname: 'seen-by-all' });
    await page.getByText('seen-by-all').first().waitFor();
    await replaceSession(page);
    const next = await page.context().newPage();
    await next.goto('/pipelines');
    await next.getByRole('button', { name: 'admin: preferences' }).waitFor();
    await page.getByRole('button', { name: 'admin: preferences' }).waitFor();
    await lab.builds.pipeline('not-for-former');
    await next.getByText('not-for-former').first().waitFor();
  });

  it('sees the page on the screen as their own, not as the user before saw it', async () => {
    const { server } = lab.builds;
    await addUser(server, 'looker');
    await lab.builds.post('/api/admin/pipeline_groups', { name: 'seen', authorization: { view: { users: ['looker'], roles: [] } } });
    await lab.builds.pipeline('looked-at', {}, 'seen');
    const page = await lab.visit('/pipeline/activity/looked-at', { name: 'looker', password: PASSWORD });
    await page.getByText('You may look, but not run it.').waitFor();
    await replaceSession(page);
    await (await page.context().newPage()).goto('/pipelines');
    await page.getByRole('button', { name: 'admin: preferences' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    assert.equal(await page.getByText('You may look, but not run it.').count(), 0);
  });
});

describe('an address without a page', () => {
  it('says so, and leads on', async () => {
    lab.expect(/404 /);
    const page = await lab.visit('/no/such/page');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('link', { name: 'All pipelines', exact: true }).click();
    await page.waitForURL('**/pipelines');
  });
});

describe('an address of something that is not there', () => {
  const MISSING = [
    '/pipeline/activity/none',
    '/pipelines/value_stream_map/none/1',
    '/pipelines/none/1/build/1',
    '/tab/build/detail/none/1/build/1/compile',
    '/compare/none/1/with/2',
  ];

  it('says so, and leads to all pipelines', async () => {
    lab.expect(/404 /);
    const page = await lab.visit('/pipelines');
    for (const address of MISSING) {
      await page.goto(address);
      await page.getByText('The address may be mistyped').waitFor();
      await page.getByRole('alert').getByRole('link', { name: 'All pipelines' }).click();
      await page.waitForURL('**/pipelines');
    }
    await page.goto(`/materials/value_stream_map/${'0'.repeat(64)}/1`);
    await page.getByRole('alert').getByRole('link', { name: 'All materials' }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('says whom to ask for the right', async () => {
    lab.expect(/403 /);
    await addUser(lab.builds.server, 'stranger');
    await lab.builds.pipeline('web');
    for (const address of ['/pipeline/activity/web', '/pipelines/web/1/build/1']) {
      const page = await lab.visit(address, { name: 'stranger', password: PASSWORD });
      await page.getByText('Ask an administrator for the right to view its group').waitFor();
    }
  });
});

describe('signing in', () => {
  it('says how long to wait after too many failures, and goes on then', async () => {
    lab.expect(/(401|429) .*\/api\/session/);
    const wrong = { as: '', body: { login_name: 'guessed', password: 'wrong' } };
    const refusal = await until('the refusal', async () => {
      const reply = await lab.builds.server.ask('POST', '/api/session', wrong);
      return reply.status === 429 ? reply : undefined;
    });
    assert.match(refusal.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    const page = await lab.window();
    await page.clock.install();
    await page.goto('/auth/login');
    // The answer of the server, but with a fixed time, as the real one may pass before the page is checked.
    const answer = { status: 429, contentType: 'application/json', headers: { 'Retry-After': '120' }, body: refusal.text };
    await page.route('**/api/session', (route) => route.fulfill(answer));
    await signIn(page, { name: 'guessed', password: 'wrong' });
    await page.getByText(/^Too many failed logins\. Wait \d+ seconds, then try again\.$/).waitFor();
    assert.ok(await page.getByRole('button', { name: /^Sign in \(in \d+ s\)$/ }).isDisabled());
    await lab.assertAccessible(page);
    await page.clock.fastForward(121_000);
    await page.getByText('You can try again now.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Sign in', exact: true }).isEnabled());
  });

  it('says when the server is away, and keeps the typed name and password', async () => {
    lab.expect(/ERR_CONNECTION_REFUSED/);
    const page = await lab.window();
    await page.goto('/auth/login');
    await page.route('**/api/session', (route) => route.abort('connectionrefused'));
    await signIn(page);
    await page.getByText('The server cannot be reached. Nothing is wrong with what you typed').waitFor();
    await page.unroute('**/api/session');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/pipelines');
  });

  it('can be done for the first time: the page says where the password is', async () => {
    const page = await lab.window({ width: 360 });
    await page.goto('/auth/login');
    await page.getByText('The first password of a new server').click();
    await page.getByText('cat data/initial-admin-password').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });
});

describe('the page about the server', () => {
  it('shows its version, and where to read more', async () => {
    const page = await lab.visit('/about');
    await page.getByRole('heading', { name: 'About this server' }).waitFor();
    await page.getByText(/Slipway \d+\.\d+/).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.getByRole('link', { name: 'The API' }).click();
    await page.waitForURL('**/api/docs');
  });
});
