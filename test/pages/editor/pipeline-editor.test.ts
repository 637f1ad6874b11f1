// The list of pipelines and the editor, in a real browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stage } from '../../builds/run-lab.ts';
import { accepted, addRole, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  await addUser(lab.builds.server, 'viewer');
  await lab.builds.pipeline('web');
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

/** A label as users write it. */
const LABEL = `1.\${COUNT}`;
const THEIRS = `2.\${COUNT}`;
const OTHER = `3.\${COUNT}`;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const node = (page: Page, name: string) => page.getByRole('navigation', { name: /^Parts of/ }).getByRole('button', { name, exact: true });
const menu = async (page: Page, of: string, item: string): Promise<void> => {
  await button(page, `Actions for ${of}`).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const pipeline = async (name: string) => accepted(await lab.builds.get(`/api/admin/pipelines/${name}`)).json;
const save = async (page: Page): Promise<void> => {
  await button(page, 'Preview and save …').click();
  await page.getByRole('dialog').getByText('changed', { exact: true }).waitFor();
  await button(page, 'Save').click();
  await page.getByText('Nothing is changed.').waitFor();
};

describe('the list of pipelines', () => {
  it('tells users without rights that they may change no pipeline', async () => {
    const page = await lab.visit('/admin/pipelines', { name: 'viewer', password: PASSWORD });
    await page.getByText('You may change no pipeline').waitFor();
    await lab.assertAccessible(page);
  });

  it('makes groups and gives rights', async () => {
    const page = await lab.visit('/admin/pipelines');
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'New group …').click();
    await page.getByLabel('Name', { exact: true }).fill('tools');
    const changers = page.getByRole('group', { name: 'May change them' });
    const named = changers.getByLabel('Users, separated by commas');
    await named.fill('viewer, veiwer');
    await changers.getByText('No user of this name has signed in yet: veiwer.').waitFor();
    await named.fill('viewer, ');
    await changers.getByText('No user of this name').waitFor({ state: 'detached' });
    await changers.locator('datalist option[value="viewer, admin"]').waitFor({ state: 'attached' });
    await lab.assertAccessible(page);
    await button(page, 'Preview and create …').click();
    await page.getByRole('dialog').getByText('created', { exact: true }).waitFor();
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: 'tools' }).waitFor();
    await menu(page, 'the group tools', 'Rights …');
    const users = page.getByRole('group', { name: 'May change them' }).getByLabel('Users, separated by commas');
    await users.waitFor();
    assert.equal(await users.inputValue(), 'viewer');
    await button(page, 'Cancel').click();
    await lab.assertNarrow(page);
  });

  it('keeps typed rights when another user changes them first, and after the dialog is closed', async () => {
    lab.expect(/412 .*\/api\/admin\/pipeline_groups/);
    const page = await lab.visit('/admin/pipelines');
    const users = (right: string) => page.getByRole('group', { name: right }).getByLabel('Users, separated by commas');
    const { server } = lab.builds;
    await menu(page, 'the group tools', 'Rights …');
    await users('May change them').waitFor();
    const now = await server.get('/api/admin/pipeline_groups/tools');
    const { name, authorization } = now.json;
    const admins = { users: ['theirs'], roles: [] };
    await addUser(server, 'theirs');
    accepted(await server.put('/api/admin/pipeline_groups/tools', { name, authorization: { ...authorization, admins } }, now.etag));
    await users('May change them').fill('admin');
    await button(page, 'Preview and save …').click();
    await page.getByRole('columnheader', { name: 'Theirs' }).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Look at theirs').click();
    await button(page, 'Continue').waitFor();
    assert.equal(await users('May change them').inputValue(), 'theirs');
    await button(page, 'Cancel').click();
    await menu(page, 'the group tools', 'Rights …');
    await button(page, 'Continue').click();
    assert.equal(await users('May change them').inputValue(), 'admin');
    await users('May see its pipelines').fill('viewer');
    await button(page, 'Preview and save …').click();
    await button(page, 'Save').click();
    await page.getByText('The rights of tools are changed.').waitFor();
    const saved = accepted(await server.get('/api/admin/pipeline_groups/tools')).json.authorization;
    assert.deepEqual([saved.admins.users, saved.view.users], [['admin'], ['viewer']]);
    await menu(page, 'the group tools', 'Rights …');
    await users('May change them').waitFor();
    assert.equal(await button(page, 'Continue').count(), 0);
  });

  it('says how to go on when another user has moved the same pipeline', async () => {
    lab.expect(/412 .*\/api\/admin\/pipelines/);
    await lab.builds.pipeline('moved');
    const page = await lab.visit('/admin/pipelines');
    await menu(page, 'moved', 'Move to another group …');
    await page.getByRole('dialog').getByLabel('Group').fill('tools');
    const now = await lab.builds.server.get('/api/admin/pipelines/moved');
    accepted(await lab.builds.server.put('/api/admin/pipelines/moved', { ...now.json, group: 'elsewhere' }, now.etag));
    await button(page, 'Preview and move …').click();
    await button(page, 'Look at theirs').click();
    await button(page, 'Continue').click();
    await button(page, 'Preview and move …').click();
    await button(page, 'Move').click();
    await page.getByText('moved is in tools now.').waitFor();
    accepted(await lab.builds.server.delete('/api/admin/pipelines/moved'));
  });

  it('is drawn once its empty groups are known, so that no row moves below an open menu', async () => {
    const page = await lab.visit('/admin/pipelines');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/admin/pipeline_groups', async (route) => {
      await held;
      await route.continue();
    });
    const rows = page.waitForResponse(/dashboard\/rows/);
    await page.reload();
    await (await rows).finished();
    await page.getByText('Loading').first().waitFor();
    assert.equal(await page.getByRole('link', { name: 'web', exact: true }).count(), 0);
    release();
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
  });

  it('clones, moves, exports and deletes pipelines', async () => {
    const page = await lab.visit('/admin/pipelines');
    await menu(page, 'web', 'Clone …');
    await page.getByLabel('Name', { exact: true }).fill('web2');
    await button(page, 'Preview and create …').click();
    await button(page, 'Create').click();
    await page.getByRole('link', { name: 'web2', exact: true }).waitFor();
    const { paused, paused_cause } = (await lab.builds.server.get('/api/pipelines/web2/status')).json;
    assert.deepEqual({ paused, paused_cause }, { paused: true, paused_cause: 'Cloned from web' });
    await menu(page, 'web2', 'Move to another group …');
    await page.getByRole('dialog').getByLabel('Group').fill('tools');
    await button(page, 'Preview and move …').click();
    await button(page, 'Move').click();
    await page.getByText('web2 is in tools now.').waitFor();
    assert.equal((await pipeline('web2')).group, 'tools');
    await menu(page, 'web2', 'Export …');
    await page.getByText('format_version').waitFor();
    await button(page, 'JSON').click();
    await page.getByText('"materials"').waitFor();
    await button(page, 'Close').click();
    await menu(page, 'web2', 'Delete …');
    await page.getByRole('dialog').getByText('deleted', { exact: true }).waitFor();
    await button(page, 'Delete').click();
    await page.getByRole('link', { name: 'web2', exact: true }).waitFor({ state: 'detached' });
  });
});

