// The page of materials and the palette, in a real browser with a real repository.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

const MANY = 400;
let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  const { builds } = lab;
  await addUser(builds.server, 'viewer');
  accepted(await builds.server.post('/api/admin/pipeline_groups', { name: 'shop', authorization: { view: { users: ['viewer'] } } }));
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: false }) });

describe('the page of materials', () => {
  it('gives advice while there is no material', async () => {
    const page = await lab.visit('/materials');
    await page.getByText('Materials come with pipelines').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('polls a material when the user asks for it, and shows the result', async () => {
    const { builds } = lab;
    await builds.pipeline('web');
    const page = await lab.visit('/materials');
    const row = rowOf(page, 'origin');
    await row.getByText('not polled yet').waitFor();
    await row.getByText('nothing known yet').waitFor();
    await page.getByText('1 material', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Poll / }).click();
    await page.getByText(/origin: \w+ is new\. first/).waitFor();
    await row.getByText('polled just now').waitFor();
    await row.getByText('Ann Other').waitFor();
    await row.getByRole('button', { name: /^Poll / }).click();
    await page.getByText(/origin: nothing new/).waitFor();
  });

  it('shows changes of a material page by page, and the pipelines that use it', async () => {
    const { builds } = lab;
    for (let number = 1; number <= 22; number++) await builds.origin.commit(`Change ${number} <script>`);
    const page = await lab.visit('/materials');
    await rowOf(page, 'origin').waitFor();
    await page.keyboard.press('j');
    await page.locator('.material-row.is-selected').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Change 22 <script>').first().waitFor();
    await page.keyboard.press('Enter');
    const details = page.getByRole('region', { name: /^About/ });
    await details.getByRole('link', { name: 'web' }).waitFor();
    await details.locator('dl', { hasText: 'Branch' }).getByText('main', { exact: true }).waitFor();
    await details.getByRole('button', { name: 'Older changes' }).click();
    await details.getByText('first').waitFor();
    assert.equal(await details.getByRole('listitem').count(), 23);
    await lab.assertAccessible(page);
    const tip = await builds.origin.tip();
    const link = details.getByRole('link', { name: tip.slice(0, 10) });
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`^/materials/value_stream_map/[0-9a-f]{64}/${tip}$`));
    await page.reload();
    await details.getByText('Change 22 <script>').waitFor();
    await lab.assertNarrow(page);
  });

  it('says in words why a poll failed, and can show only failed materials', async () => {
    const gone = `${lab.builds.origin.path}-gone`;
    await lab.builds.pipeline('broken', { materials: [{ type: 'git', attributes: { url: gone, branch: 'main' } }] });
    const page = await lab.visit('/materials');
    const row = rowOf(page, 'origin-gone');
    await row.getByRole('button', { name: /^Poll / }).click();
    await page.getByText(/origin-gone could not be polled: .*does not exist/).waitFor();
    await row.getByText(/Failed: .*does not exist/).waitFor();
    await page.getByRole('button', { name: 'With errors 1' }).click();
    assert.equal(await page.getByRole('listitem').count(), 1);
    assert.match(page.url(), /only=errors/);
    await row.getByRole('button', { expanded: false }).click();
    await page.getByText('The last poll failed').waitFor();
    await lab.assertAccessible(page);
  });

  it('is searched while the user types, and offers no poll without the right', async () => {
    const page = await lab.visit('/materials', { name: 'viewer', password: PASSWORD });
    await rowOf(page, 'origin-gone').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Poll / }).count(), 0);
    await page.keyboard.press('/');
    await page.keyboard.type('gone');
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.type(' no such');
    await page.getByText('No material matches').waitFor();
  });

  it('keeps few rows in the document, for any number of materials and any open row', async () => {
    const url = (number: number) => `https://scm.example.org/many/lib-${number}.git`;
    const attributes = (number: number) => ({ url: url(number), branch: 'main', destination: `lib-${number}`, auto_update: false });
    const materials = Array.from({ length: MANY }, (_, number) => ({ type: 'git', attributes: attributes(number) }));
    await lab.builds.pipeline('large', { materials }, 'hidden');
    const page = await lab.visit('/materials?q=many');
    await page.getByText(`${MANY} of ${MANY + 2}`).waitFor();
    await page.getByRole('button', { name: 'many/lib-3 git' }).click();
    await page.getByText('polled only when a user or a webhook asks').waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByRole('button', { name: `many/lib-${MANY - 1} git` }).waitFor();
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
    assert.ok(nodes < 1_500, `${nodes} nodes`);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByText('polled only when a user or a webhook asks').waitFor();
  });
});

