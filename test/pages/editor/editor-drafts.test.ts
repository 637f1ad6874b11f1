// Drafts of the editors that are made by hand, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { accepted } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';

let lab: BrowserLab;
/** One window for all of it: signing in takes as long as a form. */
let page: Page;
before(async () => {
  lab = await BrowserLab.start();
  // The browser logs every refusal that the tests provoke.
  lab.expect(/(400|401|412|422) .*\/api\//);
  await lab.builds.pipeline('web');
  page = await lab.visit('/admin');
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const offer = () => page.getByText(/You have an unsaved draft of/);
/** A label as users write it. */
const label = (text: string) => `${text}-\${COUNT}`;
const json = async (address: string) => accepted(await lab.builds.get(address)).json;

const DRAFTS = "Object.entries(localStorage).filter(([key]) => key.startsWith('draft admin '))";
const drafts = () => page.evaluate<string>(`JSON.stringify(${DRAFTS})`);
/** Waits until the typed text is kept, a moment later. */
const kept = (text: string) => until(`a draft with ${text}`, async () => (await drafts()).includes(text));
const gone = async () => assert.equal(await drafts(), '[]');

/** Reloads, and continues the draft. */
async function reloadAndContinue(text: string): Promise<void> {
  await kept(text);
  await page.reload();
  await offer().waitFor();
  await button('Continue').click();
}

async function save(action = 'Save'): Promise<void> {
  await button(`Preview and ${action.toLowerCase()} …`).click();
  await button(action).click();
}

describe('a pipeline', () => {
  it('survives a reload and the end of a session, without the secrets that were typed', async () => {
    await page.goto('/admin/pipelines/web/edit');
    await page.getByLabel('Label of runs').fill(label('typed'));
    await page.getByRole('button', { name: 'Environment variables', exact: true }).click();
    await button('Add a variable').click();
    await page.getByLabel('Name of variable 1').fill('TOKEN');
    await page.getByLabel('secret').check();
    await page.getByLabel('Value of TOKEN').fill('hush-hush');
    await reloadAndContinue('TOKEN');
    assert.ok(!(await drafts()).includes('hush-hush'));
    assert.equal(await page.getByLabel('Value of TOKEN').inputValue(), '');
    await page.context().clearCookies();
    await button('Preview and save …').click();
    await signIn(page);
    await offer().waitFor();
    // Until the user continues or discards the draft, nothing can be changed.
    assert.ok(await button('Add a variable').isDisabled());
    assert.equal(await button('Add a stage').count(), 0);
    await lab.assertAccessible(page);
    await button('Continue').click();
    await page.getByLabel('Value of TOKEN').fill('hush-hush');
    await save();
    await page.getByText('Nothing is changed.').waitFor();
    const { label_template, environment_variables: variables } = await json('/api/admin/pipelines/web');
    assert.equal(label_template, label('typed'));
    assert.ok(variables[0].encrypted_value);
    await gone();
  });

  it('is offered as a draft where another user changed the same field', async () => {
    await page.goto('/admin/pipelines/web/edit');
    await page.getByLabel('Label of runs').fill(label('mine'));
    const now = await lab.builds.get('/api/admin/pipelines/web');
    accepted(await lab.builds.server.put('/api/admin/pipelines/web', { ...now.json, label_template: label('theirs') }, now.etag));
    await button('Preview and save …').click();
    await button('Look at theirs').click();
    await offer().waitFor();
    assert.equal(await page.getByLabel('Label of runs').inputValue(), label('theirs'));
    await button('Continue').click();
    assert.equal(await page.getByLabel('Label of runs').inputValue(), label('mine'));
    await save();
    await page.getByText('Nothing is changed.').waitFor();
    assert.equal((await json('/api/admin/pipelines/web')).label_template, label('mine'));
  });

  it('is discarded', async () => {
    await page.goto('/admin/pipelines/web/edit');
    await page.getByLabel('Label of runs').fill(label('never'));
    await kept('never');
    await page.reload();
    await button('Discard').click();
    assert.equal(await page.getByLabel('Label of runs').inputValue(), label('mine'));
    await gone();
  });
});

it('a new pipeline survives a reload', async () => {
  await page.goto('/admin/pipelines/new?group=shop');
  await page.getByLabel('URL').fill(lab.builds.origin.path);
  await page.getByLabel('Script').fill('make typed');
  await page.getByLabel('Name', { exact: true }).fill('second');
  await reloadAndContinue('second');
  assert.equal(await page.getByLabel('Script').inputValue(), 'make typed');
  await button('Preview and create …').click();
  await button('Create and run').click();
  await page.waitForURL('**/pipeline/activity/second');
  await gone();
});

it('a template survives a reload', async () => {
  const tasks = [{ type: 'exec', attributes: { command: 'make' } }];
  accepted(
    await lab.builds.post('/api/admin/templates', { name: 'shared', stages: [{ name: 'build', jobs: [{ name: 'build', tasks }] }] }),
  );
  await page.goto('/admin/templates/shared/edit');
  await page.getByLabel('Name', { exact: true }).fill('compile');
  await reloadAndContinue('compile');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'compile');
  await save();
  await page.getByText('shared is saved.').waitFor();
  await gone();
});

it('an environment survives a reload', async () => {
  accepted(await lab.builds.post('/api/admin/environments', { name: 'live' }));
  await page.goto('/admin/environments/live/edit');
  await page.getByRole('combobox', { name: 'Add a pipeline' }).fill('web');
  await page.keyboard.press('Enter');
  await reloadAndContinue('web');
  await button('Remove web').waitFor();
  await save();
  await page.getByText('live is saved.').waitFor();
  assert.deepEqual(
    (await json('/api/admin/environments/live')).pipelines.map(({ name }: { name: string }) => name),
    ['web'],
  );
  await gone();
});

it('a config repo survives a reload, without its password', async () => {
  await page.goto('/admin/config_repos/new');
  await page.getByLabel('Id').fill('team-a');
  await page.getByLabel('URL').fill(lab.builds.origin.path);
  await page.getByLabel('Password').fill('hush-hush');
  await reloadAndContinue('team-a');
  assert.ok(!(await drafts()).includes('hush-hush'));
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  await save('Add');
  await page.waitForURL('**/team-a/status');
  await gone();
});

it('the settings of a plugin that is not installed survive a reload, without those that look secret', async () => {
  const task = {
    type: 'pluggable_task',
    attributes: { plugin_configuration: { id: 'unknown.task', version: '1' }, configuration: [], run_if: [] },
  };
  await lab.builds.pipeline('plugged', { stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [task] }] }] });
  await page.goto('/admin/pipelines/plugged/edit');
  await page.getByRole('button', { name: /unknown\.task/ }).click();
  await button('Add a setting').click();
  await page.getByLabel('Key').fill('api_token');
  await page.getByLabel('Value').fill('hush-hush');
  await kept('api_token');
  assert.ok(!(await drafts()).includes('hush-hush'));
  await page.reload();
  await offer().waitFor();
  await button('Discard').click();
});

