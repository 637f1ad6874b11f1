// A server that goes away while pages are open, and comes back: they are right again by themselves.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, afterEach, before, it } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start({ port: String(await freePort()) });
  // The messages that the browser logs for each request while the server is away or starts.
  lab.expect(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|status of 503/);
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

/** After a restart the server must be found where it was. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

it('the dashboard and the agents keep their last data with their age, and are right again after a restart', async () => {
  const { builds } = lab;
  await builds.pipeline('web');
  await builds.agent({ hostname: 'first-builder' });
  const dashboard = await lab.visit('/pipelines');
  await dashboard.getByRole('link', { name: 'web', exact: true }).waitFor();
  const agents = await dashboard.context().newPage();
  await agents.goto('/agents');
  await agents.getByText('first-builder').waitFor();
  const pages = [dashboard, agents];
  // A reload would lose this mark.
  for (const page of pages) await page.evaluate('globalThis.isTheSame = true');

  await builds.server.restart(async () => {
    for (const page of pages) await page.getByText(/Reconnecting … What you see is \d+ s old/).waitFor();
    assert.ok(await dashboard.getByRole('link', { name: 'web', exact: true }).isVisible());
    assert.ok(await agents.getByText('first-builder').isVisible());
    await lab.assertAccessible(dashboard);
    await lab.assertNarrow(dashboard);
    // A request that is made now is refused in words.
    await dashboard.getByRole('button', { name: 'Run web' }).click();
    await dashboard.getByText('The server cannot be reached.').first().waitFor();
  });
  await builds.pipeline('api');
  await builds.agent({ hostname: 'second-builder' });

  await dashboard.getByRole('button', { name: '1 new' }).click();
  await dashboard.getByRole('link', { name: 'api', exact: true }).waitFor();
  await agents.getByText('second-builder').waitFor();
  for (const page of pages) {
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('globalThis.isTheSame'), true);
  }
  // From now on the page gets notices again.
  await builds.agent({ hostname: 'third-builder' });
  await agents.getByText('third-builder').waitFor({ timeout: 10_000 });
});

it('a page whose code could not be loaded appears when the server is back', async () => {
  const page = await lab.visit('/agents');
  await page.getByText('first-builder').waitFor();
  await lab.builds.server.restart(async () => {
    await page.getByText(/Reconnecting … /).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Materials' }).click();
    await page.getByText('This page could not be loaded').waitFor();
  });
  await page.getByRole('heading', { name: 'Materials' }).waitFor();
  assert.equal(await page.getByText('This page could not be loaded').count(), 0);
});

it('a page that has got no notice yet says how old its data are, too, and reads them again', async () => {
  const page = await lab.visit('/admin/environments');
  // The browser lets tests hold up requests of pages, not those of workers.
  await page.addInitScript('delete globalThis.SharedWorker');
  await page.route('**/api/live', (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByText('There is no environment yet').waitFor();
  await page.getByText(/Reconnecting … What you see is \d+ s old/).waitFor();
  accepted(await lab.builds.server.post('/api/admin/environments', { name: 'unnoticed' }));
  await page.unroute('**/api/live');
  await page.getByText('Reconnecting').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'unnoticed', exact: true }).waitFor();
});

it('a page that is opened while the server is away appears when it is back', async () => {
  const page = await lab.visit('/agents');
  await page.getByText('first-builder').waitFor();
  // The browser has the files of the pages; requests to the API get no answer.
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByText('This page tries again every few seconds').waitFor();
  await lab.assertAccessible(page);
  await page.unroute('**/api/**');
  await page.getByText('first-builder').waitFor();
});
