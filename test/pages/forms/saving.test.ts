// How a form is saved, in a real browser: problems, secrets, conflicts, drafts, undo and deletion.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { create, job, pipeline, stage } from '../../api/pipelines/bodies.ts';
import { accepted, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { until } from '../../support/until.ts';
import { BrowserLab, signIn } from '../browser-lab.ts';
import { controlOf } from './filler.ts';

const STORES = '/api/admin/artifact_stores';

let lab: BrowserLab;
/** One window for most of it: signing in takes as long as a form. */
let page: Page;
before(async () => {
  lab = await BrowserLab.start();
  // The browser logs every refusal that the tests provoke.
  lab.expect(/(400|401|406|412|422) .*\/api\//);
  lab.expect(/404 .*\/api\/config\/mailserver/);
  page = await lab.visit('/admin/artifact_stores');
});
after(() => lab?.stop());
afterEach(() => lab.assertQuiet());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => controlOf(page.locator('main'), label);
const waitForText = (text: string | RegExp) => page.getByText(text).first().waitFor();

interface Setting {
  readonly key: string;
  readonly value?: string;
  readonly encrypted_value?: string;
}

const settings = (bucket: string, region?: string) => [
  { key: 'S3Bucket', value: bucket },
  ...(region === undefined ? [] : [{ key: 'Region', value: region }]),
];
const store = (id: string, properties: readonly Setting[]) => ({ id, plugin_id: 'cd.go.artifact.s3', properties });

async function addStore(id: string, properties: readonly Setting[] = settings('first')): Promise<string> {
  accepted(await lab.builds.post(STORES, store(id, properties)));
  return `/admin/artifact_stores/${id}`;
}

async function settingOf(id: string, key: string): Promise<Setting | undefined> {
  const { properties } = accepted(await lab.builds.get(`${STORES}/${id}`)).json;
  return properties.find((one: Setting) => one.key === key);
}

async function open(address: string): Promise<void> {
  await page.goto(address);
  await button('Preview and save …').waitFor();
}

async function previewAndSave(): Promise<void> {
  await button('Preview and save …').click();
  await button('Save').click();
  await waitForText(/^(Saved|Added) /);
}

const DRAFTS = "Object.entries(localStorage).filter(([key]) => key.startsWith('draft admin /api/admin/artifact_stores'))";
const drafts = () => page.evaluate<string>(`JSON.stringify(${DRAFTS})`);
/** Waits until the typed values are kept, a moment later. */
const kept = () => until('a draft', async () => (await drafts()) !== '[]');
/** Some field holds this. */
const shown = (text: string) =>
  until(text, () => page.evaluate<boolean>(`[...document.querySelectorAll('input')].some(({ value }) => value === '${text}')`));

describe('problems', () => {
  it('stand beside their fields, and go when the fields are changed', async () => {
    await open('/admin/artifact_stores/new');
    await field('ID').fill('bad id');
    await field('Plugin').fill('cd.go.artifact.s3');
    await field('Access key').fill('k');
    await button('Preview and save …').click();
    const wrong = page
      .locator('.field', { has: page.getByLabel('ID', { exact: true }) })
      .first()
      .getByText(/Invalid id 'bad id'/);
    await wrong.waitFor();
    assert.equal(await field('ID').getAttribute('aria-invalid'), 'true');
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await waitForText('S3Bucket must not be blank.');
    await lab.assertAccessible(page);
    await lab.assertNarrow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await waitForText('It cannot be saved like this. Correct 4 fields: ID, Bucket, Access key, Secret access key.');
    await field('ID').fill('good-id');
    await wrong.waitFor({ state: 'detached' });
    await waitForText('Correct 3 fields: Bucket, Access key, Secret access key.');
    await field('Bucket').fill('b');
    await field('Access key').fill('a');
    await field('Secret access key').fill('s');
    await page.getByText('It cannot be saved like this').waitFor({ state: 'detached' });
    assert.equal((await lab.builds.get(`${STORES}/good-id`)).status, 404);
    await kept();
    await page.reload();
    await button('Discard').click();
  });

  it('problems of a connection are shown where it is tried out', async () => {
    await open('/admin/server_configuration/mailserver');
    for (const [label, text] of [
      ['Host name', '127.0.0.1'],
      ['Port', '1'],
      ['Sender', 'cd@example.org'],
      ['Administrator', 'ops@example.org'],
    ] as const)
      await field(label).fill(text);
    await button('Send a test mail').click();
    await waitForText(/Nothing answers|could not|not sent/i);
    await field('Host name').fill('localhost');
    await page.getByText('Nothing answers').waitFor({ state: 'detached' });
  });

  it('problems of a connection are not shown for values that were changed before the answer came', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    await field('Port').fill(String((silent.address() as AddressInfo).port));
    await button('Send a test mail').click();
    const [socket] = await connected;
    await field('Sender').fill('other@example.org');
    socket.destroy();
    silent.close();
    await waitForText('You have changed the values since. Check them again.');
    assert.equal(await page.getByText('closed the connection').count(), 0);
  });

  it('problems of fields are shown beside the button that tries them out', async () => {
    await open('/admin/security/auth_configs/new');
    await field('ID').fill('company');
    await field('Plugin').fill('cd.go.authentication.ldap');
    await field('URL').fill('ldap://127.0.0.1:1');
    await field('Search bases').fill('dc=example,dc=org');
    await button('Check connection').click();
    await waitForText('Validation failed for the given Auth Config. Correct 1 field: User login filter.');
    await field('User login filter').fill('(uid={0})');
    await page.getByText('Validation failed').waitFor({ state: 'detached' });
  });
});

describe('a secret', () => {
  it('is not shown, stays as it is, and is replaced', async () => {
    const keys = [
      { key: 'AWSAccessKey', value: 'k' },
      { key: 'AWSSecretAccessKey', value: 'hush-hush' },
    ];
    await open(await addStore('secret', [...settings('first'), ...keys]));
    await page.getByText('Set, not shown').waitFor();
    assert.ok(!(await page.content()).includes('hush-hush'));
    const before = await settingOf('secret', 'AWSSecretAccessKey');
    await field('Bucket').fill('second');
    await previewAndSave();
    assert.deepEqual(await settingOf('secret', 'AWSSecretAccessKey'), before);
    assert.equal((await settingOf('secret', 'S3Bucket'))?.value, 'second');
    await page.getByRole('button', { name: /^Replace / }).click();
    await page.locator('input[type="password"]').fill('another-one');
    await page.waitForTimeout(500);
    assert.ok(!(await drafts()).includes('another-one'));
    await previewAndSave();
    await page.getByText('Set, not shown').waitFor();
    assert.notDeepEqual(await settingOf('secret', 'AWSSecretAccessKey'), before);
  });
});

describe('after saving', () => {
  it('the change can be undone', async () => {
    await open(await addStore('undone'));
    await field('Bucket').fill('second');
    await previewAndSave();
    assert.equal((await settingOf('undone', 'S3Bucket'))?.value, 'second');
    await button('Undo').last().click();
    await waitForText(/is undone/);
    assert.equal((await settingOf('undone', 'S3Bucket'))?.value, 'first');
    await shown('first');
  });
});

it('a preview comes into view, and is saved by the keyboard', async () => {
  await open(await addStore('typed'));
  await page.setViewportSize({ width: 1280, height: 300 });
  await field('Bucket').fill('by keys');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'What will change' }).waitFor();
  await until('the reason', () => page.evaluate<boolean>("document.activeElement.closest('.save-reason') !== null"));
  const { y } = (await page.getByRole('region', { name: 'What will change' }).boundingBox())!;
  assert.ok(y >= 0 && y < 300, `it begins at ${y}`);
  await page.keyboard.type('why');
  await page.keyboard.press('Enter');
  await waitForText(/^Saved /);
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal((await settingOf('typed', 'S3Bucket'))?.value, 'by keys');
});

