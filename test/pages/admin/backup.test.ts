// The page of backups in a real browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, it } from 'node:test';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

it('the page makes a backup, follows it to its end, and says how to restore it', async () => {
  const page = await lab.visit('/admin/backup');
  await page.getByText('There is no backup yet').waitFor();
  await page.getByText('There is no schedule').waitFor();
  await lab.assertAccessible(page);
  accepted(await lab.builds.server.post('/api/config/backup', { schedule: '0 0 2 * * ?' }));
  await page.getByText('Runs at 02:00, every day.').waitFor();
  assert.equal(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count(), 1);
  await page.getByRole('button', { name: 'Make a backup now' }).press('Enter');
  await page.getByText('verified', { exact: true }).waitFor();
  const { json } = await lab.builds.get('/api/backups');
  const { id, path } = json._embedded.backups[0];
  await page.getByRole('button', { name: String(id) }).press('Enter');
  await page.getByText(`npm run slipway -- restore ${path} --data-dir ./data --plan`, { exact: false }).waitFor();
  assert.match(page.url(), new RegExp(`open=${id}$`));
  await lab.assertAccessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the manifest' }).click()]);
  assert.equal(readFileSync(await download.path(), 'utf8'), readFileSync(join(path, 'manifest.json'), 'utf8'));
  await lab.assertNarrow(page);
  await page.getByRole('link', { name: 'Schedule and mail' }).click();
  await page.getByRole('heading', { name: 'Backup schedule' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Backups', exact: true }).click();
  await page.getByText('verified', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'Admin' }).click();
  await page.getByRole('heading', { name: 'Admin' }).waitFor();
});

it('the page shows the progress of a backup, and why a backup failed', async () => {
  const page = await lab.window();
  const backup = {
    id: 9,
    time: new Date().toISOString(),
    path: '/data/artifacts/serverBackups/backup_9',
    status: 'IN_PROGRESS',
    message: 'Backing up Database',
    user: { login_name: 'admin' },
    initiated_via: 'TIMER',
    ended_at: null,
    bytes: null,
    verified: null,
    verification: null,
    phases: [{ name: 'database', seconds: 2, bytes: 50, total_bytes: 200 }],
    script: null,
    copy: null,
    removed_at: null,
  };
  const failed = { ...backup, id: 8, status: 'ERROR', message: 'Failed to perform backup. Reason: no space', ended_at: backup.time };
  await page.route('**/api/backups', (route) => route.fulfill({ json: { _links: {}, _embedded: { backups: [backup, failed] } } }));
  await page.goto('/admin/backup');
  await signIn(page);
  assert.equal(await page.getByRole('progressbar', { name: 'Progress of database' }).getAttribute('value'), '25');
  await page.getByText('Reason: no space').waitFor();
  await lab.assertAccessible(page);
});

it('the page is only for administrators', async () => {
  const page = await lab.visit('/admin/backup', { name: 'viewer', password: PASSWORD });
  await page.getByText('Only system administrators see this page').waitFor();
});
