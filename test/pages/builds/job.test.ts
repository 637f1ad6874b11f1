// The page of a job, in a real browser: its console live and long, its artifacts, and all of it drawn as nothing but text.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { mergePages, sortItems, totalOf } from '../../../pages/job/artifacts/tree.ts';
import { timesInStates } from '../../../pages/job/job.ts';
import type { Work } from '../../../src/contracts/agent-protocol/work.ts';
import { stage } from '../../builds/run-lab.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';
import { agentOf, begin, leave } from './job-lab.ts';

let lab: BrowserLab;
let agent: FakeAgent;
let work: Work;
const SCRIPT = '<script>globalThis.hacked = true</script>';
const AT = '/tab/build/detail/web/1/build/1/compile';
const TABS = [
  { name: 'report', path: 'out/index.html' },
  { name: 'none', path: 'nope.html' },
];
const REPORT = `<h1>Report</h1><p id="o"></p><script>
const say = (name, act) => { try { act(); document.getElementById('o').textContent += name + ' worked. '; } catch (e) { document.getElementById('o').textContent += name + ' refused. '; } };
say('parent', () => parent.document.title); say('cookie', () => document.cookie); say('storage', () => localStorage.length);
</script>`;
const TESTS = `<testsuite><testcase classname="Cart" name="adds" time="0.2"/><testcase classname="Cart" name="${escaped(SCRIPT)}" time="1.5"><failure message="${escaped(`<img src=x onerror=alert(1)>`)}">at line 7 ${escaped(SCRIPT)}</failure></testcase><testcase classname="Cart" name="later"><skipped/></testcase></testsuite>`;

before(async () => {
  lab = await BrowserLab.start();
  const build = stage('build', {}, ['compile', 'windows']);
  const [compile, windows] = build.jobs;
  const jobs = [
    { ...compile, tabs: TABS },
    { ...windows, resources: ['windows'] },
  ];
  await lab.builds.pipeline('web', { stages: [{ ...build, jobs }] });
  await lab.builds.poll();
  await lab.builds.run('web', 1);
  agent = await agentOf(lab, { hostname: 'builder-1' });
  work = await begin(agent);
});
after(async () => {
  await agent?.stop();
  await lab?.stop();
});
afterEach(() => lab.endTest());

const log = (page: Page) => page.getByRole('log');
const line = (page: Page, text: string) => log(page).locator('.log-row', { hasText: text });
const isHacked = (page: Page) => page.evaluate<boolean>("'hacked' in globalThis");