describe('a conflict', () => {
  it('is merged where the users changed different fields', async () => {
    await open(await addStore('merged'));
    await field('Bucket').fill('mine');
    const { etag } = await lab.builds.get(`${STORES}/merged`);
    accepted(await lab.builds.server.put(`${STORES}/merged`, store('merged', settings('first', 'theirs')), etag));
    await button('Preview and save …').click();
    await page.getByRole('dialog').getByText('Another user has changed this, too').waitFor();
    await lab.assertAccessible(page);
    await button('Merge and save').click();
    await waitForText(/^Saved /);
    assert.equal((await settingOf('merged', 'S3Bucket'))?.value, 'mine');
    assert.equal((await settingOf('merged', 'Region'))?.value, 'theirs');
  });

  it('is shown where both changed the same field, and the typed values are offered there', async () => {
    await open(await addStore('same'));
    await field('Bucket').fill('mine');
    const { etag } = await lab.builds.get(`${STORES}/same`);
    accepted(await lab.builds.server.put(`${STORES}/same`, store('same', settings('theirs')), etag));
    await button('Preview and save …').click();
    const row = page.getByRole('dialog').getByRole('row').filter({ hasText: 'both' });
    await row.getByText("property 'S3Bucket', value").waitFor();
    for (const text of ['first', 'mine', 'theirs']) await row.getByText(text, { exact: true }).waitFor();
    await button('Look at theirs').click();
    await waitForText(/You have an unsaved draft/);
    await shown('theirs');
    await button('Continue').click();
    await previewAndSave();
    assert.equal((await settingOf('same', 'S3Bucket'))?.value, 'mine');
  });
});

