// The dashboard in a real browser: find, filter, arrange, run, pause, unlock, live, by keyboard, with and without rights.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Agent, stage } from '../../builds/run-lab.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';

const LONG_NAME = `a-name-${'that-goes-on-'.repeat(8)}and-ends`;
const MANUAL = { approval: { type: 'manual' } };
const authorization = (view: string[], operate: string[] = []) => ({
  view: { users: view, roles: [] },
  operate: { users: operate, roles: [] },
  admins: { users: [], roles: [] },
});

let lab: BrowserLab;
let agent: Agent;
before(async () => {
  lab = await BrowserLab.start();
  const { server } = lab.builds;
  for (const login of ['viewer', 'operator', 'stranger']) await addUser(server, login);
  accepted(
    await server.post('/api/admin/pipeline_groups', { name: 'shop', authorization: authorization(['viewer', 'operator'], ['operator']) }),
  );
  const variables = [
    { name: 'TARGET', value: 'staging', secure: false },
    { name: 'TOKEN', value: 'of-the-safe', secure: true },
  ];
  await lab.builds.pipeline('web', { stages: [stage('test'), stage('deploy', MANUAL)], environment_variables: variables });
  await lab.builds.pipeline('api', { lock_behavior: 'lockOnFailure' });
  await lab.builds.pipeline(LONG_NAME, { stages: Array.from({ length: 20 }, (_, index) => stage(`stage-${index}`)) }, 'tools');
  await lab.builds.pipeline('quiet', { stages: [stage('test', MANUAL)] }, 'tools');
  accepted(await server.post('/api/admin/environments', { name: 'live', pipelines: [{ name: 'quiet' }] }));
  await lab.builds.poll();
  agent = await lab.builds.agent();
  await lab.builds.run('api', 1);
  await lab.builds.run(LONG_NAME, 1);
  // Jobs come in any order.
  for (const awaited = new Set(['api', 'web']); awaited.size > 0; ) {
    const work = await agent.work();
    const { pipeline } = work.locator;
    await agent.report(work, 'Completed', pipeline === 'api' ? 'Failed' : 'Passed');
    awaited.delete(pipeline);
  }
  await lab.builds.stageResult('api/1/test/1', 'Failed');
  await lab.builds.stageResult('web/1/test/1', 'Passed');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const rowOf = (page: Page, name: string): Locator =>
  page.locator('.dashboard-row').filter({ has: page.getByRole('link', { name, exact: true }) });
const shownNames = (page: Page): Promise<string[]> => page.locator('.dashboard-name > a').allTextContents();
const sees = (page: Page, names: readonly string[]): Promise<unknown> =>
  until(`the list ${names.join()}`, async () => (await shownNames(page)).join() === names.join());
const menu = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const open = async (address = '/pipelines', visitor = {}): Promise<Page> => {
  const page = await lab.visit(address, visitor);
  await page.getByRole('list', { name: 'Pipelines' }).waitFor();
  return page;
};
/** Until this stage of the second run of web has passed. */
const passed = async (name: string): Promise<void> => {
  for (;;) {
    const work = await agent.workOf('web');
    await agent.report(work, 'Completed', 'Passed');
    if (work.locator.pipeline_counter === 2 && work.locator.stage === name) return;
  }
};
const as = (name: string) => ({ name, password: PASSWORD });
const ALL = ['web', 'api', LONG_NAME, 'quiet'].sort();

describe('the dashboard finds', () => {
  it('the dashboard finds pipelines by the typed text, at once and in the address, or says that no pipeline matches', async () => {
    const page = await open();
    await until('all', async () => (await shownNames(page)).toSorted().join() === ALL.join());
    await page.keyboard.press('/');
    await page.keyboard.type('WE');
    await sees(page, ['web']);
    assert.equal(new URL(page.url()).search, '?q=WE');
    await page.getByRole('status').filter({ hasText: '1 of 4 pipelines' }).waitFor();
    await page.keyboard.type('xyz');
    await page.getByText('No pipeline matches').waitFor();
    await lab.assertAccessible(page);
    await page.getByRole('button', { name: 'Show all pipelines' }).click();
    await until('all', async () => (await shownNames(page)).length === 4);
  });

  it('the dashboard finds pipelines that fail, are paused, or were run by the current user', async () => {
    const page = await open();
    const only = async (state: string, names: readonly string[]) => {
      await page.getByRole('button', { name: state, exact: true }).click();
      await sees(page, names);
      await page.getByRole('button', { name: state, exact: true, pressed: true }).click();
    };
    await only('Failing', ['api']);
    await only('Locked', ['api']);
    await only('Paused', []);
    await only('Mine', []);
    await page.goto('/pipelines?state=failing,building');
    await until('both', async () => (await shownNames(page)).includes('api'));
  });

  it('the dashboard finds environments as well as groups, and keeps groups closed', async () => {
    const page = await open();
    await page.getByLabel('Arrange by').selectOption('environment');
    const heading = (name: RegExp) => page.getByRole('button', { name });
    await heading(/^live 1/).waitFor();
    await heading(/^No environment 3/).waitFor();
    await page.getByLabel('Arrange by').selectOption('group');
    await heading(/^tools 2/).click();
    await until('closed', async () => (await shownNames(page)).length === 2);
    await page.reload();
    assert.equal(await heading(/^tools 2/).getAttribute('aria-expanded'), 'false');
    // A search finds pipelines in closed groups, too.
    await page.getByLabel('Search pipelines').fill('quiet');
    await sees(page, ['quiet']);
  });
});

describe('views of the dashboard', () => {
  it('are saved, chosen and deleted, by each user for themselves', async () => {
    const page = await open('/pipelines?q=web', as('viewer'));
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save what is shown' }).click();
    await page.getByLabel('Name').fill('My web');
    await lab.assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('The view \u2068My web\u2069 is saved.').waitFor();
    await page.goto('/pipelines');
    await page.getByLabel('View', { exact: true }).selectOption('My web');
    await sees(page, ['web']);
    const other = await open('/pipelines', as('operator'));
    assert.deepEqual(await other.getByLabel('View', { exact: true }).locator('option').allTextContents(), ['All pipelines']);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Delete the view My web' }).click();
    await page.getByText('is deleted').waitFor();
    await until('all', async () => (await shownNames(page)).length === 2);
  });

  it('a view of a state stays one when it is saved again, and the dialog tells that it is replaced', async () => {
    const page = await open('/pipelines?state=failing', as('operator'));
    const save = async () => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save what is shown' }).click();
      await page.getByText('It shows all pipelines while they are failing, also those that come later.').waitFor();
    };
    const saved = async () => (await (await page.context().request.get(`${lab.url}/api/dashboard/views`)).json()).filters.at(-1);
    await save();
    await page.getByLabel('Name').fill('Red');
    assert.equal(await page.getByText('It replaces the view').count(), 0);
    await page.keyboard.press('Enter');
    await page.getByText('The view \u2068Red\u2069 is saved.').waitFor();
    assert.equal(new URL(page.url()).search, '?viewName=Red');
    assert.equal(await page.getByRole('button', { name: 'Failing', exact: true }).getAttribute('aria-pressed'), 'false');
    const before = await saved();
    assert.deepEqual(before, { name: 'Red', type: 'blacklist', pipelines: [], state: ['failing'] });
    await page.reload();
    await sees(page, ['api']);
    await save();
    await page.getByText('It replaces the view Red.').waitFor();
    await lab.assertAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('The view \u2068Red\u2069 is saved.').waitFor();
    assert.deepEqual(await saved(), before);
    await page.goto('/pipelines?q=web');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save what is shown' }).click();
    await page.getByText('It shows this one pipeline.').waitFor();
    // Programs get this view where they name none.
    await page.getByLabel('Name').fill('default');
    await page.getByText('Default is the view of all pipelines. Choose another name.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
    await page.getByLabel('Name').fill('long'.repeat(50));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('combobox', { name: 'View' }).getByText('longlong').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Delete the view long' }).waitFor();
    await lab.assertNarrow(page, 1280);
    await lab.assertNarrow(page);
  });
});

describe('pipelines are operated', () => {
  it('pipelines run with revisions and variables; secret variables are not shown', async () => {
    const page = await open();
    await menu(page, 'quiet', 'Run with options');
    await page.keyboard.press('Escape');
    await menu(page, 'web', 'Run with options');
    assert.equal(await page.getByLabel('TARGET').inputValue(), 'staging');
    assert.equal(await page.getByLabel('TOKEN').inputValue(), '');
    assert.equal(await page.getByLabel('TOKEN').getAttribute('type'), 'password');
    assert.ok(!(await page.content()).includes('of-the-safe'));
    await lab.assertAccessible(page);
    const before = await lab.builds.run('web', 1);
    await page.getByLabel('TARGET').fill('production');
    const revision = page.getByRole('dialog').locator('label', { hasText: 'URL: ' });
    const run = page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true });
    lab.expect(/schedule/); // the refused request
    await revision.getByRole('textbox').fill('0123456');
    await run.click();
    await revision.locator('.field-problems').getByText("It has no revision '0123456'.").waitFor();
    await revision.getByRole('textbox').fill(before.build_cause.material_revisions[0].modifications[0].revision);
    assert.equal(await revision.locator('.field-problems').count(), 0);
    await run.click();
    const { build_cause: cause } = await lab.builds.run('web', 2);
    assert.equal(cause.approver, 'admin');
    // It is listed as one of mine from now on, and shown without being asked for.
    await rowOf(page, 'web').getByRole('link', { name: '2', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Mine' }).click();
    await sees(page, ['web']);
  });

  it('pipelines are paused with a reason that everybody can read, and unpaused', async () => {
    const page = await open();
    await menu(page, 'web', 'Pause');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'INPUT');
    await page.keyboard.type('the <b>database</b> moves');
    await page.keyboard.press('Enter');
    const mark = rowOf(page, 'web').getByRole('button', { name: 'paused' });
    await mark.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Paused by admin: the <b>database</b> moves').waitFor();
    await lab.assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Paused', exact: true }).click();
    await sees(page, ['web']);
    await menu(page, 'web', 'Unpause');
    await page.getByRole('button', { name: '1 gone' }).click();
    await page.getByText('No pipeline matches').waitFor();
  });

  it('pipelines are unlocked', async () => {
    const page = await open();
    await rowOf(page, 'api').getByText('locked', { exact: true }).waitFor();
    await menu(page, 'api', 'Unlock');
    await rowOf(page, 'api').getByText('locked', { exact: true }).waitFor({ state: 'detached' });
  });

  it('pipelines run once, however often the button is pressed before the answer', async () => {
    const page = await open();
    const sent: (() => Promise<void>)[] = [];
    await page.route('**/api/pipelines/web/schedule', (route) => {
      const json = { message: 'Request to schedule pipeline web accepted' };
      sent.push(() => route.fulfill({ status: 202, json }));
    });
    const run = page.getByRole('button', { name: 'Run web' });
    await run.dblclick();
    await until('it is sent', async () => sent.length > 0);
    await run.click();
    assert.equal(sent.length, 1);
    await sent[0]!();
    await page.getByText('schedule pipeline web accepted').waitFor();
    await run.click();
    await until('it is sent again', async () => sent.length === 2);
  });

  it('pipelines run a stage that waits for a manual start', async () => {
    await passed('test');
    const viewer = await open('/pipelines', as('viewer'));
    await rowOf(viewer, 'web').getByText('waits for a user to run it').waitFor();
    assert.equal(await viewer.getByRole('button', { name: /^Actions for / }).count(), 0);
    const page = await open();
    await menu(page, 'web', 'Run stage deploy');
    await rowOf(page, 'web')
      .getByRole('link', { name: /deploy : Building/ })
      .waitFor();
    await passed('deploy');
    await rowOf(page, 'web')
      .getByRole('link', { name: /deploy : Passed/ })
      .waitFor();
  });
});

describe('the dashboard is live', () => {
  it('shows changes at once, and new pipelines when the user asks for them', async () => {
    const page = await open('/pipelines', { width: 1280 });
    const web = rowOf(page, 'web');
    const top = (await web.boundingBox())?.y;
    await lab.builds.pipeline('brand-new');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    assert.equal((await web.boundingBox())?.y, top, 'nothing jumps');
    assert.ok(!(await shownNames(page)).includes('brand-new'));
    await lab.assertAccessible(page);
    await page.getByRole('button', { name: '1 new' }).click();
    await rowOf(page, 'brand-new').waitFor();
    const shown = await shownNames(page);
    await page.reload();
    await rowOf(page, 'brand-new').waitFor();
    assert.deepEqual(await shownNames(page), shown, 'a reload changes no order');
    accepted(await lab.builds.server.delete('/api/admin/pipelines/brand-new'));
    await page.getByText('brand-new was removed').waitFor();
    await page.getByRole('button', { name: '1 gone' }).click();
    await page.getByText('brand-new was removed').waitFor({ state: 'detached' });
  });

  it('keeps focus and keys with their pipeline when rows change their places', async () => {
    const { server } = lab.builds;
    const page = await open();
    const before = await shownNames(page);
    await rowOf(page, 'quiet').getByRole('link', { name: 'quiet', exact: true }).focus();
    const moveTo = async (group: string) => {
      const { json, etag } = await server.get('/api/admin/pipelines/web');
      accepted(await server.put('/api/admin/pipelines/web', { ...json, group }, etag));
    };
    await moveTo('tools');
    await until('another order', async () => (await shownNames(page)).join() !== before.join());
    await until('the focus', async () => (await page.evaluate('document.activeElement.textContent')) === 'quiet');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Pause quiet' }).waitFor();
    await moveTo('shop');
  });
});

describe('the keyboard suffices', () => {
  it('the keyboard suffices to search, walk, run, pause and open', async () => {
    const page = await open();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('j');
    await until('a pipeline has the focus', async () => ALL.includes(await focused()));
    const first = await focused();
    await page.keyboard.press('j');
    await until('the next', async () => (await focused()) !== first);
    await page.keyboard.press('k');
    await until('the first again', async () => (await focused()) === first);
    await page.keyboard.press('/');
    await page.keyboard.type('quiet');
    await page.keyboard.press('Enter');
    await until('what was found', async () => (await focused()) === 'quiet');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Run quiet' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Pause quiet' }).waitFor();
    await page.keyboard.press('Enter');
    await rowOf(page, 'quiet').getByRole('button', { name: 'paused' }).waitFor();
    await page.keyboard.press('p');
    await rowOf(page, 'quiet').getByRole('button', { name: 'paused' }).waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await page
      .getByText(/schedul/i)
      .first()
      .waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.getByText('Run it with options').waitFor();
    await lab.assertAccessible(page);
    await page.keyboard.press('Escape');
    // Enter on a button is that button's, not that of the row.
    await page.getByRole('button', { name: 'Actions for quiet' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Run with options' }).waitFor();
    await page.keyboard.press('Escape');
    await rowOf(page, 'quiet').getByRole('link', { name: 'quiet', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/pipeline/activity/quiet');
  });
});

describe('people see', () => {
  it('users without the right to operate see no buttons', async () => {
    const page = await open('/pipelines', as('viewer'));
    await until('their group', async () => (await shownNames(page)).toSorted().join() === 'api,web');
    assert.equal(await page.getByRole('button', { name: /^(Run|Actions for) / }).count(), 0);
    await page.keyboard.press('j');
    await page.keyboard.press('t');
    await page.keyboard.press('p');
    await page.keyboard.press('o');
    assert.equal(await page.getByRole('dialog').count(), 0);
    const operator = await open('/pipelines', as('operator'));
    await operator.getByRole('button', { name: 'Run web' }).waitFor();
  });

  it('users who may see no pipeline see a hint', async () => {
    const page = await lab.visit('/pipelines', as('stranger'));
    await page.getByText('There is no pipeline that you may see.').waitFor();
    assert.equal(await page.getByText('curl').count(), 0);
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
  });

  it('the dashboard fits a phone, in both colours, and keeps the choice of colours and rows after a reload', async () => {
    const page = await open('/pipelines', { width: 390 });
    await rowOf(page, 'web').waitFor();
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    // Names that are cut off are whole for screen readers.
    assert.equal(
      await rowOf(page, 'web')
        .getByRole('link', { name: /^test : Passed/ })
        .count(),
      1,
    );
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /preferences/ }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await choose('Dark colours');
    await choose('Comfortable rows');
    await page.reload();
    await rowOf(page, 'web').waitFor();
    assert.equal((await rowOf(page, 'web').boundingBox())?.height, 36);
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(20, 23, 28)');
    await lab.assertNarrow(page);
  });

  it('the number of other runs under way is shown, on a phone beside the stages and not over them', async () => {
    await lab.builds.post('/api/pipelines/web/schedule');
    await lab.builds.run('web', 3);
    await agent.report(await agent.workOf('web'), 'Completed', 'Passed');
    await lab.builds.stageResult('web/3/test/1', 'Passed');
    await lab.builds.post('/api/pipelines/web/schedule');
    await lab.builds.run('web', 4);
    await lab.builds.post('/api/stages/web/3/deploy/run');
    const page = await open('/pipelines', { width: 360 });
    const more = rowOf(page, 'web').getByRole('link', { name: '+1 running' });
    await more.waitFor();
    // Its box may be smaller than its content.
    const edge = await rowOf(page, 'web')
      .locator('.stage-pills')
      .evaluate((pills) => Math.max(...[...pills.children].map((one) => one.getBoundingClientRect().right)));
    assert.ok(edge <= (await more.boundingBox())!.x, 'they do not overlap');
  });
});

describe('below a context path', () => {
  it('all works below a context path as at the root: files, links, the API, the stream and the login', async () => {
    const below = await BrowserLab.start({ 'context-path': '/cd' });
    try {
      const page = await below.window();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${below.url}/pipelines`);
      await page.waitForURL('**/cd/auth/login?from=*');
      await signIn(page);
      await page.getByText(`${new URL(below.url).origin}/cd/api/admin/pipelines`).waitFor({ state: 'attached' });
      await below.builds.pipeline('web');
      await rowOf(page, 'web').waitFor();
      await page.getByRole('button', { name: 'Run web' }).click();
      await page.getByText(/schedul/i).waitFor();
      assert.equal(
        await rowOf(page, 'web').getByRole('link', { name: 'web', exact: true }).getAttribute('href'),
        '/cd/pipeline/activity/web',
      );
      await page.reload();
      await rowOf(page, 'web').waitFor();
      const cookies = await page.context().cookies();
      assert.deepEqual(
        cookies.map(({ path }) => path),
        ['/cd'],
      );
      assert.deepEqual(
        asked.filter((path) => !path.startsWith('/cd/')),
        [],
      );
      // Commands to copy, too.
      await page.goto(`${below.url}/admin/artifact_stores`);
      await page.getByText(`${new URL(below.url).origin}/cd/api/admin/artifact_stores`).waitFor({ state: 'attached' });
      below.assertQuiet();
    } finally {
      await below.stop();
    }
  });
});
