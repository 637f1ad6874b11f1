// The page that compares two runs, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  type Comparison,
  counterIn,
  isTakenAway,
  type MaterialChanges,
  offsetAfter,
  rowOf,
  sentenceOf,
} from '../../../pages/compare/comparison.ts';
import { type Agent, type RunLab, stage } from '../../builds/run-lab.ts';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

const CHANGES: MaterialChanges = {
  material: { type: 'git', fingerprint: 'f', attributes: { name: null, display_type: 'Git', description: 'URL' } },
  total: 3,
  offset: 0,
  revision: [{ revision_sha: 'abc', modified_by: 'Ann', modified_at: '2026-01-31T09:30:00Z', commit_message: 'Logo' }],
};
const NOTHING: Comparison = { pipeline_name: 'web', is_complete: true, total: 0, changes: [], removed_total: 0, removed: [] };

describe('a comparison', () => {
  it('is put into words, in the direction that was asked for', () => {
    const some = { ...NOTHING, total: 3, changes: [CHANGES] };
    const back = { ...NOTHING, removed_total: 3, removed: [CHANGES] };
    assert.equal(sentenceOf(some, 1, 2), '3 changes in 1 material came with 2 since 1.');
    assert.equal(sentenceOf(some, 2, 1), 'Going back from 2 to 1 takes away 3 changes in 1 material.');
    assert.equal(sentenceOf(back, 1, 2), 'Going back from 1 to 2 takes away 3 changes in 1 material.');
    assert.equal(sentenceOf(back, 2, 1), '3 changes in 1 material came with 1 since 2.');
    const both = '3 changes in 1 material came with 2 since 1. Going back from 1 to 2 takes away 3 changes in 1 material.';
    assert.equal(sentenceOf({ ...back, total: 3, changes: [CHANGES] }, 1, 2), both);
    assert.deepEqual([isTakenAway('removed', 1, 2), isTakenAway('changes', 1, 2), isTakenAway('changes', 2, 1)], [true, false, true]);
    assert.equal(sentenceOf(NOTHING, 2, 2), 'Run 2 is compared with itself. Choose another run.');
    assert.equal(sentenceOf(NOTHING, 1, 2), 'Nothing changed: 1 and 2 were made from the same revisions.');
    assert.equal(sentenceOf({ ...NOTHING, is_complete: false }, 1, 2), 'Nothing that you may see changed.');
  });

  it('is read page by page: the next page begins where the last one ended', () => {
    assert.equal(offsetAfter(CHANGES), 1);
    assert.equal(offsetAfter({ ...CHANGES, offset: 2 }), undefined);
    assert.equal(offsetAfter({ ...CHANGES, revision: [] }), 0);
  });

  it('has rows for revisions and for runs of upstream pipelines', () => {
    assert.deepEqual(rowOf(CHANGES.revision[0]!), {
      revision: 'abc',
      label: undefined,
      isRun: false,
      author: 'Ann',
      at: '2026-01-31T09:30:00Z',
      message: 'Logo',
    });
    const above = { revision: 'lib/3/test/1', pipeline_counter: '3', pipeline_label: '1.3', completed_at: 'x' };
    assert.deepEqual(rowOf(above), { revision: 'lib/3/test/1', label: '1.3', isRun: true, author: null, at: 'x', message: null });
  });

  it('takes only counters of runs', () => {
    assert.deepEqual(['1', ' 12 ', '0', '-1', '1.5', 'x', ''].map(counterIn), [
      1,
      12,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

const COMMITS = 25;

describe('the page that compares runs', () => {
  let lab: BrowserLab;
  let builds: RunLab;
  let agent: Agent;
  /** The revision of lib/1. */
  let first: string;

  /** lib (secret) → app: app/2 has many commits more than app/1, through lib/2; app/3 has none. */
  before(async () => {
    lab = await BrowserLab.start();
    ({ builds } = lab);
    await addUser(builds.server, 'vera');
    const open = { name: 'open', authorization: { view: { users: ['vera'], roles: [] } } };
    await builds.post('/api/admin/pipeline_groups', open);
    await builds.post('/api/admin/pipeline_groups', { name: 'secret', authorization: {} });
    await builds.pipeline('lib', { stages: [stage('test')] }, 'secret');
    const above = { type: 'dependency', attributes: { pipeline: 'lib', stage: 'test' } };
    await builds.pipeline('app', { materials: [above], stages: [stage('test')] }, 'open');
    agent = await builds.agent();
    await builds.poll();
    first = await builds.origin.tip();
    await agent.build();
    await agent.build();
    await builds.stageResult('app/1/test/1', 'Passed');
    for (let commit = 1; commit <= COMMITS; commit++) await builds.origin.commit(`Commit ${commit}\n\n<b>Body</b> of ${commit}`);
    await builds.poll();
    await agent.build();
    await agent.build();
    await builds.stageResult('app/2/test/1', 'Passed');
    await until('its turn', async () => (await builds.post('/api/pipelines/app/schedule')).status === 202);
    await agent.build();
    await builds.stageResult('app/3/test/1', 'Passed');
  });
  after(() => lab?.stop());
  afterEach(() => lab.endTest());

  it('lists all changes, also through upstream pipelines, a page at a time', async () => {
    const page = await lab.visit('/compare/app/1/with/2');
    await page.getByText(`${COMMITS + 1} changes in 2 materials came with 2 since 1.`).waitFor();
    await page.getByRole('link', { name: 'lib/2/test/1' }).waitFor();
    await page.getByText(`20 of ${COMMITS} shown`).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('Commit 1', { exact: true }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    await page.getByText('Commit 1', { exact: true }).click();
    await page.getByText('<b>Body</b> of 1', { exact: true }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.close();
  });

  it('swaps the two runs, and takes other runs', async () => {
    const page = await lab.visit('/compare/app/1/with/2');
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.waitForURL('**/compare/app/2/with/1');
    await page.getByText('Going back from 2 to 1 takes away').waitFor();
    await page.getByLabel('From run').fill('3');
    await page.getByLabel('to run').fill('2');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/compare/app/3/with/2');
    await page.getByText('Nothing changed: 3 and 2 were made from the same revisions.').waitFor();
    await page.getByLabel('to run').fill('x');
    assert.ok(await page.getByRole('button', { name: 'Compare' }).isDisabled());
    await lab.assertAccessible(page);
    await page.close();
  });

  it('tells what a run takes back that was made from an older revision', async () => {
    const { json: run } = await builds.server.get('/api/pipelines/lib/1/instance');
    const { fingerprint } = run.build_cause.material_revisions[0].material;
    const materials = [{ fingerprint, revision: first }];
    await until('its turn', async () => (await builds.post('/api/pipelines/lib/schedule', { materials })).status === 202);
    await agent.build();
    await builds.stageResult('lib/3/test/1', 'Passed');
    const activity = await lab.visit('/pipeline/activity/lib');
    await activity.getByText('Went back to an earlier revision of').waitFor();
    await activity.getByRole('button', { name: 'Run with options' }).click();
    const newest = await builds.origin.tip();
    await activity.getByText(new RegExp(`^Newest: ${newest.slice(0, 10)} by .*: Commit ${COMMITS}$`)).waitFor();
    await activity.getByText(`Last run with ${first.slice(0, 10)}`, { exact: true }).waitFor();
    await activity.close();
    const page = await lab.visit('/compare/lib/2/with/3');
    await page.getByText(`Going back from 2 to 3 takes away ${COMMITS} changes in 1 material.`).waitFor();
    await page.getByText(`${COMMITS} changes taken away`).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('Commit 1', { exact: true }).waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.getByText(`${COMMITS} changes in 1 material came with 2 since 3.`).waitFor();
    await page.close();
  });

  it('says that a run is missing, or the right to see the upstream pipeline', async () => {
    lab.expect(/404 |403 /);
    const page = await lab.visit('/compare/app/1/with/99');
    await page.getByText('Pipeline [app/99] not found.').waitFor();
    await lab.assertAccessible(page);
    await page.close();
    const viewer = await lab.visit('/compare/app/1/with/2', { name: 'vera', password: PASSWORD });
    await viewer.getByText('Not everything is listed').waitFor();
    await viewer.getByText('Nothing that you may see changed.').waitFor();
    await lab.assertAccessible(viewer);
    await viewer.goto('/compare/lib/1/with/2');
    await viewer.getByText('You are not authorized to perform this action.').waitFor();
    await lab.assertAccessible(viewer);
    await viewer.close();
  });
});
