// What can be tried out before it is saved, in a real browser, against servers that answer: directory, registry, repository, mail.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import { type Slapd, startSlapd } from '../../support/services/slapd.ts';
import { headerOf, SmtpTestServer } from '../../support/services/smtp.ts';
import { startWebServer, type WebServer } from '../../support/services/web-server.ts';
import { BrowserLab } from '../browser-lab.ts';
import { controlOf } from './filler.ts';

const SUFFIX = 'dc=example,dc=org';
const READER = `cn=reader,${SUFFIX}`;
const READER_PASSWORD = 'readers-secret';
const LDIF = `dn: ${SUFFIX}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ${READER}
objectClass: organizationalRole
objectClass: simpleSecurityObject
userPassword: ${READER_PASSWORD}
`;
const SMTP_LOGIN = { username: 'notifier', password: 'top secret' };

let lab: BrowserLab;
let slapd: Slapd;
let npm: WebServer;
let smtp: SmtpTestServer;
let page: Page;
before(async () => {
  slapd = await startSlapd({ suffix: SUFFIX, rootDn: `cn=root,${SUFFIX}`, rootPassword: 'unused', ldif: LDIF });
  smtp = await SmtpTestServer.start({ login: SMTP_LOGIN });
  npm = await startWebServer(({ url, headers }, response) => {
    const isOpen = headers.authorization === `Basic ${Buffer.from('jez:registry-password').toString('base64')}`;
    const isKnown = url === '/-/ping' || url === '/left-pad' || url === '/-/whoami';
    response.writeHead(isOpen ? (isKnown ? 200 : 404) : 401).end(JSON.stringify({ 'dist-tags': { latest: '1.3.0' }, username: 'jez' }));
  });
  lab = await BrowserLab.start();
  // Of a mail server that was never set.
  lab.expect(/404 .*\/api\/config\/mailserver/);
  page = await lab.visit('/admin');
});
after(async () => {
  await lab?.stop();
  await npm?.stop();
  await smtp?.stop();
  await slapd?.stop();
});
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => controlOf(page.locator('main'), label);

/** The success of a check stands beside the button, and the page announces it to users who do not see it. */
async function succeeds(check: string, message: string): Promise<void> {
  await button(check).click();
  const status = page.getByRole('status').filter({ hasText: message });
  await status.waitFor();
  assert.equal(await page.getByRole('main').getByRole('alert').count(), 0);
  assert.equal(await status.evaluate((element) => element.className), '');
  await lab.assertAccessible(page);
}

async function save(): Promise<void> {
  await button('Preview and save …').click();
  await button('Save').click();
  await page
    .getByText(/^(?:Added|Saved)/)
    .first()
    .waitFor();
}

it('a directory of users is tried out before it is saved, and with its stored password', async () => {
  await page.goto('/admin/security/auth_configs/new');
  await field('ID').fill('company');
  await field('Plugin').fill('cd.go.authentication.ldap');
  await field('URL').fill(`ldap://127.0.0.1:${slapd.port}`);
  await field('Search bases').fill(SUFFIX);
  await field('User login filter').fill('(uid={0})');
  await field('Manager DN').fill(READER);
  await field('Manager password').fill(READER_PASSWORD);
  await succeeds('Check connection', 'Connection OK');
  await save();
  await page.getByRole('heading', { name: 'company' }).waitFor();
  await succeeds('Check connection', 'Connection OK');
});

it('a package repository is tried out, and the newest version of a package in it is shown', async () => {
  await page.goto('/admin/package_repositories/new');
  await field('Name').fill('registry');
  await field('Plugin').first().fill('slipway.package.npm');
  await field('URL').fill(npm.url);
  await field('User name').fill('jez');
  await field('Password').fill('registry-password');
  await succeeds('Check connection', 'Connection OK. The registry answers.');
  await save();
  const { json } = await lab.builds.get('/api/admin/repositories');
  const { repo_id: id } = json._embedded.package_repositories[0];
  await page.goto('/admin/packages/new');
  await field('Name').fill('left-pad');
  await field('Repository').fill(id);
  await field('Package name').fill('left-pad');
  await succeeds('Check package', 'OK. Found version 1.3.0 of left-pad.');
  await save();
});

it('an SCM is tried out', async () => {
  await page.goto('/admin/scms/new');
  await field('Name').fill('tools');
  await field('Plugin').first().fill('git-path');
  await field('URL').fill(lab.builds.origin.path);
  await field('Paths').fill('readme.md');
  await field('Branch').fill('main');
  await succeeds('Check connection', 'Connection OK. The repository has the branch main.');
  await save();
});

it('a mail server is tried out by a mail before it is saved, and with its stored password', async () => {
  await page.goto('/admin/server_configuration/mailserver');
  await field('Host name').fill('127.0.0.1');
  await field('Port').fill(String(smtp.port));
  await field('User name').fill(SMTP_LOGIN.username);
  await field('Password').fill(SMTP_LOGIN.password);
  await field('Sender').fill('slipway@example.org');
  await field('Administrator').fill('ops@example.org');
  await succeeds('Send a test mail', 'The mail server took the test mail to the administrator.');
  await save();
  await succeeds('Send a test mail', 'The mail server took the test mail to the administrator.');
  assert.deepEqual(
    smtp.received.map(({ to, user, raw }) => [to, user, headerOf(raw, 'Subject')]),
    Array.from({ length: 2 }, () => [['ops@example.org'], SMTP_LOGIN.username, 'Slipway Email Notification']),
  );
});

it('a repository of a pipeline is tried out', async () => {
  await lab.builds.pipeline('web');
  accepted(await lab.builds.get('/api/admin/pipelines/web'));
  await page.goto('/admin/pipelines/web/edit?part=materials.0');
  await button('Check connection').click();
  await page.getByRole('status').filter({ hasText: 'Connection OK.' }).waitFor();
});