it('a pipeline with secrets is cloned without them, and they are entered in the editor of the copy', async () => {
  const environment_variables = [{ name: 'TOKEN', secure: true, value: 'hush' }];
  const loginInUrl = { type: 'git', attributes: { url: 'https://me:hush@scm.example.org/a.git', destination: 'a', auto_update: false } };
  const password = { username: 'me', password: 'hush', destination: 'b', auto_update: false };
  const materials = [loginInUrl, { type: 'git', attributes: { url: 'https://scm.example.org/b.git', ...password } }];
  await lab.builds.pipeline('vault', { environment_variables, materials });
  const page = await lab.visit('/admin/pipelines');
  await menu(page, 'vault', 'Clone …');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Secrets are not copied.').waitFor();
  const leftOut = ['Material 1 › Login in the URL', 'Material 2 › Password', 'Environment variable TOKEN'];
  assert.deepEqual((await dialog.getByRole('listitem').allTextContents()).toSorted(), leftOut.toSorted());
  await lab.assertAccessible(page);
  await button(page, 'Preview and create …').click();
  await button(page, 'Create').click();
  await page.waitForURL(/\/admin\/pipelines\/vault-copy\/edit$/);
  await node(page, 'Environment variables').click();
  assert.ok(await page.getByLabel('secret').isChecked());
  await button(page, 'Replace Value of TOKEN').click();
  await page.getByLabel('Value of TOKEN').fill('other');
  await save(page);
  const copy = await pipeline('vault-copy');
  assert.equal(copy.materials[0].attributes.url, 'https://scm.example.org/a.git');
  assert.equal(copy.materials[1].attributes.encrypted_password, undefined);
  assert.ok(copy.environment_variables[0].encrypted_value);
});

