// The pages of changes: the list, one revision, one entity through time. The changes are made by the API.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stage } from '../../builds/run-lab.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
const ENVIRONMENT = '/api/admin/environments/live';

before(async () => {
  lab = await BrowserLab.start();
  const { server } = lab.builds;
  await addUser(server, 'viewer');
  accepted(await server.post('/api/admin/environments', { name: 'live', environment_variables: [{ name: 'REGION', value: 'north' }] }));
  await setRegion('south', 'The north is full');
  await setRegion('east', 'Closer to <b>us</b>');
  accepted(await server.post('/api/admin/environments', { name: 'idle' }));
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

async function setRegion(value: string, reason: string): Promise<number> {
  const { server } = lab.builds;
  const { etag } = accepted(await server.get(ENVIRONMENT));
  const body = { name: 'live', environment_variables: [{ name: 'REGION', value }] };
  const answer = accepted(await server.put(ENVIRONMENT, body, etag, { headers: { 'X-Svc-Reason': reason } }));
  return Number(answer.headers.get('X-Svc-Revision'));
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
const region = async () => accepted(await lab.builds.get(ENVIRONMENT)).json.environment_variables[0].value;

describe('the list of changes', () => {
  it('shows the actor, the changed entities and the reason', async () => {
    const page = await lab.visit('/pipelines');
    await page.getByRole('link', { name: 'Changes', exact: true }).click();
    await rowOf(page, 'The north is full').getByText('environments live changed').waitFor();
    await rowOf(page, 'Closer to <b>us</b>').waitFor();
    await rowOf(page, 'environments idle created').getByText('admin').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('is narrowed by filters that stand in the address', async () => {
    const page = await lab.visit('/admin/changes?resource=environments');
    await rowOf(page, 'environments idle created').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('north is');
    await rowOf(page, 'environments idle created').waitFor({ state: 'detached' });
    await rowOf(page, 'The north is full').waitFor();
    await page.waitForURL(/resource=environments&text=north\+is/);
    await page.getByLabel('Made by').fill('nobody');
    await page.getByText('No change matches').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'All changes').click();
    await rowOf(page, 'environments idle created').waitFor();
    await page.getByLabel('To this day').fill('2020-01-31');
    await page.getByText('No change matches').waitFor();
  });

  it('does not move when there are new changes: they wait behind a button', async () => {
    const page = await lab.visit('/admin/changes');
    // A page whose connection opens only now reads its list once more. Afterwards it is notified of changes.
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'early' }));
    const early = rowOf(page, 'environments early created');
    await early.or(button(page, '1 new')).first().waitFor();
    if ((await early.count()) === 0) await button(page, '1 new').click();
    await early.waitFor();
    accepted(await lab.builds.server.post('/api/admin/environments', { name: 'late' }));
    await button(page, '1 new').waitFor();
    assert.equal(await rowOf(page, 'environments late created').count(), 0);
    await button(page, '1 new').click();
    await rowOf(page, 'environments late created').waitFor();
    await button(page, '1 new').waitFor({ state: 'detached' });
  });

  it('is walked by the keyboard', async () => {
    const page = await lab.visit('/admin/changes?text=north+is');
    await rowOf(page, 'The north is full').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText("environment variable 'REGION', value changed from 'north' to 'south'").waitFor();
  });

  it('is only for administrators', async () => {
    const page = await lab.visit('/admin/changes', { name: 'viewer', password: PASSWORD });
    await page.getByText('Only system administrators').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Changes', exact: true }).count(), 0);
    await lab.assertAccessible(page);
  });
});

describe('a revision', () => {
  it('a revision that does not exist is reported as not found', async () => {
    lab.expect(/404 .*revisions\/4711/);
    const page = await lab.visit('/admin/changes/4711');
    await page.getByText("There is no revision '4711'").waitFor();
  });

  it('shows its difference in words and as JSON, and gets a name', async () => {
    const revision = await setRegion('west', 'For a while');
    const page = await lab.visit(`/admin/changes/${revision}`);
    await page.getByText('For a while').waitFor();
    await page.getByText('As JSON').click();
    await page.getByRole('cell', { name: '"west"' }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await button(page, 'Name it …').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('before the move');
    await lab.assertAccessible(page);
    await button(page, 'Save').click();
    await page.locator('.badge', { hasText: 'before the move' }).waitFor();
    await button(page, 'Rename it …').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('');
    await button(page, 'Save').click();
    await button(page, 'Name it …').waitFor();
  });

  it('is reverted after a preview', async () => {
    const revision = await setRegion('far east', 'By mistake');
    const page = await lab.visit(`/admin/changes/${revision}`);
    await button(page, 'Revert …').click();
    await page.getByRole('dialog').getByText("changed from 'far east' to 'west'").waitFor();
    assert.equal(await region(), 'far east');
    await lab.assertAccessible(page);
    await page.getByLabel('Reason').fill('Für später');
    await button(page, 'Revert').click();
    await page.waitForURL(new RegExp(`/admin/changes/${revision + 1}$`));
    await page.getByText('Für später').waitFor();
    assert.equal(await region(), 'west');
  });

  it('a revision that later revisions build on cannot be reverted: the page names the later revision', async () => {
    lab.expect(/422 .*revert/);
    const revision = await setRegion('one', 'First');
    const later = await setRegion('two', 'Second');
    const page = await lab.visit(`/admin/changes/${revision}`);
    await button(page, 'Revert …').click();
    await page.getByRole('alert').getByText(`Revision ${revision} cannot be reverted`).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: `revision ${later}` })
      .waitFor();
    assert.ok(await button(page, 'Revert').isDisabled());
    await lab.assertAccessible(page);
  });
});

