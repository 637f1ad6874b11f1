// Pages under attack, in a real browser: other sites, frames, script in names, the policy, and sessions that end.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stage } from '../../builds/run-lab.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

const SCRIPT = '<img src=x onerror="globalThis.wasAttacked=1"><script>globalThis.wasAttacked=1</script>';
const authorization = (view: string[]) => ({ view: { users: view, roles: [] }, operate: { users: [], roles: [] } });

/** The actions of an attacker who has found a way into the page. */
const attack = `(address) => {
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => globalThis.violations.push(violatedDirective));
  const made = (tag, more) => Object.assign(document.createElement(tag), more);
  const link = made('a');
  link.setAttribute('onclick', 'globalThis.wasAttacked = 1');
  const inline = made('script', { textContent: 'globalThis.wasAttacked = 1' });
  document.body.append(inline, made('script', { src: address }), made('img', { src: address }), made('iframe', { src: address }), link);
  link.click();
  fetch(address).catch(() => undefined);
}`;

let lab: BrowserLab;
let otherSite: Server;
let otherSiteUrl: string;
before(async () => {
  lab = await BrowserLab.start();
  const { server } = lab.builds;
  await addUser(server, 'viewer');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'shop', authorization: authorization(['viewer']) }));
  await lab.builds.origin.commit(`${SCRIPT} in a message`, { 'readme.md': '2' });
  const material = { ...lab.builds.material, attributes: { ...lab.builds.material.attributes, name: 'repo' } };
  await lab.builds.pipeline('web', { materials: [material], label_template: `1-${'$'}{COUNT}`, stages: [stage('test')] });
  await lab.builds.poll();
  await lab.builds.run('web', 1);
  otherSite = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Elsewhere</p>'),
  );
  await new Promise<void>((resolve) => otherSite.listen(0, '127.0.0.1', resolve));
  otherSiteUrl = `http://127.0.0.1:${(otherSite.address() as AddressInfo).port}/`;
});
after(async () => {
  otherSite?.close();
  otherSite?.closeAllConnections();
  await lab?.stop();
});
afterEach(() => lab.endTest());

const isPaused = async (): Promise<boolean> => accepted(await lab.builds.get('/api/pipelines/web/status')).json.paused === true;
const sessionCookieOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === 'slipway_session')!;

/** A window with a login, at a page of another site. */
async function elsewhere(): Promise<Page> {
  const page = await lab.visit('/pipelines');
  await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  await page.goto(otherSiteUrl);
  return page;
}

describe('a page of another site', () => {
  before(() => lab.expect(/favicon|a request to|CORS|403|ERR_FAILED|401|X-Frame-Options|frame-ancestors|Refused to/));

  it('cannot change anything by a form', async () => {
    const page = await elsewhere();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      await page.goto(otherSiteUrl);
      await page.setContent(
        `<form method="post" action="${lab.url}/api/pipelines/web/pause" enctype="${type}"><input name='{"pause_cause":"' value='"}'><button>Win</button></form>`,
      );
      const answered = page.waitForResponse((response) => response.url().endsWith('/pause'));
      await page.getByRole('button', { name: 'Win' }).click();
      assert.ok([401, 403].includes((await answered).status()), type);
      await page.waitForURL('**/pause');
    }
    assert.equal(await isPaused(), false);
  });

  it('can neither read nor change anything by a script', async () => {
    const page = await elsewhere();
    const attempt = (path: string, options: object) =>
      page.evaluate(
        async ([address, more]) => {
          try {
            const response = await fetch(address as string, { credentials: 'include', ...(more as object) });
            return `${response.type} ${response.status} ${await response.text()}`;
          } catch {
            return 'refused';
          }
        },
        [`${lab.url}${path}`, options] as const,
      );
    assert.equal(await attempt('/api/session', {}), 'refused');
    assert.equal(await attempt('/api/dashboard/rows', { mode: 'no-cors' }), 'opaque 0 ');
    const body = '{"pause_cause":"attacked"}';
    assert.equal(await attempt('/api/pipelines/web/pause', { method: 'POST', mode: 'no-cors', body }), 'opaque 0 ');
    const headers = { 'Content-Type': 'application/json', 'X-Svc-Confirm': 'true' };
    assert.equal(await attempt('/api/pipelines/web/pause', { method: 'POST', headers, body }), 'refused');
    assert.equal(await attempt('/api/session', { method: 'DELETE' }), 'refused');
    assert.equal(await isPaused(), false);
    await page.goto('/pipelines');
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  });

  it('cannot show our pages in a frame', async () => {
    const page = await elsewhere();
    for (const path of ['/pipelines', '/auth/login', '/about', '/api/docs']) {
      await page.goto(otherSiteUrl);
      await page.setContent(`<iframe src="${lab.url}${path}"></iframe>`);
      await until('the frame', () => page.frames().length > 1);
      const frame = page.frames()[1]!;
      await until('the refusal', () => frame.url().startsWith('chrome-error:'));
    }
  });
});

