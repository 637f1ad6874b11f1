// Maintenance mode in a real browser: the page of administrators, and the banner on all pages.
import assert from 'node:assert/strict';
import { after, afterEach, before, it } from 'node:test';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

const BANNER = 'The server is in maintenance mode';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

it('maintenance mode is switched on with a reason and an end, shows running jobs, and is switched off', async () => {
  lab.expect(/422 .*maintenance_mode/);
  const { builds } = lab;
  await builds.pipeline('web');
  const agent = await builds.agent();
  await builds.poll();
  const work = await agent.workOf('web');
  await agent.report(work, 'Building');
  const other = await lab.visit('/agents', { name: 'viewer', password: PASSWORD });
  const page = await lab.visit('/admin/maintenance_mode');
  await page.getByText('It is off.').waitFor();
  await lab.assertAccessible(page);
  await page.getByLabel('Why?').fill('new disk');
  await page.getByLabel('Ends by itself').fill('-1');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('must be more than 0').waitFor();
  await page.getByLabel('Ends by itself').fill('60');
  await page.keyboard.press('Enter');
  await page.getByText('new disk').waitFor();
  await page.getByText(/by itself in 59 min|by itself in 1 h/).waitFor();
  await page.getByText(BANNER).waitFor();
  await other.getByText(BANNER).waitFor();
  assert.equal(await other.getByRole('link', { name: 'Why, and what still runs' }).count(), 0);
  await page.getByRole('link', { name: 'web / 1 / test / 1 / unit' }).waitFor();
  await lab.assertAccessible(page);
  await lab.assertAccessible(other);
  await agent.report(work, 'Completed', 'Passed');
  await page.getByText('Nothing runs any more').waitFor();
  await lab.assertNarrow(page);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('It is off.').waitFor();
  await other.getByText(BANNER).waitFor({ state: 'detached' });
});

it('pages that are opened in maintenance mode have a banner, which leads administrators to the page of maintenance mode', async () => {
  await lab.builds.post('/api/admin/maintenance_mode/enable', { reason: 'move' });
  const page = await lab.visit('/agents');
  await page.getByRole('link', { name: 'Why, and what still runs' }).click();
  await page.getByText('move').waitFor();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText(BANNER).waitFor({ state: 'detached' });
});

it('the page is only for administrators', async () => {
  const page = await lab.visit('/admin/maintenance_mode', { name: 'viewer', password: PASSWORD });
  await page.getByText('Only system administrators see this page').waitFor();
});