describe('an entity', () => {
  const HISTORY = '/admin/changes/entity?resource=environments&id=live';

  it('shows its history, and compares two of its states', async () => {
    const page = await lab.visit(HISTORY);
    await rowOf(page, 'The north is full').waitFor();
    await rowOf(page, 'created')
      .getByRole('button', { name: /Compare from/ })
      .click();
    await rowOf(page, 'Closer to')
      .getByRole('button', { name: /Compare to/ })
      .click();
    await page.getByRole('cell', { name: '"value": "north"' }).waitFor();
    await page.getByRole('cell', { name: '"value": "east"' }).waitFor();
    assert.match(page.url(), /from=\d+&to=\d+/);
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('leads there from a page of its own, and from the menu of a group', async () => {
    const { builds } = lab;
    await builds.pipeline('web');
    accepted(await builds.post('/api/admin/templates', { name: 'shared', stages: [stage('build')] }));
    const material = { type: 'git', attributes: { url: builds.origin.path, branch: 'main' } };
    accepted(await builds.post('/api/admin/config_repos', { id: 'team-a', plugin_id: 'yaml.config.plugin', material, rules: [] }));
    const page = await lab.visit('/admin/pipelines');
    await button(page, 'Actions for the group shop').click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'pipeline groups shop' }).waitFor();
    for (const [address, title] of [
      ['/admin/pipelines/web/edit', 'pipelines web'],
      ['/admin/templates/shared/edit', 'templates shared'],
      ['/admin/environments/live/edit', 'environments live'],
      ['/admin/config_repos/team-a/edit', 'config repos team-a'],
      ['/admin/config_repos/team-a/status', 'config repos team-a'],
    ] as const) {
      await page.goto(address);
      await page.getByRole('link', { name: 'History', exact: true }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await rowOf(page, 'created').first().waitFor();
    }
  });

  it('shows the author of each field, now and in the past', async () => {
    const page = await lab.visit(`${HISTORY}&view=blame`);
    const row = page.getByRole('row').filter({ hasText: "environment variable 'REGION', value" });
    await row.getByText('Second').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'View an earlier state …').click();
    const { _embedded } = accepted(await lab.builds.get('/api/admin/config/revisions?text=north+is')).json;
    await page.getByLabel('Or after this revision').fill(String(_embedded.revisions[0].revision));
    await lab.assertAccessible(page);
    await button(page, 'View').click();
    await row.getByText('The north is full').waitFor();
    await page.getByText('You are looking at').waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Back to now').click();
    await row.getByText('Second').waitFor();
  });

  it('is restored after a preview, unless another user changed it first', async () => {
    lab.expect(/412 .*revert/);
    const page = await lab.visit(HISTORY);
    await rowOf(page, 'The north is full').getByRole('button', { name: 'Restore …' }).click();
    await page.getByRole('dialog').getByText("to 'south'").waitFor();
    await setRegion('three', 'Faster');
    await button(page, 'Restore').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    assert.equal(await region(), 'three');
    await button(page, 'Cancel').click();
    await rowOf(page, 'The north is full').getByRole('button', { name: 'Restore …' }).click();
    await page.getByRole('dialog').getByText("from 'three' to 'south'").waitFor();
    await button(page, 'Restore').click();
    await page.getByText(/Done, as revision/).waitFor();
    assert.equal(await region(), 'south');
  });

  it('an entity that was deleted is restored, unless another entity of the same name was created', async () => {
    lab.expect(/(404|412) .*(environments|revert)/);
    const { server } = lab.builds;
    const made = async () => accepted(await server.post('/api/admin/environments', { name: 'lost' }));
    const remove = async () => accepted(await server.delete('/api/admin/environments/lost'));
    accepted(await server.post('/api/admin/environments', { name: 'lost' }, { headers: { 'X-Svc-Reason': 'Made first' } }));
    await remove();
    const page = await lab.visit('/admin/changes/entity?resource=environments&id=lost');
    const restore = rowOf(page, 'Made first').getByRole('button', { name: 'Restore …' });
    await restore.click();
    await page.getByRole('dialog').getByText('created', { exact: true }).waitFor();
    await made();
    await button(page, 'Restore').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await button(page, 'Cancel').click();
    await remove();
    await restore.click();
    await page.getByRole('dialog').getByText('created', { exact: true }).waitFor();
    await button(page, 'Restore').click();
    await page.getByText(/Done, as revision/).waitFor();
    accepted(await server.get('/api/admin/environments/lost'));
  });

  it('an entity of a resource with a single entity has a history, too', async () => {
    const { server } = lab.builds;
    accepted(await server.post('/api/admin/config/server/default_job_timeout', { default_job_timeout: '30' }));
    const page = await lab.visit('/admin/changes/entity?resource=default_job_timeout');
    await page.getByRole('heading', { name: 'default job timeout' }).waitFor();
    await page
      .getByText(/default job timeout.*'30'|Default job timeout/i)
      .first()
      .waitFor();
  });
});
