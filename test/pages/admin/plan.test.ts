// The page that plans changes, and its decisions without a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { countsText, lineIn, movedIn, planRequest } from '../../../pages/plan/plan.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

describe('the request for a plan', () => {
  it('is JSON as it was typed, or a file', () => {
    assert.deepEqual(planRequest('{ "a": 1 }', false), {
      address: '/api/admin/config/plan',
      file: { type: 'application/json', text: '{ "a": 1 }' },
    });
    assert.deepEqual(planRequest('\n<cruise/>', true), {
      address: '/api/admin/config/plan?prune=true',
      file: { type: 'text/xml', text: '\n<cruise/>' },
    });
  });

  it('says in JSON that unlisted entities are deleted, and leaves text that is no object to the server', () => {
    assert.deepEqual(JSON.parse(planRequest('{ "a": [] }', true).file.text), { a: [], prune: true });
    assert.equal(planRequest('[1', true).file.text, '[1');
  });
});

it('the answer to a plan is read', () => {
  assert.equal(countsText([{ operation: 'create' }, { operation: 'delete' }, { operation: 'create' }]), '2 created, 1 deleted');
  assert.equal(lineIn('line 12'), 12);
  assert.equal(lineIn('/environments/0'), undefined);
  const entity = { resource: 'environments', id: 'live', what: 'changed', revision: 7, actor: 'ann', time: '2026-01-31T00:00:00Z' };
  assert.deepEqual(movedIn({ data: { moved: [entity], lists: ['environments'] } }), { moved: [entity], lists: ['environments'] });
  assert.deepEqual(movedIn(undefined), { moved: [], lists: [] });
});

describe('the page', () => {
  let lab: BrowserLab;
  before(async () => {
    lab = await BrowserLab.start();
    await addUser(lab.builds.server, 'viewer');
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'old' }));
  });
  after(() => lab?.stop());
  afterEach(() => lab.endTest());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const type = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('What shall be there').fill(text);
    await button(page, 'Show the plan').click();
  };
  const names = async () => accepted(await lab.builds.get('/api/admin/environments')).json._embedded.environments.map(nameOf);
  const nameOf = ({ name }: { readonly name: string }) => name;

  it('shows the changes, and applies them as one revision', async () => {
    const page = await lab.visit('/admin/plan');
    await button(page, 'Show the plan').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await type(page, '{ "environments": [{ "name": "new", "colour": "red" }] }');
    await page.getByRole('heading', { name: 'Would be 1 created' }).waitFor();
    await page.getByText("Environment config 'new' created").waitFor();
    await page.getByText('Not taken over').waitFor();
    await lab.assertAccessible(page);
    assert.deepEqual(await names(), ['old']);
    await button(page, 'Apply …').click();
    await page.getByLabel('Reason').fill('A new one');
    await lab.assertAccessible(page);
    await button(page, 'Apply').click();
    await page.waitForURL(/\/admin\/changes\/\d+$/);
    await page.getByText('A new one').waitFor();
    assert.deepEqual((await names()).toSorted(), ['new', 'old']);
  });

  it('names the mistakes', async () => {
    lab.expect(/400 .*plan/);
    const page = await lab.visit('/admin/plan');
    await type(page, '{ "environments": [{ "name": "" }] }');
    await page.getByRole('heading', { name: /mistake.*nothing can be applied/ }).waitFor();
    assert.equal(await button(page, 'Apply …').count(), 0);
    await lab.assertAccessible(page);
    await type(page, '{ "environments": ');
    await page.getByRole('alert').getByText('not valid JSON').waitFor();
  });

  it('leads to the line of a file', async () => {
    const page = await lab.visit('/admin/plan');
    await type(page, '<cruise schemaVersion="139">\n  <environments>\n    <environment />\n  </environments>\n</cruise>');
    await page.getByRole('button', { name: 'line 3' }).click();
    const selected = await page.evaluate<string>('document.getSelection().toString()');
    assert.match(selected, /<environment \/>/);
  });

  it('deletes unlisted entities on request, and says when another user was faster', async () => {
    lab.expect(/409 .*apply/);
    const page = await lab.visit('/admin/plan');
    await page.getByLabel('Delete what is not listed').check();
    await type(page, '{ "environments": [{ "name": "new" }] }');
    await page.getByRole('heading', { name: 'Would be 1 deleted' }).waitFor();
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'faster' }));
    await button(page, 'Apply …').click();
    await button(page, 'Apply').click();
    await page.getByText('Something came or went among the environments').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Plan again').click();
    await page.getByRole('heading', { name: 'Would be 2 deleted' }).waitFor();
    await button(page, 'Apply …').click();
    await button(page, 'Apply').click();
    await page.waitForURL(/\/admin\/changes\/\d+$/);
    assert.deepEqual(await names(), ['new']);
  });

  it('keeps the typed text while another page is open, and takes a file', async () => {
    const page = await lab.visit('/admin/plan');
    await page.getByLabel('What shall be there').fill('{ "environments": [] }');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await page.goBack();
    assert.equal(await page.getByLabel('What shall be there').inputValue(), '{ "environments": [] }');
    const file = { name: 'state.json', mimeType: 'application/json', buffer: Buffer.from('{ "environments": [{ "name": "new" }] }') };
    await page.getByLabel('Take it from a file').setInputFiles(file);
    await button(page, 'Show the plan').click();
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor();
  });

  it('offers the typed text after a reload', async () => {
    const page = await lab.visit('/admin/plan');
    await page.getByLabel('What shall be there').fill('{ "environments": [] }');
    await until('the draft is kept', () => page.evaluate(() => localStorage.getItem('draft admin plan') !== null));
    await page.reload();
    await button(page, 'Continue').click();
    assert.equal(await page.getByLabel('What shall be there').inputValue(), '{ "environments": [] }');
    await page.reload();
    await button(page, 'Discard').click();
    assert.equal(await page.evaluate(() => localStorage.getItem('draft admin plan')), null);
  });

  it('is only for administrators', async () => {
    const page = await lab.visit('/admin/plan', { name: 'viewer', password: PASSWORD });
    await page.getByText('Only system administrators').waitFor();
  });
});
