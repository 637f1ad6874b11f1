// The pages of administration for users whose rights come from the policy of a role: what the server would refuse is not offered.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stage } from '../../builds/run-lab.ts';
import { accepted, addRole, addUser, PASSWORD } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';

const KEEPER = { name: 'keeper', password: PASSWORD };
const VIEW_ONLY = 'You may view this, but not change it.';

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  const { server } = lab.builds;
  await addUser(server, KEEPER.name);
  await addRole(
    server,
    'keepers',
    [KEEPER.name],
    'allow administer elastic_agent_profile vault:*',
    'allow view config_repo team-*',
    'allow view environment live',
  );
  const docker = {
    go_server_url: 'https://cd.example.com',
    docker_uri: 'unix:///var/run/docker.sock',
    max_docker_containers: '2',
    auto_register_timeout: '5',
  };
  const settings = (those: Readonly<Record<string, string>>) => Object.entries(those).map(([key, value]) => ({ key, value }));
  const cluster = { id: 'vault', plugin_id: 'cd.go.contrib.elastic-agent.docker', properties: settings(docker) };
  accepted(await server.post('/api/admin/elastic/cluster_profiles', cluster));
  const profile = { id: 'small', cluster_profile_id: cluster.id, properties: settings({ Image: 'node:22' }) };
  accepted(await server.post('/api/elastic/profiles', profile));
  accepted(await server.post('/api/admin/environments', { name: 'live' }));
  const material = { type: 'git', attributes: { url: lab.builds.origin.path, branch: 'main' } };
  accepted(await server.post('/api/admin/config_repos', { id: 'team-a', plugin_id: 'yaml.config.plugin', material, rules: [] }));
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a list', () => {
  const MAKER = { name: 'maker', password: PASSWORD };
  before(async () => {
    await addUser(lab.builds.server, MAKER.name);
    await addRole(lab.builds.server, 'makers', [MAKER.name], 'allow administer environment test-*', 'allow administer config_repo own-*');
  });

  it('lets users add environments whose role allows it', async () => {
    const page = await lab.visit('/admin/environments', MAKER);
    await page.getByText('There is no environment that you may see.').waitFor();
    await button(page, 'New environment …').click();
    await page.getByLabel('Name', { exact: true }).fill('test-one');
    await button(page, 'Preview and create …').click();
    await button(page, 'Create').click();
    await page.waitForURL('**/admin/environments/test-one/edit');
    await button(page, 'Preview and save …').waitFor();
  });

  it('lets users add config repos whose role allows it, and does not offer them to check files', async () => {
    const page = await lab.visit('/admin/config_repos', MAKER);
    await page.getByText('There is no config repo that you may see.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Check files' }).count(), 0);
    await page.getByRole('link', { name: 'Add a config repo' }).first().click();
    await page.getByLabel('Id').fill('own-files');
    await page.getByLabel('URL').fill('https://git.example.com/own.git');
    await button(page, 'Preview and add …').click();
    await button(page, 'Add').click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  });

  it('offers nothing to add to users who may only view, and the pages behind it say why', async () => {
    const page = await lab.visit('/agents', KEEPER);
    const rights = page.waitForResponse(/\/api\/forms$/);
    await page.goto('/admin/environments');
    await (await rights).finished();
    await page.getByRole('link', { name: 'live', exact: true }).waitFor();
    assert.equal(await button(page, 'New environment …').count(), 0);
    await page.goto('/admin/config_repos/new');
    await page.getByText('You may add no config repo.').waitFor();
    await page.goto('/admin/config_repos/preflight');
    await page.getByText('Only system administrators see this page.').waitFor();
    await lab.assertAccessible(page);
  });
});

it('a refused clone shows its reasons, which stand deep in the answer', async () => {
  lab.expect(/422 .*\/api\/admin\/pipelines/);
  const { server } = lab.builds;
  await addUser(server, 'cloner');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'cloned', authorization: { admins: { users: ['cloner'] } } }));
  const material = { type: 'git', attributes: { url: '/srv/of-the-server', branch: 'main', auto_update: false } };
  const pipeline = { name: 'outside', materials: [material], stages: [stage('build')] };
  accepted(await server.post('/api/admin/pipelines', { group: 'cloned', pipeline }));
  const page = await lab.visit('/admin/pipelines', { name: 'cloner', password: PASSWORD });
  await button(page, 'Actions for outside').click();
  await page.getByRole('menuitem', { name: 'Clone …' }).click();
  await button(page, 'Preview and create …').click();
  await page.getByRole('alert').getByText('or when a system administrator enters it').waitFor();
  await lab.assertAccessible(page);
});

describe('a page that is open', () => {
  it('leads a user to Admin who is made an administrator of a group, without a reload', async () => {
    const { server } = lab.builds;
    await addUser(server, 'lead');
    const page = await lab.visit('/agents', { name: 'lead', password: PASSWORD });
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    const admin = page.getByRole('link', { name: 'Admin', exact: true });
    assert.equal(await admin.count(), 0);
    const authorization = { view: {}, operate: {}, admins: { users: ['lead'] } };
    accepted(await server.post('/api/admin/pipeline_groups', { name: 'led', authorization }));
    await admin.waitFor();
    const { etag } = accepted(await server.get('/api/admin/pipeline_groups/led'));
    accepted(await server.put('/api/admin/pipeline_groups/led', { name: 'led', authorization: { ...authorization, admins: {} } }, etag!));
    await admin.waitFor({ state: 'detached' });
  });
});

describe('a form', () => {
  it('is only shown to users who may not change the entity, and says so', async () => {
    const page = await lab.visit('/admin/cluster_profiles/vault', KEEPER);
    await page.getByText(VIEW_ONLY).waitFor();
    await lab.assertAccessible(page);
    assert.equal(await button(page, 'Delete …').count(), 0);
    assert.equal(await button(page, 'Preview and save …').count(), 0);
    await page.locator('form > fieldset:disabled').waitFor();
  });

  it('can be changed by users who may, and by administrators', async () => {
    const profile = await lab.visit('/admin/elastic_agent_configurations/small', KEEPER);
    await button(profile, 'Preview and save …').waitFor();
    await button(profile, 'Delete …').waitFor();
    const cluster = await lab.visit('/admin/cluster_profiles/vault');
    await button(cluster, 'Preview and save …').waitFor();
    await button(cluster, 'Delete …').waitFor();
    for (const page of [profile, cluster]) assert.equal(await page.getByText(VIEW_ONLY).count(), 0);
  });

  for (const [what, address] of [
    ['a config repo', '/admin/config_repos/team-a/edit'],
    ['an environment', '/admin/environments/live/edit'],
  ] as const) {
    it(`a form of ${what} is treated alike`, async () => {
      const page = await lab.visit(address, KEEPER);
      await page.getByText(VIEW_ONLY).waitFor();
      await page.locator('fieldset.editing:disabled').waitFor();
      assert.equal(await button(page, 'Preview and save …').count(), 0);
      await lab.assertAccessible(page);
    });
  }
});