describe('the palette', () => {
  it('goes to a pipeline by a few letters of its name', async () => {
    const page = await lab.visit('/agents');
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'A page, a pipeline or an action' });
    await field.waitFor();
    await page.getByRole('option', { name: /^web/ }).waitFor();
    await lab.assertAccessible(page);
    await page.keyboard.type('bro');
    await page.getByText('1 found.').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/pipeline/activity/broken');
  });

  it('gets keys that are typed before it is loaded; the page takes none of them', async () => {
    const page = await lab.visit('/pipelines', { hasEmptyCache: true });
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    await page.keyboard.press('j');
    const gate = Promise.withResolvers<void>();
    await page.route('**/palette-*.js', (route) => gate.promise.then(() => route.continue()));
    const isAskedFor = page.waitForRequest('**/palette-*.js');
    await page.keyboard.press('Control+k');
    await isAskedFor;
    // On the page, `p` would pause a pipeline.
    await page.keyboard.type('xpau');
    for (let count = 0; count < 4; count++) await page.keyboard.press('Backspace');
    await page.keyboard.type('web');
    gate.resolve();
    const field = page.getByRole('combobox', { name: 'A page, a pipeline or an action' });
    await page.getByRole('option', { name: /^web/ }).waitFor();
    await page.keyboard.type(' x');
    assert.equal(await field.inputValue(), 'web x');
    assert.equal(await page.getByRole('dialog').count(), 1);
  });

  it('is used by arrows or the mouse, and closed by Escape', async () => {
    const page = await lab.visit('/agents');
    await page.getByRole('button', { name: /^Go to/ }).click();
    const field = page.getByRole('combobox');
    const chosen = page.getByRole('option', { selected: true });
    await page.getByRole('option', { name: /^web/ }).waitFor();
    assert.match((await chosen.textContent()) ?? '', /^Pipelines/);
    await field.press('ArrowDown');
    assert.match((await chosen.textContent()) ?? '', /^Materials/);
    assert.equal(await field.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    assert.equal(await chosen.textContent(), await page.getByRole('option').last().textContent());
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText('Nothing of this name').waitFor();
    await field.fill('health');
    await page.getByRole('option', { name: /^Health/ }).click();
    await page.waitForURL('**/admin/health');
    await lab.assertNarrow(page);
  });

  it('runs, pauses and edits a pipeline, and finds other actions', async () => {
    const page = await lab.visit('/agents');
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    const find = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'A page, a pipeline or an action' }).fill(text);
    };
    await find('pause web');
    await page.getByRole('option', { name: /^Pause web …/ }).click();
    await page.getByRole('dialog', { name: 'Pause web' }).getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/'web' paused/).waitFor();
    await find('unpause web');
    await page.keyboard.press('Enter');
    await page.getByText(/'web' unpaused/).waitFor();
    await find('run web');
    await page.getByRole('option', { name: /^Run web with options …/ }).click();
    await page.getByRole('dialog', { name: 'Run web' }).waitFor();
    await page.keyboard.press('Escape');
    await find('edit web');
    await page.getByRole('option', { name: /^Edit web/ }).click();
    await page.waitForURL('**/admin/pipelines/web/edit');
    await find('add secret');
    await page.getByRole('option', { name: /^Add secret config/ }).click();
    await page.getByRole('heading', { name: 'New secret config' }).waitFor();
    await find('dark');
    await page.getByRole('option', { name: /^Dark colours/ }).click();
    await page.locator('html[data-theme="dark"]').waitFor();
  });
});