it('what is typed right after a save stays, however late the server answers', async () => {
  const page = await lab.visit('/admin/pipelines/web/edit');
  const label = page.getByLabel('Label of runs');
  await label.fill(LABEL);
  const typed = Promise.withResolvers<void>();
  await page.route('**/api/admin/pipelines/web', async (route) => {
    if (route.request().method() === 'GET') await typed.promise;
    await route.continue();
  });
  await save(page);
  await label.fill(THEIRS);
  typed.resolve();
  await save(page);
  assert.equal(await label.inputValue(), THEIRS);
  assert.equal((await pipeline('web')).label_template, THEIRS);
});

describe('the message after a save', () => {
  for (const width of [1280, 360])
    it(`leaves the button that saves free, ${width} pixels wide`, async () => {
      const page = await lab.visit('/admin/pipelines/web/edit', { width });
      // So low that the form scrolls below the button.
      await page.setViewportSize({ width, height: 420 });
      await page.getByLabel('Label of runs').fill(`${width}-${LABEL}`);
      await save(page);
      await page.getByLabel('Label of runs').fill(`next-${LABEL}`);
      const message = await page.locator('.message').filter({ hasText: 'web is saved.' }).boundingBox();
      const footer = await page.locator('.editor-footer').boundingBox();
      assert.ok(
        message!.y + message!.height <= footer!.y,
        `the message ends at ${message!.y + message!.height}, the footer begins at ${footer!.y}`,
      );
      await button(page, 'Preview and save …').click({ timeout: 5000 });
      await page.getByRole('dialog').waitFor();
    });
});