describe('script', () => {
  it('script in reasons, commit messages and names of agents is text', async () => {
    const hostname = SCRIPT.slice(0, 60);
    await lab.builds.agent({ hostname });
    accepted(await lab.builds.post('/api/pipelines/web/pause', { pause_cause: SCRIPT }));
    const page = await lab.visit('/pipelines');
    await page.getByRole('button', { name: 'paused', exact: true }).click();
    await page.getByText(`Paused by admin: ${SCRIPT}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for web' }).click();
    await page.getByRole('menuitem', { name: 'Run with options' }).click();
    await page.getByText(`${SCRIPT} in a message`).waitFor();
    await page.goto('/agents');
    await page.getByText(hostname).first().waitFor();
    assert.equal(await page.evaluate('globalThis.wasAttacked'), undefined);
    accepted(await lab.builds.post('/api/pipelines/web/unpause'));
  });

  it('script in a search, in an address and in the name of a view is text', async () => {
    lab.expect(/404/);
    const page = await lab.visit(`/pipelines?q=${encodeURIComponent(SCRIPT)}&viewName=${encodeURIComponent(SCRIPT)}`);
    await page.getByText('No pipeline matches').waitFor();
    await page.goto('/pipelines');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save what is shown' }).click();
    await page.getByLabel('Name').fill('<b>bold</b>');
    await page.keyboard.press('Enter');
    await page.getByText('The view \u2068<b>bold</b>\u2069 is saved.').waitFor();
    await page.goto(`/no/${encodeURIComponent(SCRIPT)}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    assert.equal(await page.evaluate('globalThis.wasAttacked'), undefined);
  });

  it('script that got into a page nevertheless does not run, and nothing is loaded from elsewhere', async () => {
    lab.expect(/Content Security Policy|a request to/);
    const page = await lab.visit('/pipelines');
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    await page.evaluate(`(${attack})(${JSON.stringify(otherSiteUrl)})`);
    const violations = () => page.evaluate<string[]>('globalThis.violations');
    for (const directive of ['script-src-elem', 'script-src-attr', 'img-src', 'frame-src', 'connect-src'])
      await until(directive, async () => (await violations()).includes(directive));
    assert.equal(await page.evaluate('globalThis.wasAttacked'), undefined);
  });
});

describe('a session', () => {
  it('is kept from scripts and from other sites, and of no use after signing out', async () => {
    const page = await lab.visit('/pipelines');
    const cookie = await sessionCookieOf(page);
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Lax', '/']);
    assert.equal(await page.evaluate('document.cookie'), '');
    await page.getByRole('button', { name: /preferences/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const old = { as: '', headers: { Cookie: `slipway_session=${cookie.value}` } };
    assert.equal((await lab.builds.get('/api/session', old)).status, 401);
    assert.equal((await page.context().cookies()).length, 0);
  });

  it('begins under another token than the one that an attacker has planted', async () => {
    const page = await lab.window();
    const planted = 'A'.repeat(43);
    await page.context().addCookies([{ name: 'slipway_session', value: planted, url: lab.url }]);
    await page.goto('/auth/login');
    await page.getByLabel('Name').fill('viewer');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/pipelines');
    assert.notEqual((await sessionCookieOf(page)).value, planted);
    assert.equal((await lab.builds.get('/api/session', { as: '', headers: { Cookie: `slipway_session=${planted}` } })).status, 401);
  });

  it('writes only with the token, which the pages send with each change', async () => {
    const page = await lab.visit('/pipelines');
    const sent: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.headers()['x-csrf-token']);
    });
    await page.getByRole('button', { name: 'Actions for web' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'paused', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for web' }).click();
    await page.getByRole('menuitem', { name: 'Unpause' }).click();
    await page.getByRole('button', { name: 'paused', exact: true }).waitFor({ state: 'detached' });
    assert.equal(sent.length, 2);
    for (const token of sent) assert.match(token ?? '', /^[0-9a-f]{64}$/);
    const cookie = `slipway_session=${(await sessionCookieOf(page)).value}`;
    for (const token of [undefined, '', '0'.repeat(64)]) {
      const headers = { Cookie: cookie, 'X-Svc-Confirm': 'true', ...(token !== undefined && { 'X-CSRF-Token': token }) };
      const { status, json } = await lab.builds.server.ask('POST', '/api/pipelines/web/unpause', { as: '', headers });
      assert.deepEqual([status, json.reason], [403, 'csrf_token']);
    }
  });

  it('a session of another user shows nothing of the last user', async () => {
    accepted(await lab.builds.server.post('/api/admin/pipeline_groups', { name: 'secret' }));
    await lab.builds.pipeline('hidden', {}, 'secret');
    const page = await lab.visit('/pipelines');
    await page.getByRole('link', { name: 'hidden', exact: true }).waitFor();
    await page.getByRole('button', { name: /preferences/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // Until then the page is that of the last user.
    await page.getByLabel('Password').waitFor();
    // Slow enough for kept rows to be seen.
    await page.route('**/api/dashboard/rows*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.evaluate(`globalThis.wasSeen = false; new MutationObserver(() => {
      if (document.body.textContent.includes('hidden') && document.querySelector('.dashboard-row') !== null) globalThis.wasSeen = true;
    }).observe(document.body, { childList: true, subtree: true, characterData: true });`);
    await page.getByLabel('Name').fill('viewer');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    assert.equal(await page.evaluate('globalThis.wasSeen'), false);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('a session of a user who loses a view right hides those pipelines at once', async () => {
    const page = await lab.visit('/pipelines', { name: 'viewer', password: PASSWORD });
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    const { server } = lab.builds;
    const { etag } = accepted(await server.get('/api/admin/pipeline_groups/shop'));
    accepted(await server.put('/api/admin/pipeline_groups/shop', { name: 'shop', authorization: authorization(['somebody-else']) }, etag!));
    await page.getByRole('link', { name: 'web', exact: true }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('There is no pipeline that you may see').waitFor();
  });
});

describe('the login', () => {
  it('leads to no other server, however the address is written', async () => {
    for (const from of ['/\t/evil.example', '/..//evil.example', '/\\evil.example', '\t//evil.example', 'http:evil.example']) {
      const page = await lab.window();
      await page.goto(`/auth/login?from=${encodeURIComponent(from)}`);
      await page.getByLabel('Name').fill('viewer');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/pipelines');
    }
  });

  it('comes before documents of the server, and leads on to them', async () => {
    const page = await lab.window();
    await page.goto('/api/docs/sessions?x=1');
    assert.equal(new URL(page.url()).searchParams.get('from'), '/api/docs/sessions?x=1');
    await page.getByLabel('Name').fill('viewer');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/api/docs/sessions?x=1');
  });
});
