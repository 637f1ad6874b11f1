// The value stream map in a real browser: of a run and of a revision, by keyboard, for users who may not see all of it, and live.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Agent, stage } from '../../builds/run-lab.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
let agent: Agent;

/** lib → app, lib → vault, which only administrators see → safe. */
before(async () => {
  lab = await BrowserLab.start();
  const { builds } = lab;
  await addUser(builds.server, 'viewer');
  const groups = { open: { view: { users: ['viewer'] } }, secret: {} };
  for (const [name, authorization] of Object.entries(groups))
    accepted(await builds.server.post('/api/admin/pipeline_groups', { name, authorization }));
  agent = await builds.agent();
  const from = (pipeline: string) => ({
    materials: [{ type: 'dependency', attributes: { pipeline, stage: 'build' } }],
    stages: [stage('build')],
  });
  await builds.pipeline('lib', { stages: [stage('build')] }, 'open');
  await builds.pipeline('app', from('lib'), 'open');
  await builds.pipeline('vault', from('lib'), 'secret');
  await builds.pipeline('safe', from('vault'), 'open');
  await builds.poll();
  await agent.build();
  await builds.stageResult('lib/1/build/1', 'Passed');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const nodeOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const focused = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement?.closest("[data-node]")?.querySelector(".map-title")?.textContent');

describe('the map of a run', () => {
  it('shows the sources of the run and the runs made from it, and changes while they go on', async () => {
    const page = await lab.visit('/pipelines/value_stream_map/lib/1');
    await nodeOf(page, 'lib')
      .getByRole('link', { name: /^build: Passed/ })
      .waitFor();
    await nodeOf(page, 'app').waitFor();
    await lab.assertAccessible(page);
    // Two wait for the agent, in an order of their own.
    for (let count = 0; count < 2; count++) await agent.build('Failed');
    await nodeOf(page, 'app')
      .getByRole('link', { name: /^build: Failed/ })
      .waitFor({ timeout: 15_000 });
    await lab.assertNarrow(page);
  });

  it('begins with the run that it is of', async () => {
    const page = await lab.visit('/pipelines/value_stream_map/app/1', { width: 360 });
    await nodeOf(page, 'app').waitFor();
    const visible = (await page.getByRole('region', { name: 'Map' }).boundingBox())!;
    const node = (await nodeOf(page, 'app').boundingBox())!;
    assert.ok(node.x >= visible.x && node.x + node.width <= visible.x + visible.width, `${node.x} is out of sight`);
  });

  it('is walked by arrows, and drawn larger and smaller', async () => {
    const page = await lab.visit('/pipelines/value_stream_map/lib/1');
    await nodeOf(page, 'lib').locator('.map-title').focus();
    await page.keyboard.press('ArrowRight');
    const next = await focused(page);
    assert.match(next ?? '', /^(?:app|vault)$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(page), 'lib');
    await page.keyboard.press('ArrowLeft');
    assert.match((await focused(page)) ?? '', /origin/);
    await page.keyboard.press('+');
    await page.getByText('125 %').waitFor();
    await page.getByRole('button', { name: 'Smaller' }).click();
    await page.getByText('100 %').waitFor();
    await page.keyboard.press('-');
    await page.getByText('80 %').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.keyboard.press('0');
    await page.getByText(/^\d+ %$/).waitFor();
  });

  it('hides nodes that the user may not view, and says so', async () => {
    const page = await lab.visit('/pipelines/value_stream_map/lib/1', { name: 'viewer', password: PASSWORD });
    await nodeOf(page, 'app').waitFor();
    assert.equal(await page.getByText('vault').count(), 0);
    // No arrow leads to a node without a link.
    await nodeOf(page, 'lib').locator('.map-title').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(page), 'app');
    await lab.assertAccessible(page);
  });

  it('says that there is no such run, or no right to view it', async () => {
    lab.expect(/(403|404) .*value_stream_map/);
    const page = await lab.visit('/pipelines/value_stream_map/lib/99');
    await page.getByRole('alert').waitFor();
    const other = await lab.visit('/pipelines/value_stream_map/vault/1', { name: 'viewer', password: PASSWORD });
    await other.getByRole('alert').waitFor();
    await lab.assertAccessible(other);
  });
});

describe('the map of a revision', () => {
  it('shows all runs that came of the revision', async () => {
    const { materials } = accepted(await lab.builds.get('/api/internal/materials')).json;
    const revision = await lab.builds.origin.tip();
    const page = await lab.visit(`/materials/value_stream_map/${materials[0].config.fingerprint}/${revision}`);
    await page.getByRole('heading', { name: `Revision ${revision.slice(0, 12)}` }).waitFor();
    await nodeOf(page, 'app').waitFor();
    await nodeOf(page, 'lib').getByRole('link', { name: '1', exact: true }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  // Such as the versions of packages.
  for (const revision of ['1:2.39.5-0+deb12u2', 'a/b@c&d=e?f#g', '50 % of %3A', '日本 100%'])
    it(`is asked for by the whole revision: ${revision}`, async () => {
      lab.expect(/404 .*value_stream_map/);
      const page = await lab.visit('/materials');
      await page.getByRole('heading', { name: 'Materials' }).waitFor();
      const asked = page.waitForRequest(/\/api\/materials\/lib\/value_stream_map/);
      await page.goto(`/materials/value_stream_map/lib/${encodeURIComponent(revision)}`);
      assert.equal(new URL((await asked).url()).pathname, `/api/materials/lib/value_stream_map/${encodeURIComponent(revision)}`);
      await page.getByRole('heading', { name: `Revision ${revision.slice(0, 12)}` }).waitFor();
      await page.getByRole('alert').waitFor();
    });
});