describe('an administrator of one group', () => {
  it('sees and changes its pipelines only, and is offered nothing that would be refused', async () => {
    const { server } = lab.builds;
    await addUser(server, 'lead');
    await lab.builds.pipeline('secret', {}, 'other');
    const now = await server.get('/api/admin/pipeline_groups/shop');
    const members = (users: readonly string[]) => ({ users, roles: [] });
    const authorization = { view: members([]), operate: members([]), admins: members(['lead']) };
    accepted(await server.put('/api/admin/pipeline_groups/shop', { ...now.json, authorization }, now.etag));
    const page = await lab.visit('/admin/pipelines', { name: 'lead', password: PASSWORD });
    await page.getByRole('link', { name: 'web', exact: true }).waitFor();
    assert.equal(await page.getByText('secret').count(), 0);
    assert.equal(await page.getByRole('heading', { name: 'other' }).count(), 0);
    assert.equal(await button(page, 'New group …').count(), 0);
    await page.getByRole('link', { name: 'web', exact: true }).click();
    await page.getByLabel('Label of runs').fill(LABEL);
    // Every part is looked at: none may ask for something that is refused.
    for (const part of ['test', 'unit', 'Environment variables', 'Parameters']) await node(page, part).first().click();
    await node(page, 'General').click();
    await button(page, 'Preview and save …').click();
    await page.getByRole('dialog').getByText('changed', { exact: true }).waitFor();
    await button(page, 'Save').click();
    await page.getByText('web is saved.').waitFor();
    // Only administrators of the server may undo.
    assert.equal(await button(page, 'Undo').count(), 0);
    assert.equal((await pipeline('web')).label_template, LABEL);
    await lab.assertAccessible(page);
  });

  it('is offered the names of users and roles to give rights to', async () => {
    await addRole(lab.builds.server, 'testers', ['viewer']);
    const page = await lab.visit('/admin/pipelines', { name: 'lead', password: PASSWORD });
    await menu(page, 'the group shop', 'Rights …');
    const viewers = page.getByRole('group', { name: 'May see its pipelines' });
    await viewers.getByLabel('Users, separated by commas').fill('veiwer, vie');
    await viewers.locator('datalist option[value="veiwer, viewer"]').waitFor({ state: 'attached' });
    await viewers.getByText('No user of this name has signed in yet: veiwer, vie.').waitFor();
    await viewers.getByLabel('Roles, separated by commas').fill('test');
    await viewers.locator('datalist option[value="testers"]').waitFor({ state: 'attached' });
  });

  it('is told that pipelines of other groups cannot be seen', async () => {
    lab.expect(/403 .*\/api\/admin\/pipelines\/secret/);
    const page = await lab.visit('/admin/pipelines/secret/edit', { name: 'lead', password: PASSWORD });
    await page.getByRole('main').getByRole('alert').waitFor();
    assert.equal(await button(page, 'Preview and save …').count(), 0);
  });
});