describe('a draft', () => {
  it('survives a reload and the end of a session, and goes when it is saved', async () => {
    const address = await addStore('drafted');
    await open(address);
    await field('Bucket').fill('typed');
    await kept();
    await page.reload();
    await waitForText(/You have an unsaved draft/);
    await lab.assertAccessible(page);
    await button('Continue').click();
    await page.context().clearCookies();
    await button('Preview and save …').click();
    await signIn(page);
    await waitForText(/You have an unsaved draft/);
    await button('Continue').click();
    await previewAndSave();
    assert.equal((await settingOf('drafted', 'S3Bucket'))?.value, 'typed');
    assert.equal(await drafts(), '[]');
    await open(address);
    assert.equal(await page.getByText(/You have an unsaved draft/).count(), 0);
  });

  it('is discarded', async () => {
    await open('/admin/artifact_stores/new');
    await field('ID').fill('never');
    await kept();
    await page.reload();
    await button('Discard').click();
    assert.equal(await field('ID').inputValue(), '');
    assert.equal(await drafts(), '[]');
  });
});

describe('an entity called new', () => {
  it('is opened, and not taken for a new entity', async () => {
    await addStore('new', settings('mine'));
    await page.goto('/admin/artifact_stores');
    await page.getByRole('link', { name: 'new', exact: true }).click();
    await shown('mine');
    await field('Bucket').fill('yours');
    await previewAndSave();
    assert.equal((await settingOf('new', 'S3Bucket'))?.value, 'yours');
    await page.goto('/admin/artifact_stores/new');
    await page.getByRole('heading', { name: /^New / }).waitFor();
  });
});

describe('a time', () => {
  it('is shown in words', async () => {
    await open('/admin/server_configuration/backup');
    await field('Schedule').fill('0 0 3 ? * SUN');
    await waitForText('Runs at 03:00, Sunday.');
    assert.equal(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count(), 5);
    await lab.assertAccessible(page);
    await field('Schedule').fill('');
  });
});

describe('a deletion', () => {
  it('asks, names the obstacles, and can be undone', async () => {
    const cluster = { id: 'farm', plugin_id: 'com.example.unknown', properties: [] };
    accepted(await lab.builds.post('/api/admin/elastic/cluster_profiles', cluster));
    accepted(await lab.builds.post('/api/elastic/profiles', { id: 'small', cluster_profile_id: 'farm', properties: [] }));
    await open('/admin/cluster_profiles/farm');
    await button('Delete …').click();
    await page
      .getByRole('dialog')
      .getByText(/referenced from elastic agent profile/)
      .waitFor();
    assert.ok(await button('Delete').isDisabled());
    await lab.assertAccessible(page);
    await button('Cancel').click();
    await open('/admin/elastic_agent_configurations/small');
    await button('Delete …').click();
    await button('Delete').click();
    await waitForText(/^Deleted elastic agent profile small/);
    assert.equal((await lab.builds.get('/api/elastic/profiles/small')).status, 404);
    await button('Undo').last().click();
    await waitForText(/is undone/);
    accepted(await lab.builds.get('/api/elastic/profiles/small'));
  });
});

describe('a setting', () => {
  it('can be removed once it is set', async () => {
    await open('/admin/server_configuration/extensions');
    await field('Backups to keep').waitFor();
    assert.equal(await button('Remove …').count(), 0);
    await field('Backups to keep').fill('7');
    await previewAndSave();
    await button('Remove …').click();
    await button('Delete').click();
    await waitForText(/^Deleted backup retention and copies/);
    await button('Remove …').waitFor({ state: 'detached' });
    assert.equal((await lab.builds.get('/api/forms/extensions')).json.is_set, false);
    await button('Undo').last().click();
    await button('Remove …').waitFor();
    await lab.assertAccessible(page);
  });
});

