// The page of health messages, and the badge that leads to it from everywhere.
import { after, afterEach, before, it } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

it('the page says when all is well', async () => {
  const page = await lab.window();
  // The quick hashes of passwords in tests are a thing that the server warns of.
  await page.route('**/api/server_health_messages', (route) => route.fulfill({ json: [] }));
  await page.goto('/admin/health');
  await signIn(page);
  await page.getByText('All is well').waitFor();
  await lab.assertAccessible(page);
});

it('the page shows a problem as soon as the server knows it', async () => {
  const page = await lab.visit('/admin/health');
  await page.getByRole('heading', { name: /weak hashes/ }).waitFor();
  const { builds } = lab;
  const gone = `${builds.origin.path}-gone`;
  await builds.pipeline('web', { materials: [{ type: 'git', attributes: { url: gone, branch: 'main' } }] });
  const { materials } = accepted(await builds.get('/api/internal/materials')).json;
  await builds.post(`/api/internal/materials/${materials[0].config.fingerprint}/trigger_update`);
  await page.getByRole('heading', { name: /Modification check failed/ }).waitFor({ timeout: 20_000 });
  await page
    .getByText(/does not exist/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: '1 error, 1 warning' }).waitFor();
  await lab.assertAccessible(page);
  await lab.assertNarrow(page);
});

it('every page has a badge that leads to the problems', async () => {
  const page = await lab.visit('/agents');
  await page.getByRole('link', { name: /^1 error/ }).click();
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  await page.getByRole('heading', { name: /Modification check failed/ }).waitFor();
});