it('a webhook survives a reload, without its secret', async () => {
  await page.goto('/admin/webhooks');
  await button('Add a webhook').click();
  await page.getByLabel('Name').fill('chat');
  await page.getByLabel('Secret').fill('hush-hush');
  await kept('chat');
  await page.reload();
  await button('Add a webhook').click();
  await offer().waitFor();
  await lab.assertAccessible(page);
  await button('Continue').click();
  assert.ok(!(await drafts()).includes('hush-hush'));
  assert.equal(await page.getByLabel('Name').inputValue(), 'chat');
  await page.getByLabel('Address').fill('https://chat.example.org/hook');
  await page.getByLabel('Secret').fill('hush-hush');
  await button('Preview and save …').click();
  await button('Save').click();
  await page.getByText('The webhook chat is added.').waitFor();
  await gone();
});

/** What is begun in a dialog that asks for its name. */
const NAMED = [
  { what: 'group', address: '/admin/pipelines', add: 'New group …', done: 'The group named is created.' },
  { what: 'template', address: '/admin/templates', add: 'New template …', done: 'named is created, with one stage' },
  { what: 'environment', address: '/admin/environments', add: 'New environment …', done: 'named is created. Choose' },
] as const;
for (const { what, address, add, done } of NAMED)
  it(`a new ${what} survives a reload, and what is wrong with its name stands beside the name`, async () => {
    await page.goto(address);
    await button(add).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('not a name');
    await kept('not a name');
    await page.reload();
    await button(add).click();
    await offer().waitFor();
    await lab.assertAccessible(page);
    await button('Continue').click();
    await button('Preview and create …').click();
    const problem = page.locator('.form-field', { has: name }).locator('.field-problems');
    await problem.getByText('not a name').waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await lab.assertAccessible(page);
    await name.fill('named');
    await problem.waitFor({ state: 'detached' });
    await save('Create');
    await page.getByText(done).waitFor();
    await gone();
  });

it('keeps what is typed the moment a dialog is drawn', async () => {
  await page.goto('/admin/environments');
  await button('New environment …').waitFor();
  // In microtasks alone, so that nothing runs between the drawing and the typing: a fast user, on a slow machine.
  await page.evaluate(`(async () => {
    [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'New environment …').click();
    const find = () => document.querySelector('dialog input');
    for (let turn = 0; turn < 10000 && find() === null; turn++) await undefined;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    set.call(find(), 'typed-at-once');
    find().dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await kept('typed-at-once');
  await page.reload();
  await button('New environment …').click();
  await button('Discard').click();
  await gone();
});

/** The dialogs that act on a pipeline. Where the server refuses a name in words alone, the preview shows it. */
const ON_PIPELINE = [
  { item: 'Clone …', field: 'Name', action: 'Create', done: 'acted is created.', isShownBeside: true },
  {
    item: 'Extract a template …',
    field: 'Name of the template',
    action: 'Extract',
    done: 'The template acted is made',
    isShownBeside: false,
  },
  { item: 'Move to another group …', field: 'Group', action: 'Move', done: 'other is in acted now.', isShownBeside: true },
] as const;
for (const { item, field, action, done, isShownBeside } of ON_PIPELINE)
  it(`${item} survives a reload, and shows what is wrong`, async () => {
    await lab.builds.pipeline('other');
    const open = async () => {
      await page.goto('/admin/pipelines');
      await button('Actions for other').click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await open();
    const typed = page.getByRole('dialog').getByLabel(field, { exact: true });
    await typed.fill('not a name');
    await kept('not a name');
    await open();
    await offer().waitFor();
    await lab.assertAccessible(page);
    await button('Continue').click();
    await button(`Preview and ${action.toLowerCase()} …`).click();
    if (isShownBeside) {
      const problem = page.locator('.form-field', { has: page.getByLabel(field, { exact: true }) }).locator('.field-problems');
      await problem.getByText('not a name').waitFor();
    } else {
      await page.getByRole('alert').getByText("'not a name'").waitFor();
      await button('Cancel').click();
    }
    await typed.fill('acted');
    await save(action);
    await page.getByText(done).waitFor();
    await gone();
    for (const name of ['acted', 'other']) await lab.builds.server.delete(`/api/admin/pipelines/${name}`);
  });
