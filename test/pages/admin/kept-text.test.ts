// Nothing that is typed is lost: not by a reload, not with the session, and not by what other users do.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';
import { controlOf } from '../forms/filler.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  lab.expect(/401 /);
  const { builds } = lab;
  accepted(await builds.post('/api/current_user/access_tokens', { description: 'robot' }));
  accepted(await builds.post('/api/admin/webhooks', { id: 'chat', url: 'https://chat.example.org', secret: 'hush-hush' }));
  accepted(await builds.post('/api/admin/service_accounts', { name: 'deployer', description: '', owner: 'admin' }));
  accepted(await builds.post('/api/admin/environments', { name: 'first' }));
  const bucket = { key: 'S3Bucket', value: 'first' };
  accepted(await builds.post('/api/admin/artifact_stores', { id: 'store', plugin_id: 'cd.go.artifact.s3', properties: [bucket] }));
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const reason = (page: Page) => page.getByLabel('Reason, for the change log');
const takeDraft = (page: Page) => button(page, 'Continue').click();
const takeReason = (page: Page) => button(page, 'Take it').click();

async function chooseFromMenu(page: Page, menu: string, item: string): Promise<void> {
  await button(page, menu).click();
  await page.getByRole('menuitem', { name: item }).click();
}

interface Typed {
  readonly what: string;
  readonly address: string;
  /** Leads from the page to the field; the second time with a part that is there from before. */
  readonly open?: (page: Page, isAgain: boolean) => Promise<void>;
  readonly field: (page: Page) => Locator;
  readonly takeUp: (page: Page) => Promise<void>;
  readonly text?: string;
  /** What stays in the window is there again without a question. */
  readonly isInMemory?: boolean;
}

const FIELDS: readonly Typed[] = [
  {
    what: 'the reason of maintenance mode',
    address: '/admin/maintenance_mode',
    field: (page) => page.getByLabel('Why?'),
    takeUp: takeDraft,
  },
  {
    what: 'the reason to revoke a token',
    address: '/admin/admin_access_tokens',
    open: (page) => button(page, 'Revoke robot').click(),
    field: (page) => page.getByLabel('Why?'),
    takeUp: takeDraft,
  },
  {
    what: 'from where a webhook delivers again',
    address: '/admin/webhooks',
    open: (page) => chooseFromMenu(page, 'Actions of chat', 'Deliver again …'),
    field: (page) => page.getByLabel('From event number'),
    takeUp: takeDraft,
    text: '17',
  },
  {
    what: 'the address of a webhook',
    address: '/admin/webhooks',
    open: (page) => chooseFromMenu(page, 'Actions of chat', 'Change …'),
    field: (page) => page.getByLabel('Address', { exact: true }),
    takeUp: takeDraft,
  },
  {
    what: 'the purpose of a service account',
    address: '/admin/service_accounts',
    open: (page) => button(page, 'Change: deployer').click(),
    field: (page) => page.getByLabel('What is it for?'),
    takeUp: takeDraft,
  },
  {
    what: 'the name of a revision',
    address: '/admin/changes/2',
    open: (page) => button(page, 'Name it …').click(),
    field: (page) => page.getByLabel('Name', { exact: true }),
    takeUp: takeDraft,
  },
  {
    what: 'the reason of a revert',
    address: '/admin/changes/2',
    open: (page) => button(page, 'Revert …').click(),
    field: reason,
    takeUp: takeReason,
  },
  {
    what: 'the reason of a change',
    address: '/admin/artifact_stores/store',
    open: async (page, isAgain) => {
      if (isAgain) await button(page, 'Continue').click();
      else await controlOf(page.locator('main'), 'Bucket').fill('second');
      await button(page, 'Preview and save …').click();
    },
    field: reason,
    takeUp: takeReason,
  },
  {
    what: 'the reason of a deletion',
    address: '/admin/artifact_stores/store',
    open: (page) => button(page, 'Delete …').click(),
    field: reason,
    takeUp: takeReason,
  },
  {
    what: 'a wanted state',
    address: '/admin/plan',
    field: (page) => page.getByLabel('What shall be there'),
    takeUp: takeDraft,
    text: '{ "environments": [] }',
    isInMemory: true,
  },
  {
    what: 'pasted files',
    address: '/admin/config_repos/preflight',
    field: (page) => page.getByLabel('Content'),
    takeUp: takeDraft,
    isInMemory: true,
  },
];

/** Answers of the server to all that was kept so far are in: nothing is on its way. */
async function kept(page: Page, before: string): Promise<void> {
  await until('the draft', async () => (await drafts(page)) !== before);
}
const drafts = (page: Page) =>
  page.evaluate<string>("JSON.stringify(Object.entries(localStorage).filter(([key]) => key.startsWith('draft')))");

describe('what is typed', () => {
  for (const { what, address, open = () => Promise.resolve(), field, takeUp, text = 'new disk, 30 min', isInMemory = false } of FIELDS)
    it(`typed text is not lost: ${what}`, async () => {
      const page = await lab.visit(address);
      await open(page, false);
      const before = await drafts(page);
      await field(page).fill(text);
      await kept(page, before);
      await page.reload();
      await open(page, true);
      await takeUp(page);
      assert.equal(await field(page).inputValue(), text);
      await lab.assertAccessible(page);
      await lab.builds.server.ask('DELETE', '/api/current_user/sessions');
      await page.getByText('Your session has ended').waitFor();
      await signIn(page);
      await open(page, true);
      if (!isInMemory) await takeUp(page);
      assert.equal(await field(page).inputValue(), text);
    });
});

it('the reason of maintenance mode is there again when another user has switched it on and off', async () => {
  const page = await lab.visit('/admin/maintenance_mode');
  await page.getByLabel('Why?').fill('new disk');
  await lab.builds.post('/api/admin/maintenance_mode/enable', { reason: 'theirs' });
  await page.getByText('theirs').waitFor();
  await lab.builds.post('/api/admin/maintenance_mode/disable');
  await takeDraft(page);
  assert.equal(await page.getByLabel('Why?').inputValue(), 'new disk');
  await button(page, 'Switch on').click();
  await button(page, 'Switch off').click();
  await page.getByText('It is off.').waitFor();
  assert.equal(await page.getByLabel('Why?').inputValue(), '');
  assert.equal(await button(page, 'Continue').count(), 0);
});

it('a reason is offered until its change is made, and belongs to that change alone', async () => {
  const page = await lab.visit('/admin/artifact_stores/store');
  await button(page, 'Delete …').click();
  await reason(page).fill('not used');
  await until('the draft', async () => (await drafts(page)).includes('not used'));
  await button(page, 'Cancel').click();
  await page.goto('/admin/environments');
  await chooseFromMenu(page, 'Actions for first', 'Delete …');
  await reason(page).waitFor();
  assert.equal(await button(page, 'Take it').count(), 0);
  await page.goto('/admin/artifact_stores/store');
  await button(page, 'Delete …').click();
  await page.getByText('You typed earlier: “not used”').waitFor();
  await takeReason(page);
  await button(page, 'Delete').click();
  await page.getByText(/^Deleted artifact store store/).waitFor();
  assert.ok(!(await drafts(page)).includes('not used'));
  const { json } = await lab.builds.get('/api/admin/config/entities/artifact_stores/store/history');
  assert.match(JSON.stringify(json), /not used/);
});
