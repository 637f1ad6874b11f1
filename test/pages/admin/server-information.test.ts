// The pages about the server itself: replicas, version, and the key by which agents register.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { after, afterEach, before, it } from 'node:test';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

it('the page of replicas shows the servers on the database', async () => {
  const page = await lab.visit('/admin/replicas');
  if (!process.env.TEST_DATABASE_URL) await page.getByText('it is alone').waitFor();
  const row = page.getByRole('row').filter({ hasText: hostname() });
  await row.getByText('does the background work').waitFor();
  await row.getByText('answers you').waitFor();
  await lab.assertAccessible(page);
  await lab.assertNarrow(page);
});

it('the page of replicas is only for administrators, who find it from the page about the server', async () => {
  const page = await lab.visit('/admin/replicas', { name: 'viewer', password: PASSWORD });
  await page.getByText('Only system administrators see this page').waitFor();
  await page.goto('/about');
  await page.getByText('Speaks the API of version').waitFor();
  assert.equal(await page.getByText('support bundle').count(), 0);
  const own = await lab.visit('/about');
  await own.getByText('Speaks the API of version').waitFor();
  const { git_sha } = (await lab.builds.get('/api/version')).json;
  await own.getByText(git_sha, { exact: true }).waitFor();
  await lab.assertAccessible(own);
  const [download] = await Promise.all([
    own.waitForEvent('download'),
    own.getByRole('link', { name: 'Download a support bundle' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^slipway-support-.*\.tar\.gz$/);
  assert.ok(statSync(await download.path()).size > 1000);
  await lab.assertNarrow(own);
  await own.getByRole('link', { name: /Who shares the database/ }).click();
  await own.getByRole('heading', { name: 'Replicas' }).waitFor();
});

it('an administrator makes a new key for agents, after a question', async () => {
  const keyOf = async () => (await lab.builds.get('/api/admin/agent_registration')).json.auto_register_key as string;
  const before = await keyOf();
  const page = await lab.visit('/agents');
  await page.getByRole('button', { name: 'Make a new key …' }).click();
  await page.getByText('The old key counts no longer').waitFor();
  await lab.assertAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
  await page.getByText('There is a new key.').waitFor();
  const now = await keyOf();
  assert.notEqual(now, before);
  await page.getByText(`--key ${now}`, { exact: false }).waitFor();
});