describe('the usages of an entity', () => {
  it('are listed on its page', async () => {
    accepted(
      await lab.builds.post('/api/admin/elastic/cluster_profiles', { id: 'pool', plugin_id: 'com.example.unknown', properties: [] }),
    );
    accepted(await lab.builds.post('/api/elastic/profiles', { id: 'large', cluster_profile_id: 'pool', properties: [] }));
    await open('/admin/elastic_agent_configurations/large');
    await waitForText('Nothing uses it.');
    const jobs = [job({ name: 'compile', elastic_profile_id: 'large' })];
    accepted(await create(lab.builds.server, pipeline('web', { stages: [stage('build', { jobs })] })));
    await open('/admin/elastic_agent_configurations/large');
    const users = page.getByRole('region', { name: 'Used by' });
    const user = users.getByRole('link', { name: 'web / build / compile' });
    await lab.assertAccessible(page);
    await user.click();
    await page.getByRole('heading', { name: 'Edit web' }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'compile');
    await open('/admin/cluster_profiles/pool');
    await lab.assertAccessible(page);
    await users.getByRole('link', { name: 'profiles large' }).click();
    await page.getByRole('heading', { name: 'large' }).waitFor();
    await button('Preview and save …').waitFor();
  });
});

describe('the usages that a user sees who may not change the pipeline', () => {
  it('lead to its runs', async () => {
    await addUser(lab.builds.server, 'poolkeeper');
    const policy = [{ permission: 'allow', action: 'administer', type: 'elastic_agent_profile', resource: '*' }];
    const attributes = { users: ['poolkeeper'] };
    accepted(await lab.builds.post('/api/admin/security/roles', { name: 'poolkeepers', type: 'gocd', attributes, policy }));
    const other = await lab.visit('/admin/elastic_agent_configurations/large', { name: 'poolkeeper', password: PASSWORD });
    const user = other.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'web / build / compile' });
    assert.equal(await user.getAttribute('href'), '/pipeline/activity/web');
    await other.context().close();
  });
});

describe('a role of a client of GoCD', () => {
  it('keeps its members, which can be changed', async () => {
    const address = '/api/admin/security/roles/imported';
    accepted(await lab.builds.post('/api/admin/security/roles', { name: 'imported', type: 'gocd', attributes: { users: ['ann'] } }));
    await open('/admin/security/roles/imported');
    const users = page.getByRole('group', { name: 'Members' }).or(page.locator('main')).locator('textarea').first();
    assert.equal(await users.inputValue(), 'ann');
    await users.fill('ann\nbob');
    await previewAndSave();
    const { json } = accepted(await lab.builds.get(address));
    assert.deepEqual([json.type, json.attributes.users], ['gocd', ['ann', 'bob']]);
  });
});

describe('a long list', () => {
  const openRules = async () => {
    const rules = Array.from({ length: 500 }, (_, at) => ({ pipelines: `build-${at}`, keep_runs: 5, keep_days: null }));
    const { etag } = await lab.builds.get('/api/admin/config/artifact_retention');
    accepted(await lab.builds.server.put('/api/admin/config/artifact_retention', { rules }, etag));
    await open('/admin/server_configuration/artifact_retention');
  };

  it('takes the room of all its rows before they are drawn, so that the buttons below it stay where they are', async () => {
    await openRules();
    await until('the height of a row', () => page.evaluate<boolean>(`document.querySelector('.rows').style.length > 0`));
    const height = () => page.evaluate<number>('document.documentElement.scrollHeight');
    const before = await height();
    await button('Preview and save …').scrollIntoViewIfNeeded();
    await page.getByRole('group', { name: 'Rule 500', exact: true }).waitFor();
    const grown = (await height()) - before;
    assert.ok(Math.abs(grown) < 10, `it has grown by ${grown} pixels`);
  });

  it('is drawn only where it is visible, and values typed in it are sent', async () => {
    await openRules();
    assert.ok((await page.locator('main input').count()) < 300);
    const row = page.getByRole('group', { name: 'Rule 1', exact: true });
    await controlOf(row, 'Pipelines').fill('release-*');
    await button('Remove Rule 2').click();
    await previewAndSave();
    const { json } = await lab.builds.get('/api/admin/config/artifact_retention');
    assert.deepEqual([json.rules.length, json.rules[0].pipelines, json.rules[1].pipelines], [499, 'release-*', 'build-2']);
  });
});