describe('the page of a job', () => {
  it('follows the console while the job runs', async () => {
    await agent.print(work, `##|09:30:00.000 begins\n!!|09:30:00.100 Task: one\n&1|09:30:01.000 ${SCRIPT}\n`);
    const page = await lab.visit(AT);
    await line(page, SCRIPT).waitFor();
    await page.getByRole('link', { name: 'builder-1' }).waitFor();
    const more = Array.from({ length: 300 }, (_, index) => `&1|09:30:02.000 line ${index}\n`).join('');
    await agent.print(work, more);
    await line(page, 'line 299').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed'), 'true');
    // A user who scrolls wants to read: the page stops following the end.
    await log(page).hover();
    await page.mouse.wheel(0, -2_000);
    await until('no follow', async () => (await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')) === 'false');
    await agent.print(work, '?1|09:30:03.000 Task failed\n!!|09:30:03.100 Task: two\n&1|09:30:03.200 NEEDLE \u001b[31mred\u001b[0m\n');
    await page.getByText('306 lines, more will come').waitFor();
    assert.equal(await line(page, 'NEEDLE').count(), 0);
    await page.keyboard.press('f');
    await line(page, 'NEEDLE').waitFor();
    assert.equal(await log(page).locator('.ansi-1').textContent(), 'red');
    assert.equal(await isHacked(page), false);
  });

  it('says in words why a job waits', async () => {
    const page = await lab.visit(`${AT.replace('compile', 'windows')}`);
    await page.getByText("The job needs an agent with 'windows'").waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('shows the artifacts of the job, once it has ended', async () => {
    const page = await lab.visit(`${AT}?tab=artifacts`);
    await page.getByText('Artifacts are listed here once').waitFor();
    const name = '<img src=x onerror=alert(1)>.txt';
    await leave(agent, work, 'build', { 'out/index.html': REPORT, [`out/${name}`]: 'x'.repeat(1_500), 'out/deep/er/file.txt': 'y' });
    await leave(agent, work, 'test', { 'testoutput/TEST-a.xml': TESTS });
    await agent.print(work, 'j1|09:30:04.000 Job failed\n');
    await agent.complete(work, 'Failed');
    await page.locator('.page-header').getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByText('1.5 kB', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'deep/' }).click();
    await page.getByRole('button', { name: 'er/' }).click();
    await page.getByRole('link', { name: 'file.txt', exact: true }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download file.txt' }).click()]);
    assert.equal(file.suggestedFilename(), 'file.txt');
    const [zip] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download out as zip' }).click()]);
    assert.equal(zip.suggestedFilename(), 'out.zip');
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('shows failed tests, since when they fail, and how they went before', async () => {
    await until('tests', async () => (await lab.builds.get('/api/jobs/web/1/build/1/compile/tests')).status === 200);
    const page = await lab.visit(`${AT}?tab=tests`);
    await page.getByText('1 failed, 1 passed, 1 skipped').waitFor();
    await page.getByText(SCRIPT, { exact: true }).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>', { exact: true }).waitFor();
    await page.getByText('Trace').click();
    await page.getByText('at line 7').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('link', { name: /Run 1: failed/ }).waitFor();
    assert.equal(await isHacked(page), false);
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('shows a report in a sandbox that cannot reach the page', async () => {
    const page = await lab.visit(AT);
    await page.getByRole('tab', { name: 'report' }).click();
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'report:report');
    const frame = page.frameLocator('iframe');
    await frame.getByText('parent refused. cookie refused. storage refused.').waitFor();
    await page.getByRole('tab', { name: 'none' }).click();
    await page.getByText('has not published nope.html').waitFor();
  });

  it('shows materials and states', async () => {
    const page = await lab.visit(`${AT}?tab=materials`);
    await page.getByText('first').waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('tab', { name: 'Materials' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'Preparing' }).waitFor();
    await lab.assertAccessible(page);
  });

  it('cancels the stage, and runs the job again', async () => {
    const page = await lab.visit(AT);
    await page.getByRole('button', { name: 'Cancel the stage …' }).click();
    await page.getByRole('button', { name: 'Cancel the stage', exact: true }).click();
    await page.getByRole('button', { name: 'Run this job again' }).click();
    await page.waitForURL('**/web/1/build/2/compile');
    await page.locator('.page-header').getByText('Scheduled').waitFor();
    await page.goto(AT);
    await page.getByRole('link', { name: 'see run 2' }).waitFor();
  });

  it('marks a failed test that passed on the same revisions as flaky', async () => {
    const page = await lab.visit(`${AT}?tab=tests`);
    await page.getByText('1 failed, 1 passed, 1 skipped').waitFor();
    assert.equal(await page.getByText('flaky').count(), 0);
    const again = await begin(agent);
    await leave(agent, again, 'test', { 'testoutput/TEST-a.xml': TESTS.replace(/<failure.*<\/failure>/, '') });
    await agent.complete(again);
    await until('flaky tests', async () => (await lab.builds.get('/api/pipelines/web/tests')).json.flaky.length === 1);
    await page.reload();
    await page.getByText('flaky failed 1 of 2 times on the same revisions').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });
});

describe('the console of a job', () => {
  it('finds text, errors and lines, folds tasks and hides times', async () => {
    const page = await lab.visit(`${AT}#L120`);
    await log(page).locator('.is-selected', { hasText: 'line 116' }).waitFor();
    await page.keyboard.press('e');
    await log(page).locator('.is-selected', { hasText: 'Task failed' }).waitFor();
    assert.equal(new URL(page.url()).hash, '#L304');
    await page.keyboard.press('e');
    await log(page).locator('.is-selected', { hasText: 'Job failed' }).waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('line 29');
    await page.getByText('11 lines', { exact: true }).waitFor();
    await page.getByLabel('Search in the console').fill('');
    // Faster than the search, which still has the matches of the last text.
    await page.keyboard.type('needle');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    assert.equal(await log(page).locator('.is-selected mark').textContent(), 'NEEDLE');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Search in the console').inputValue(), 'needle');
    await log(page).hover();
    await page.mouse.wheel(0, -20_000);
    await until('out of sight', async () => (await log(page).locator('mark').count()) === 0);
    await page.keyboard.press('n');
    await log(page).locator('.is-selected mark').waitFor();
    await page.getByRole('button', { name: 'Fold tasks' }).click();
    await page.getByText('(302 lines)').waitFor();
    assert.equal(await line(page, 'line 7').count(), 0);
    await page.getByRole('button', { name: 'Output of the task in line 2' }).click();
    await log(page).evaluate((box) => box.scrollTo(0, 0));
    await line(page, 'line 7').first().waitFor();
    assert.ok((await log(page).locator('.log-time').count()) > 0);
    await page.getByRole('button', { name: 'Times' }).click();
    await until('no times', async () => (await log(page).locator('.log-time').count()) === 0);
    await log(page).getByRole('link', { name: '5', exact: true }).click();
    assert.equal(new URL(page.url()).hash, '#L5');
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });
});

describe('the logic of the page of a job', () => {
  it('puts pages of a list together, sorts and sums them', () => {
    const file = (name: string, size: number) => ({ name, url: `/${name}`, type: 'file' as const, size });
    const folder = (name: string, ...files: ReturnType<typeof file>[]) => ({ name, url: `/${name}`, type: 'folder' as const, files });
    const tree = mergePages([
      [file('b', 1), folder('lib', file('x10', 2))],
      [folder('lib', file('x9', 4)), file('z', 8)],
    ]);
    assert.deepEqual(totalOf(tree), { files: 4, bytes: 15 });
    assert.deepEqual(
      sortItems(tree).map(({ name }) => name),
      ['lib', 'b', 'z'],
    );
    assert.deepEqual(
      tree.flatMap((item) => (item.type === 'folder' ? sortItems(item.files).map(({ name }) => name) : [])),
      ['x9', 'x10'],
    );
  });

  it('knows how long a job was in each state', () => {
    const times = timesInStates([
      { state: 'Scheduled', state_change_time: 10 },
      { state: 'Assigned', state_change_time: 25 },
    ]);
    assert.deepEqual(times, [
      { state: 'Scheduled', at: 10, ms: 15 },
      { state: 'Assigned', at: 25, ms: null },
    ]);
  });
});

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