describe('the editor', () => {
  it('changes parts of a pipeline, with the chosen part in the address', async () => {
    const page = await lab.visit('/admin/pipelines/web/edit');
    await page.getByLabel('Label of runs').fill(LABEL);
    await button(page, 'Start it by the clock').click();
    await page.getByText('at 22:00, Monday to Friday').waitFor();
    assert.equal(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count(), 5);
    await lab.assertAccessible(page);
    await node(page, 'test').click();
    assert.match(page.url(), /part=stages\.0$/);
    await page.getByLabel('Starts').selectOption('manual');
    await button(page, 'Add a variable').click();
    await page.getByLabel('Name of variable 1').fill('TOKEN');
    await page.getByLabel('secret').check();
    await page.getByLabel('Value of TOKEN').fill('hush');
    await lab.assertAccessible(page);
    await button(page, 'Add a job to test').click();
    await page.getByLabel('Name', { exact: true }).fill('lint');
    await node(page, 'lint').waitFor();
    await node(page, 'command').click();
    await page.getByLabel('Program').fill('make');
    await page.getByLabel('Arguments, one on each line').fill('lint\nall');
    await node(page, 'make lint all').waitFor();
    await lab.assertAccessible(page);
    await save(page);
    const { label_template, timer, stages } = await pipeline('web');
    assert.equal(label_template, LABEL);
    assert.equal(timer.spec, '0 0 22 ? * MON-FRI');
    assert.equal(stages[0].approval.type, 'manual');
    assert.ok(stages[0].environment_variables[0].encrypted_value);
    assert.deepEqual(stages[0].jobs[1].tasks[0].attributes.arguments, ['lint', 'all']);
    await lab.assertNarrow(page);
  });

  it('keeps secrets that the user did not touch, and orders by keys', async () => {
    const before = await pipeline('web');
    const page = await lab.visit('/admin/pipelines/web/edit?part=stages.0');
    assert.equal(await page.getByLabel('Value of TOKEN').inputValue(), 'set, not shown');
    await node(page, 'test').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForURL(/part=stages\.1/);
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'test');
    await save(page);
    const after = await pipeline('web');
    assert.deepEqual(
      after.stages.map(({ name }: { name: string }) => name),
      ['deploy', 'test'],
    );
    assert.deepEqual(after.stages[1].environment_variables, before.stages[0].environment_variables);
  });

  it('keeps what was entered when a choice is changed and changed back', async () => {
    const before = await pipeline('web');
    accepted(await lab.builds.post('/api/admin/templates', { name: 'shared', stages: [stage('shared')] }));
    const page = await lab.visit('/admin/pipelines/web/edit');
    await page.getByRole('combobox', { name: 'Stages', exact: true }).selectOption('shared');
    await page.getByText('come from the template').waitFor();
    // The choice is left and visited again.
    await node(page, 'Parameters').click();
    await node(page, 'General').click();
    await page.getByRole('combobox', { name: 'Stages', exact: true }).selectOption('');
    await node(page, 'test').click();
    await page.getByLabel('secret').uncheck();
    await page.getByLabel('secret').check();
    await button(page, 'Replace Value of TOKEN').click();
    await page.getByLabel('Value of TOKEN').fill('typed');
    await lab.assertAccessible(page);
    await button(page, 'Keep the old one for Value of TOKEN').click();
    assert.equal(await page.getByLabel('Value of TOKEN').inputValue(), 'set, not shown');
    await node(page, 'General').click();
    await page.getByLabel('Label of runs').fill(OTHER);
    await save(page);
    assert.deepEqual((await pipeline('web')).stages, before.stages);
  });

  it('orders by the mouse', async () => {
    const page = await lab.visit('/admin/pipelines/web/edit');
    await node(page, 'deploy').dragTo(node(page, 'test'));
    await page.getByText('Not saved yet').waitFor();
    const names = async () => page.locator('.tree section[aria-label="Stages"] > ol > li > .tree-line .tree-node').allTextContents();
    assert.deepEqual(await names(), ['test', 'deploy']);
    await save(page);
    assert.equal((await pipeline('web')).stages[0].name, 'test');
    // As the other tests have it.
    await node(page, 'test').dragTo(node(page, 'deploy'));
    assert.deepEqual(await names(), ['deploy', 'test']);
    await save(page);
  });

  it('asks for the settings that the plugin of an artifact store declares', async () => {
    const properties = [{ key: 'S3Bucket', value: 'builds' }];
    accepted(await lab.builds.post('/api/admin/artifact_stores', { id: 'bucket', plugin_id: 'cd.go.artifact.s3', properties }));
    const page = await lab.visit('/admin/pipelines/web/edit?part=stages.0.jobs.0');
    await button(page, 'Add an artifact').click();
    await page.getByLabel('Kind').selectOption('external');
    await page.getByLabel('Name of the artifact').fill('app');
    await page.getByLabel('Artifact store').fill('bucket');
    await page.getByLabel('Source', { exact: true }).fill('build/*.zip');
    assert.equal(await button(page, 'Add a setting').count(), 0);
    await lab.assertAccessible(page);
    await save(page);
    const [artifact] = (await pipeline('web')).stages[0].jobs[0].artifacts;
    assert.deepEqual(artifact.configuration, [{ key: 'Source', value: 'build/*.zip' }]);
  });

  it('checks the connection of a material', async () => {
    lab.expect(/422 .*verify_connection/);
    const page = await lab.visit('/admin/pipelines/web/edit?part=materials.0');
    await button(page, 'Check connection').click();
    await page.getByText('Connection OK.').waitFor();
    await page.getByLabel('Branch').fill('gone');
    await button(page, 'Check connection').click();
    await page.getByText(/Check connection failed/).waitFor();
    await lab.assertAccessible(page);
  });

  it('shows problems that the server finds beside their fields, and leads there', async () => {
    lab.expect(/422 .*\/api\/admin\/pipelines/);
    const page = await lab.visit('/admin/pipelines/web/edit?part=stages.0.jobs.0');
    await page.getByLabel('Name', { exact: true }).fill('not a name');
    await node(page, 'General').click();
    await button(page, 'Preview and save …').click();
    await page.getByText('It cannot be saved like this: 1 problem.').waitFor();
    await button(page, 'Stage 1 › Job 1 › Name').click();
    await page.locator('.form-field .field-problems').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true');
    await lab.assertAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('a-name');
    await page.getByText('It cannot be saved like this').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.field-problems').count(), 0);
  });

  it('merges changes that do not overlap, and shows the version of the other user', async () => {
    lab.expect(/412 .*\/api\/admin\/pipelines/);
    const page = await lab.visit('/admin/pipelines/web/edit');
    await page.getByLabel('Runs', { exact: true }).selectOption('lockOnFailure');
    const now = await lab.builds.get('/api/admin/pipelines/web');
    const body = { ...now.json, label_template: THEIRS };
    accepted(await lab.builds.server.put('/api/admin/pipelines/web', body, now.etag));
    await button(page, 'Preview and save …').click();
    await page.getByRole('columnheader', { name: 'Theirs' }).waitFor();
    await lab.assertAccessible(page);
    await button(page, 'Merge mine into theirs').click();
    await button(page, 'Save').click();
    await page.getByText('Nothing is changed.').waitFor();
    const { label_template, lock_behavior } = await pipeline('web');
    assert.deepEqual([label_template, lock_behavior], [THEIRS, 'lockOnFailure']);
    await button(page, 'Undo').click();
    await page.getByText(/is undone/).waitFor();
    await until('the undo in the form', async () => (await page.getByLabel('Runs', { exact: true }).inputValue()) !== 'lockOnFailure');
    assert.equal((await pipeline('web')).label_template, THEIRS);
  });

  it('asks for the settings of a fetched artifact, by the store that it is in', async () => {
    // A test above publishes one.
    const page = await lab.visit('/admin/pipelines/web/edit?part=stages.1.jobs.0.tasks.0');
    await page.getByRole('combobox', { name: 'Task', exact: true }).selectOption('fetch');
    await page.getByRole('combobox', { name: 'From', exact: true }).selectOption('external');
    await button(page, 'Add a setting').waitFor();
    const { stages } = await pipeline('web');
    await page.getByLabel('Stage', { exact: true }).fill(stages[0].name);
    await page.getByLabel('Job', { exact: true }).fill(stages[0].jobs[0].name);
    await page.getByLabel('Artifact', { exact: true }).fill('app');
    await page.getByLabel('Sub path').fill('docs');
    assert.equal(await button(page, 'Add a setting').count(), 0);
    await lab.assertAccessible(page);
    await save(page);
    const [task] = (await pipeline('web')).stages[1].jobs[0].tasks;
    assert.deepEqual(task.attributes.configuration, [{ key: 'SubPath', value: 'docs' }]);
  });

  it('edits one of many variables beside many jobs', async () => {
    const jobs = Array.from({ length: 100 }, (_, number) => `job-${number}`);
    const environment_variables = Array.from({ length: 500 }, (_, number) => ({ name: `V${number}`, secure: false, value: 'x' }));
    await lab.builds.pipeline('large', { stages: [stage('all', {}, jobs)], environment_variables });
    const page = await lab.visit('/admin/pipelines/large/edit?part=environment_variables');
    const field = page.getByLabel('Value of V250', { exact: true });
    await field.press('End');
    await page.keyboard.type('abcdefghij');
    assert.equal(await field.inputValue(), 'xabcdefghij');
    await save(page);
    const values = (await pipeline('large')).environment_variables.map(({ value }: { value: string }) => value);
    assert.deepEqual([values[249], values[250], values[251]], ['x', 'xabcdefghij', 'x']);
  });
});
