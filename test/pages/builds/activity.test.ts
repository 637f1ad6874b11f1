// The page of a pipeline: its runs, the actions of users on them, and why it does not run; in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { pairOf, toggleRun } from '../../../pages/activity/compared-runs.ts';
import { changesOf, type Run, type RunMaterial, type RunStage, unchangedText, wentBack } from '../../../pages/activity/run.ts';
import { nextList } from '../../../pages/activity/run-list.ts';
import { actionsOf, labelOf } from '../../../pages/activity/stage-action.ts';
import { BARS_HEIGHT, barsOf, type RunStatistics, rateText } from '../../../pages/activity/statistics.ts';
import { headlineOf, nextByTimer, type Why } from '../../../pages/activity/why.ts';
import { authorName, firstLine, pluralize, shortRevision } from '../../../pages/kit/text/text.ts';
import { type Agent, type RunLab, stage } from '../../builds/run-lab.ts';
import { addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

const STAGE: RunStage = {
  name: 'build',
  counter: '1',
  scheduled: true,
  status: 'Passed',
  result: 'Passed',
  approval_type: 'success',
  approved_by: 'changes',
  operate_permission: true,
  can_run: true,
  awaits_approval: false,
  can_rerun_failed_jobs: false,
  scheduled_date: 1,
  completed_date: 2,
  jobs: [],
};

const runOf = (counter: number, more: Partial<Run> = {}): Run => ({
  name: 'web',
  counter,
  label: String(counter),
  comment: null,
  scheduled_date: counter,
  build_cause: { trigger_message: '', approver: 'changes', material_revisions: [] },
  stages: [],
  ...more,
});

describe('the list of runs', () => {
  const counters = (runs: readonly Run[]) => runs.map(({ counter }) => counter);
  const listed = [3, 2, 1].map((counter) => runOf(counter));

  it('shows new runs at once at its top', () => {
    const { runs, waiting } = nextList(
      listed,
      [4, 3, 2].map((counter) => runOf(counter)),
      false,
    );
    assert.deepEqual([counters(runs), waiting], [[4, 3, 2], 0]);
  });

  it('keeps the runs that are read, also runs that newer ones push off the page, and counts the new runs', () => {
    const fresh = [5, 4, 3].map((counter) => runOf(counter, { label: 'fresh' }));
    const { runs, waiting } = nextList(listed, fresh, true);
    assert.deepEqual([counters(runs), waiting, runs[0]?.label], [[3, 2, 1], 2, 'fresh']);
  });

  it('keeps all runs that were read, and counts all new ones, when more came than fit on a page', () => {
    const { runs, waiting } = nextList(
      listed,
      [9, 8, 7].map((counter) => runOf(counter)),
      true,
    );
    assert.deepEqual([counters(runs), waiting], [[3, 2, 1], 6]);
  });
});

describe('two runs to compare', () => {
  it('are the last two that were chosen', () => {
    assert.deepEqual(toggleRun(toggleRun([], 4), 2), [4, 2]);
    assert.deepEqual(toggleRun([4, 2], 7), [2, 7]);
    assert.deepEqual(toggleRun([4, 2], 4), [2]);
  });

  it('come in their order, or are the selected run and the run before it', () => {
    assert.deepEqual(pairOf([4, 2], 9), [2, 4]);
    assert.deepEqual(pairOf([4], 9), [4, 9]);
    assert.deepEqual(pairOf([4], undefined), [3, 4]);
    assert.deepEqual(pairOf([], 5), [4, 5]);
    assert.equal(pairOf([], 1), undefined);
    assert.equal(pairOf([], undefined), undefined);
  });
});

describe('a stage', () => {
  const offered = (more: Partial<RunStage>) => actionsOf(runOf(1), { ...STAGE, ...more }).map(labelOf);

  it('offers the actions that are possible now', () => {
    assert.deepEqual(offered({}), ['Run build again']);
    assert.deepEqual(offered({ can_run: false }), []);
    assert.deepEqual(offered({ can_rerun_failed_jobs: true }), ['Run failed jobs of build again', 'Run build again']);
    assert.deepEqual(offered({ result: 'Unknown', can_run: false }), ['Cancel build']);
    assert.deepEqual(offered({ result: 'Unknown', can_run: false, operate_permission: false }), []);
    assert.deepEqual(offered({ scheduled: false, result: 'Unknown' }), ['Run build']);
  });
});

describe('why a pipeline does not run', () => {
  const why = (reasons: Why['reasons'], more: Partial<Why> = {}): Why => ({
    will_run: false,
    is_requested: false,
    reasons,
    last_run: { counter: 7, label: '1.7' },
    materials: [],
    ...more,
  });

  it('is said in one sentence, with the number of other reasons', () => {
    const paused = { rule: 'paused', message: 'The pipeline was paused by ann. Unpause it.' };
    const done = { rule: 'already_run', message: '', run: 7 };
    const timer = { rule: 'timer', message: '', next: '2026-01-31T09:30:00Z' };
    assert.deepEqual(headlineOf(why([paused, done, timer])), {
      text: 'Paused: nothing starts until it is unpaused.',
      tone: 'paused',
      others: 1,
    });
    assert.deepEqual(headlineOf(why([done])), { text: 'Up to date: nothing has changed since run 1.7.', tone: 'quiet', others: 0 });
    const waits = { rule: 'job_waits', message: "The job 'x' waits. No agent fits.", run: 3, job_rules: ['no_agent'] };
    const active = { rule: 'stage_active', message: '', stage: 'build', runs: [3] };
    assert.deepEqual(headlineOf(why([waits, active, done])), { text: waits.message, tone: 'warning', others: 1 });
    assert.equal(headlineOf(why([{ ...waits, job_rules: ['busy'] }, active])).tone, 'building');
    const blind = { rule: 'no_modifications', message: '', materials: [{ description: '' }] };
    assert.equal(headlineOf(why([blind])).text, 'Waits for the first revision of a material.');
    const failed = { ...blind, materials: [{ description: '', poll_error: 'No such repository' }] };
    assert.equal(headlineOf(why([failed])).text, 'A material cannot be polled: its last poll failed.');
    assert.equal(headlineOf(why([{ rule: 'locked', message: '', run: 3 }])).text, 'Locked: run 3 holds the lock.');
    assert.equal(nextByTimer(why([done, timer])), '2026-01-31T09:30:00Z');
  });

  it('is the sentence of the server where the page does not know the rule', () => {
    assert.deepEqual(headlineOf(why([{ rule: 'eclipse', message: 'The moon stands before it.' }])), {
      text: 'The moon stands before it.',
      tone: 'warning',
      others: 0,
    });
  });

  it('says that the pipeline will run', () => {
    assert.match(headlineOf(why([], { will_run: true })).text, /Something has changed/);
    assert.match(headlineOf(why([], { will_run: true, is_requested: true })).text, /was asked for/);
  });
});

describe('statistics', () => {
  const run = (counter: number, duration_ms: number): RunStatistics => ({
    counter,
    label: '',
    result: 'Passed',
    duration_ms,
    waiting_ms: 0,
  });

  it('show runs as bars: the longer the run, the higher the bar, the newest on the right', () => {
    const bars = barsOf([run(2, 500), run(1, 1000)]);
    assert.deepEqual(
      bars.map(({ run, x, height }) => [run.counter, x, height]),
      [
        [1, 0, BARS_HEIGHT],
        [2, 7, 16],
      ],
    );
    assert.equal(barsOf([run(1, 0)])[0]?.height, 3);
    assert.equal(barsOf(Array.from({ length: 90 }, (_, index) => run(90 - index, 1))).at(-1)?.run.counter, 90);
  });

  it('do not round 99.9 % up to all passed', () => {
    assert.deepEqual(
      [rateText(1), rateText(0.999), rateText(0.5), rateText(0.001), rateText(0)],
      ['100 %', '> 99 %', '50 %', '< 1 %', '0 %'],
    );
  });
});

describe('changes', () => {
  it('come from changed materials, the newest first', () => {
    const material = (fingerprint: string, changed: boolean, ...times: number[]) => ({
      changed,
      material: { name: fingerprint, fingerprint, type: 'Git', description: '' },
      modifications: times.map((time) => ({ revision: `${time}`, modified_time: time, user_name: null, comment: null })),
    });
    const materials = [material('a', true, 5, 1), material('b', false, 9), material('c', true, 3)];
    const changes = changesOf(runOf(1, { build_cause: { trigger_message: '', approver: '', material_revisions: materials } }));
    assert.deepEqual(
      changes.map(({ material: { name }, modification }) => `${name}${modification.revision}`),
      ['a5', 'c3', 'a1'],
    );
  });

  it('are said to be missing only as they are', () => {
    const from = (...steps: NonNullable<RunMaterial['since_previous_run']>[]) => {
      const materials = steps.map((step, index) => ({
        changed: false,
        since_previous_run: step,
        material: { name: `m${index}`, fingerprint: String(index), type: 'Git', description: '' },
        modifications: [{ revision: 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb', modified_time: 1, user_name: null, comment: null }],
      }));
      return runOf(2, { build_cause: { trigger_message: '', approver: '', material_revisions: materials } });
    };
    assert.equal(unchangedText(from('same', 'same')), 'No changes: its materials have the same revisions as before');
    assert.equal(unchangedText(from('same', 'older')), 'Went back to an earlier revision of m1: a788f1876e');
    assert.equal(unchangedText(from('same', 'newer')), 'No new changes: made from revisions that earlier runs had');
    assert.equal(wentBack(from('older', 'newer')).length, 1);
  });

  it('are shown in short', () => {
    assert.equal(shortRevision('a788f1876e2e1f6e5a1e91006e75cd1d467a0edb'), 'a788f1876e');
    assert.equal(shortRevision('shop/7/build/1'), 'shop/7/build/1');
    assert.equal(authorName('Ann Other <ann@example.org>'), 'Ann Other');
    assert.equal(authorName('<ann@example.org>'), '<ann@example.org>');
    assert.equal(authorName(null), '');
    assert.equal(firstLine('one\ntwo'), 'one');
    assert.deepEqual([pluralize(1, 'change'), pluralize(0, 'change')], ['1 change', '0 changes']);
  });
});

const MANUAL = { approval: { type: 'manual' } };
const EVIL = '<img src=x onerror="document.title=1"> takes over';

describe('the page of a pipeline', () => {
  let lab: BrowserLab;
  let builds: RunLab;
  let agent: Agent;

  before(async () => {
    lab = await BrowserLab.start();
    ({ builds } = lab);
    agent = await builds.agent();
    await addUser(builds.server, 'vera');
    await addUser(builds.server, 'nora');
    await builds.post('/api/admin/pipeline_groups', { name: 'shop', authorization: { view: { users: ['vera'], roles: [] } } });
    await builds.origin.commit(`${EVIL}\n\nIn two parts.`);
    await builds.pipeline('shop', { stages: [stage('test', MANUAL), stage('deploy', MANUAL, ['ship', 'tell'])] });
    await builds.poll();
  });
  after(() => lab?.stop());
  afterEach(() => lab.endTest());

  const pill = (page: Page, name: string, state: string) => page.getByRole('link', { name: new RegExp(`^${name} ?${state}`) });
  const waitForMessage = (page: Page, text: string | RegExp) => page.locator('.message').getByText(text).first().waitFor();
  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, run: string, item: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${run}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  /** Runs that end at once. */
  const runs = async (pipeline: string, from: number, to: number): Promise<void> => {
    for (let counter = from; counter <= to; counter++) {
      const ask = () => builds.post(`/api/pipelines/${pipeline}/schedule`, { update_materials_before_scheduling: false });
      await until('its turn', async () => (await ask()).status === 202);
      await builds.run(pipeline, counter);
      await builds.post(`/api/stages/${pipeline}/${counter}/test/1/cancel`);
    }
  };

  it('says that there are no runs, why, and how to begin', async () => {
    const page = await lab.visit('/pipeline/activity/SHOP');
    await page.getByText('shop has not run yet.').waitFor();
    await page.getByText('Runs only when a user or a timer triggers it.').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    assert.match((await page.locator('.command pre').textContent()) ?? '', /\/api\/pipelines\/shop\/schedule/);
    await page.getByRole('button', { name: 'Run it now' }).click();
    await pill(page, 'test', 'waits for an agent').waitFor();
    await page.close();
  });

  it('follows a run: stages, gates, failures, and reruns', async () => {
    const page = await lab.visit('/pipeline/activity/shop');
    await agent.build();
    await pill(page, 'test', 'Passed').waitFor();
    await page.getByRole('button', { name: 'Run deploy of 1' }).click();
    await confirm(page, 'Run');
    await pill(page, 'deploy', 'waits for an agent').waitFor();
    await agent.build('Failed');
    await agent.build('Passed');
    await pill(page, 'deploy', 'Failed').waitFor();
    await lab.assertAccessible(page);
    await choose(page, '1', 'Run failed jobs of deploy again');
    await page.getByText('These are: ').waitFor();
    await confirm(page, 'Run');
    await agent.build();
    await pill(page, 'deploy', 'Passed').waitFor();
    await choose(page, '1', 'Run deploy again');
    await confirm(page, 'Run');
    await page.getByRole('button', { name: 'Cancel deploy of 1' }).click();
    await confirm(page, 'Cancel the stage');
    await pill(page, 'deploy', 'Cancelled').waitFor();
    await page.close();
  });

  it('shows changes as text, with their authors', async () => {
    const page = await lab.visit('/pipeline/activity/shop');
    await page.getByText(EVIL).click();
    await page.getByText('In two parts.').waitFor({ state: 'attached' });
    await page.getByText('Ann Other').nth(1).waitFor();
    assert.equal(await page.title(), 'shop · Slipway');
    await page.getByRole('group', { name: 'Durations, oldest first' }).waitFor();
    assert.match((await page.getByRole('img').first().getAttribute('aria-label')) ?? '', /^1: cancelled, /);
    await page.getByText('Runs only when a user or a timer triggers it.').click();
    await page.getByRole('columnheader', { name: 'Newest known' }).waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.close();
  });

  it('takes a comment, and changes it', async () => {
    const page = await lab.visit('/pipeline/activity/shop');
    await choose(page, '1', 'Comment …');
    await page.getByRole('textbox', { name: 'Comment' }).fill('Shipped by hand\nafter the meeting');
    await lab.assertAccessible(page);
    await confirm(page, 'Save');
    await page.locator('.run-comment').getByText('Shipped by hand').click();
    await page.locator('.run-comment').getByText('after the meeting').waitFor();
    await choose(page, '1', 'Change the comment …');
    await page.getByRole('textbox', { name: 'Comment' }).fill('');
    await confirm(page, 'Save');
    await page.locator('.run-comment').waitFor({ state: 'detached' });
    await page.close();
  });

  it('is paused, unpaused and run by keys, and run with options', async () => {
    const page = await lab.visit('/pipeline/activity/shop');
    await page.locator('.run').first().waitFor();
    await page.keyboard.press('p');
    await page.getByLabel('Why?').fill('lunch');
    await page.keyboard.press('Enter');
    await page.getByText('by admin').getByText(': lunch').waitFor();
    await page.getByText('Paused: nothing starts until it is unpaused.').waitFor();
    await lab.assertAccessible(page);
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Pause …' }).waitFor();
    await page.keyboard.press('t');
    await pill(page, 'test', 'waits for an agent').waitFor();
    await agent.build();
    await page.getByRole('button', { name: 'Run deploy of 2' }).waitFor();
    await page.keyboard.press('o');
    await page.getByText('Last run with').waitFor();
    await confirm(page, 'Run');
    await waitForMessage(page, /schedule pipeline shop accepted/);
    await pill(page, 'test', 'waits for an agent').waitFor();
    await agent.build();
    await page.close();
  });

  it('is unlocked, once its run rests', async () => {
    await builds.pipeline('locked', { lock_behavior: 'lockOnFailure', stages: [stage('test', MANUAL), stage('deploy')] });
    await runs('locked', 1, 1);
    const page = await lab.visit('/pipeline/activity/locked');
    await page.getByText('Locked: run 1 holds the lock.').waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('button', { name: 'Unlock' }).waitFor({ state: 'detached' });
    await page.close();
  });

  it('leads to the comparison of two runs, and to the map of a run', async () => {
    const page = await lab.visit('/pipeline/activity/shop');
    await page.getByLabel('Choose 1 to compare').check();
    await page.getByLabel('Choose 3 to compare').check();
    await page.getByRole('link', { name: 'Compare 1 with 3' }).click();
    await page.waitForURL('**/compare/shop/1/with/3');
    await page.goBack();
    await page.locator('.run').first().waitFor();
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
    await page.locator('.run[aria-current]').getByRole('link', { name: '2', exact: true }).waitFor();
    await page.keyboard.press('c');
    await page.waitForURL('**/compare/shop/1/with/2');
    await page.goBack();
    await page.locator('.run').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/value_stream_map/shop/3');
    await page.goBack();
    await choose(page, '3', 'Compare with the run before');
    await page.waitForURL('**/compare/shop/2/with/3');
    await page.close();
  });

  it('reads older runs on demand, and does not jump when new runs come', async () => {
    await builds.pipeline('long', { stages: [stage('test', MANUAL)] });
    await runs('long', 1, 24);
    const page = await lab.visit('/pipeline/activity/long');
    await page.getByRole('link', { name: '24', exact: true }).waitFor();
    assert.equal(await page.locator('.run').count(), 20);
    await page.getByRole('button', { name: 'Load more' }).click();
    await until('older ones', async () => (await page.locator('.run').count()) === 24);
    await page.evaluate('scrollTo(0, 600)');
    const topOfRun = () => page.evaluate<number>('document.querySelectorAll(".run")[15].getBoundingClientRect().top');
    await until('the scroll', async () => (await page.evaluate<number>('scrollY')) > 300);
    const before = await topOfRun();
    await runs('long', 25, 26);
    await page.getByRole('button', { name: '2 new' }).waitFor();
    assert.equal(await topOfRun(), before);
    assert.equal(await page.locator('.run').count(), 24);
    await page.getByRole('button', { name: '2 new' }).click();
    await page.getByRole('link', { name: '26', exact: true }).waitFor();
    const drawn = await page.locator('.run:has(*)').count();
    assert.ok(drawn < (await page.locator('.run').count()), 'runs out of sight are not drawn');
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.close();
  });

  it('keeps the last data when a new read fails', async () => {
    lab.expect(/500 /);
    const page = await lab.visit('/pipeline/activity/shop');
    await page.getByRole('link', { name: '3', exact: true }).waitFor();
    await page.route('**/history*', (route) => route.fulfill({ status: 500, body: '{"message":"Something broke."}' }));
    await builds.post('/api/pipelines/shop/3/comment', { comment: 'unseen' });
    await page.getByText('Something broke.').waitFor();
    await lab.assertAccessible(page);
    await page.unroute('**/history*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('unseen').waitFor();
    await page.close();
  });

  it('says which of its parts could not be read, and shows the rest', async () => {
    lab.expect(/500 /);
    const page = await lab.visit('/about');
    for (const part of ['why', 'statistics'])
      await page.route(`**/shop/${part}`, (route) => route.fulfill({ status: 500, body: '{"message":"It broke."}' }));
    await page.goto('/pipeline/activity/shop');
    await page.getByText('Why it does not run could not be read. It broke.').waitFor();
    await page.unroute('**/shop/statistics');
    await page.getByText('How the last runs went could not be read.').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: /in numbers$/ }).waitFor();
    await page.getByRole('link', { name: '3', exact: true }).waitFor();
    await page.close();
  });

  it('offers viewers only actions that they may take, and tells users without rights whom to ask', async () => {
    lab.expect(/403 /);
    const viewer = await lab.visit('/pipeline/activity/shop', { name: 'vera', password: PASSWORD });
    await viewer.getByText('You may look, but not run it.').waitFor();
    await viewer.getByRole('link', { name: '3', exact: true }).waitFor();
    assert.equal(await viewer.getByRole('button', { name: /Run|Pause|Unlock/ }).count(), 0);
    await lab.assertAccessible(viewer);
    await viewer.close();
    const stranger = await lab.visit('/pipeline/activity/shop', { name: 'nora', password: PASSWORD });
    await stranger.getByText('Ask an administrator for the right to view its group.').waitFor();
    await lab.assertAccessible(stranger);
    await stranger.close();
  });

  it('keeps a text that turns its direction to itself: the words beside it stay as they are', async () => {
    await builds.origin.commit('turns \u202e around');
    await builds.pipeline('turned', { stages: [stage('test', MANUAL)] });
    await builds.poll();
    const page = await lab.visit('/pipeline/activity/turned');
    await runs('turned', 1, 1);
    await page.getByText('turns').first().waitFor();
    await builds.post('/api/pipelines/turned/pause', { pause_cause: 'moves \u202e away' });
    await page.locator('.activity-mark').getByText('moves').waitFor();
    assert.ok(await runsToTheRight(page, '.run-changes summary .quiet'), 'the author of the change');
    await page.goto('/pipelines?q=turned');
    await page.getByRole('button', { name: 'paused', exact: true }).click();
    await page.locator('.hint-text').filter({ hasText: 'Paused by' }).waitFor();
    assert.ok(await runsToTheRight(page, '.hint-text'), 'what stands after the reason');
    const turning = { type: 'git', attributes: { url: 'https://repository.invalid/\u202e/turns', branch: 'main' } };
    await builds.pipeline('turning', { materials: [turning] });
    await page.goto('/pipeline/activity/turning');
    await page.locator('.why summary').click();
    await page.locator('.why td').first().getByText('Git', { exact: true }).waitFor();
    const [end, type] = await page.evaluate<[number, number]>(`(() => {
      const type = document.querySelector('.why td .quiet');
      const range = document.createRange();
      range.setStartBefore(type.parentElement.firstChild);
      range.setEndBefore(type);
      return [range.getBoundingClientRect().right, type.getBoundingClientRect().left];
    })()`);
    assert.ok(type >= end - 1, `the type at ${type}, after the material that ends at ${end}`);
    await page.close();
  });
});

/** Whether the last letters of the element stand one after the other from left to right. */
function runsToTheRight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const texts = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT);
    let last;
    while (texts.nextNode()) if (texts.currentNode.length > 1) last = texts.currentNode;
    const leftOf = (at) => {
      const range = document.createRange();
      range.setStart(last, at);
      range.setEnd(last, at + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf(last.length - 2) < leftOf(last.length - 1);
  })()`);
}
