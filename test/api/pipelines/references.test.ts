// The entities that pipelines and templates use must exist, and cannot be deleted as long as they are used.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { accepted, roleBody } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import { create, external, git, job, PATH, pipeline, refused, removeAll, replace, stage } from './bodies.ts';

const ROLES = '/api/admin/security/roles';
const TEMPLATES = '/api/admin/templates';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  const lists: readonly [path: string, list: string, id: string][] = [
    [TEMPLATES, 'templates', 'name'],
    ['/api/admin/pipeline_groups', 'groups', 'name'],
    ['/api/admin/artifact_stores', 'artifact_stores', 'id'],
    ['/api/elastic/profiles', 'profiles', 'id'],
    ['/api/admin/elastic/cluster_profiles', 'profiles', 'id'],
    ['/api/admin/packages', 'packages', 'id'],
    ['/api/admin/repositories', 'package_repositories', 'repo_id'],
    ['/api/admin/scms', 'scms', 'name'],
    [ROLES, 'roles', 'name'],
  ];
  for (const [path, list, id] of lists) {
    for (const one of (await server.get(path)).json._embedded[list]) accepted(await server.delete(`${path}/${one[id]}`));
  }
});

const add = async (path: string, body: object) => accepted(await server.post(path, body));
const store = (id: string) => add('/api/admin/artifact_stores', { id, plugin_id: 'com.example.store', properties: [] });
const cluster = () => add('/api/admin/elastic/cluster_profiles', { id: 'cluster', plugin_id: 'com.example.cluster', properties: [] });
const profile = (id: string) => add('/api/elastic/profiles', { id, cluster_profile_id: 'cluster', properties: [] });
const inJob = (more: object) => ({ stages: [stage('s', { jobs: [job(), job({ name: 'k', ...more })] })] });

async function stays(path: string, message: string): Promise<void> {
  const before = await server.get(path);
  const reply = await server.delete(path);
  assert.equal(reply.status, 422, reply.text);
  assert.equal(reply.json.message, message);
  assert.equal((await server.get(path)).text, before.text);
}

test('an artifact store is not deleted while a job publishes to it', async () => {
  await store('s3');
  accepted(await create(server, pipeline('web', inJob({ artifacts: [external({ store_id: 's3' })] }))));
  await add(TEMPLATES, { name: 't', ...inJob({ artifacts: [external({ store_id: 's3' })] }) });
  await stays(
    '/api/admin/artifact_stores/s3',
    "Validations failed for artifactStore 's3'. Error(s): [The artifact store 's3' is being referenced by pipeline(s): JobConfigIdentifier[web:s:k], JobConfigIdentifier[t:s:k].]. Please correct and resubmit.",
  );
  accepted(await replace(server, pipeline('web')));
  accepted(await server.delete(`${TEMPLATES}/t`));
  accepted(await server.delete('/api/admin/artifact_stores/s3'));
});

test('an elastic profile is not deleted while a job runs on it', async () => {
  await cluster();
  await profile('small');
  accepted(await create(server, pipeline('web', inJob({ elastic_profile_id: 'small' }))));
  accepted(await create(server, pipeline('api', inJob({ elastic_profile_id: 'small' }))));
  await stays(
    '/api/elastic/profiles/small',
    "Cannot delete the elastic agent profile 'small' as it is used by pipeline(s): 'JobConfigIdentifier[web:s:k], JobConfigIdentifier[api:s:k]'",
  );
  accepted(await server.delete(`${PATH}/web`));
  accepted(await server.delete(`${PATH}/api`));
  accepted(await server.delete('/api/elastic/profiles/small'));
});

test('a store and a profile of the same id each name only their own jobs', async () => {
  await cluster();
  await profile('same');
  await store('same');
  accepted(await create(server, pipeline('web', inJob({ elastic_profile_id: 'same' }))));
  accepted(
    await create(
      server,
      pipeline('both', {
        stages: [
          stage('s', { jobs: [job({ elastic_profile_id: 'same' }), job({ name: 'k', artifacts: [external({ store_id: 'same' })] })] }),
        ],
      }),
    ),
  );
  await stays(
    '/api/admin/artifact_stores/same',
    "Validations failed for artifactStore 'same'. Error(s): [The artifact store 'same' is being referenced by pipeline(s): JobConfigIdentifier[both:s:k].]. Please correct and resubmit.",
  );
  await stays(
    '/api/elastic/profiles/same',
    "Cannot delete the elastic agent profile 'same' as it is used by pipeline(s): 'JobConfigIdentifier[web:s:k], JobConfigIdentifier[both:s:j]'",
  );
});

describe('an entity that a template names by a parameter', () => {
  const PROFILE = '/api/elastic/profiles/small';
  const STORE = '/api/admin/artifact_stores/s3-eu';
  const open = inJob({ elastic_profile_id: '#{size}', artifacts: [external({ store_id: 's3-#{region}' })] });
  const given = (size: string, region: string) => ({
    template: 't',
    stages: null,
    parameters: Object.entries({ size, region }).map(([name, value]) => ({ name, value })),
  });
  const usedBy = (...jobs: string[]) =>
    `Cannot delete the elastic agent profile 'small' as it is used by pipeline(s): '${jobs.map((one) => `JobConfigIdentifier[${one}]`).join(', ')}'`;
  beforeEach(async () => {
    await cluster();
    for (const id of ['small', 'large']) await profile(id);
    for (const id of ['s3-eu', 's3-us']) await store(id);
    await add(TEMPLATES, { name: 't', ...open });
    accepted(await create(server, pipeline('web', given('small', 'eu'))));
  });

  test('is not deleted as long as a pipeline gives the parameter that value, also after a restart', async () => {
    accepted(await create(server, pipeline('api', given('small', 'us'))));
    await server.restart();
    await stays(PROFILE, usedBy('web:s:k', 'api:s:k'));
    await stays(
      STORE,
      "Validations failed for artifactStore 's3-eu'. Error(s): [The artifact store 's3-eu' is being referenced by pipeline(s): JobConfigIdentifier[web:s:k].]. Please correct and resubmit.",
    );
    accepted(await replace(server, pipeline('web', given('large', 'us'))));
    await stays(PROFILE, usedBy('api:s:k'));
    accepted(await server.delete(STORE));
    accepted(await server.delete(`${PATH}/api`));
    accepted(await server.delete(PROFILE));
  });

  test('follows the template', async () => {
    await add(TEMPLATES, { name: 'u', stages: [stage()] });
    accepted(await server.put(`${TEMPLATES}/t`, { stages: [stage()] }, '*'));
    accepted(await server.delete(`${PROFILE}?dry_run=true`));
    accepted(await server.put(`${TEMPLATES}/t`, open, '*'));
    await stays(PROFILE, usedBy('web:s:k'));
    accepted(await server.put(`${TEMPLATES}/t`, inJob({ elastic_profile_id: 'small' }), '*'));
    await stays(PROFILE, usedBy('t:s:k'));
    accepted(await server.put(`${TEMPLATES}/t`, open, '*'));
    accepted(await replace(server, pipeline('web', { ...given('small', 'eu'), template: 'u' })));
    accepted(await server.delete(PROFILE));
  });

  test('must exist for every pipeline that uses it', async () => {
    for (const [size, region, message] of [
      ['huge', 'eu', "No profile defined corresponding to profile_id 'huge'"],
      ['small', 'mars', 'Artifact store with id `s3-mars` does not exist. Please correct the `storeId` attribute on pipeline `web`.'],
    ] as const) {
      refused(await replace(server, pipeline('web', given(size, region))), { template: [message] });
    }
    accepted(await server.put(`${TEMPLATES}/t`, inJob({ elastic_profile_id: 'large' }), '*'));
    accepted(await server.delete(PROFILE));
    refused(await server.put(`${TEMPLATES}/t`, open, '*'), { base: ["No profile defined corresponding to profile_id 'small'"] });
  });

  test('is not deleted while a pipeline begins to use it at the same moment', async () => {
    const other = given('large', 'us');
    accepted(await replace(server, pipeline('web', other)));
    const [used, deleted] = await Promise.all([replace(server, pipeline('web', given('small', 'eu'))), server.delete(PROFILE)]);
    assert.deepEqual([used.status, deleted.status].sort(), [200, 422]);
    accepted(await replace(server, pipeline('web', { ...other, stages: [stage()], template: null })));
    await server.delete(PROFILE);
    await profile('small');
    accepted(await server.put(`${TEMPLATES}/t`, { stages: [stage()] }, '*'));
    accepted(await replace(server, pipeline('web', given('small', 'eu'))));
    const [opened, gone] = await Promise.all([server.put(`${TEMPLATES}/t`, open, '*'), server.delete(PROFILE)]);
    assert.deepEqual([opened.status, gone.status].sort(), [200, 422]);
  });
});

test('a package, an SCM and an upstream pipeline stay while parameters of a pipeline name them', async () => {
  const plugin_metadata = { id: 'com.example', version: '1' };
  const configuration: object[] = [];
  await add('/api/admin/repositories', { repo_id: 'npm', name: 'npm', plugin_metadata, configuration });
  await add('/api/admin/packages', { id: 'pad', name: 'pad', package_repo: { id: 'npm' }, configuration });
  await add('/api/admin/scms', { id: 'tools', name: 'tools', plugin_metadata, configuration });
  accepted(await create(server, pipeline('up')));
  const materials = [
    { type: 'package', attributes: { ref: '#{a}' } },
    { type: 'plugin', attributes: { ref: 'too#{b}' } },
    { type: 'dependency', attributes: { pipeline: '#{c}', stage: 's' } },
  ];
  const parameters = Object.entries({ a: 'pad', b: 'ls', c: 'up' }).map(([name, value]) => ({ name, value }));
  accepted(await create(server, pipeline('web', { materials, parameters })));
  for (const path of ['/api/admin/packages/pad', '/api/admin/scms/tools', `${PATH}/up`]) {
    const reply = await server.delete(path);
    assert.equal(reply.status, 422, path);
    assert.match(reply.json.message, /\bweb\b/);
  }
});

test('ids of profiles and stores are distinguished by letter case', async () => {
  await store('s3');
  const reply = await create(server, pipeline('web', inJob({ artifacts: [external({ store_id: 'S3' })] })));
  assert.equal(reply.status, 422);
});

test('a package and its repository are not deleted while a pipeline uses the package', async () => {
  const configuration: object[] = [];
  await add('/api/admin/repositories', {
    repo_id: 'npm',
    name: 'npm',
    plugin_metadata: { id: 'com.example.packages', version: '1' },
    configuration,
  });
  await add('/api/admin/packages', { id: 'pad', name: 'pad', package_repo: { id: 'npm' }, configuration });
  await add('/api/admin/packages', { id: 'free', name: 'free', package_repo: { id: 'npm' }, configuration });
  for (const name of ['Web', 'api']) {
    accepted(await create(server, pipeline(name, { materials: [{ type: 'package', attributes: { ref: 'pad' } }] })));
  }
  await stays('/api/admin/packages/pad', "Cannot delete the package definition 'pad' as it is used by pipeline(s): 'web, api'");
  await stays('/api/admin/repositories/npm', "Cannot delete the package repository 'npm' as it is used by pipeline(s): 'web, api'");
  assert.deepEqual((await server.get('/api/admin/packages/pad/usages')).json.usages, [
    { group: 'g', pipeline: 'Web' },
    { group: 'g', pipeline: 'api' },
  ]);
  accepted(await server.delete('/api/admin/packages/free'));
  await removeAll(server);
  accepted(await server.delete('/api/admin/repositories/npm'));
});

test('an SCM is not deleted while a pipeline refers to its id', async () => {
  await add('/api/admin/scms', { id: 'scm-id', name: 'tools', plugin_metadata: { id: 'github.pr', version: '1' }, configuration: [] });
  accepted(await create(server, pipeline('web', { materials: [{ type: 'plugin', attributes: { ref: 'scm-id' } }] })));
  const reply = await server.delete('/api/admin/scms/tools');
  assert.equal(reply.status, 422);
  assert.match(reply.json.message, /\bweb\b/);
  assert.match(reply.json.message, /'tools'/);
  accepted(await replace(server, pipeline('web')));
  accepted(await server.delete('/api/admin/scms/tools'));
});

test('a template is not deleted while a pipeline uses it', async () => {
  await add(TEMPLATES, { name: 't', stages: [stage()] });
  for (const name of ['web', 'api']) accepted(await create(server, pipeline(name, { template: 'T', stages: null })));
  await stays(`${TEMPLATES}/t`, "Cannot delete the template 't' as it is used by pipeline(s): 'web, api'");
  accepted(await replace(server, pipeline('web')));
  await stays(`${TEMPLATES}/t`, "Cannot delete the template 't' as it is used by pipeline(s): 'api'");
  accepted(await server.delete(`${PATH}/api`));
  accepted(await server.delete(`${TEMPLATES}/t`));
});

test('a role is not deleted while it approves stages, sees a template, or has rights in a group', async () => {
  const approval = { type: 'manual', authorization: { roles: ['Approvers'] } };
  const members = { users: [], roles: ['APPROVERS'] };
  const uses: readonly [name: string, use: () => Promise<unknown>, release: () => Promise<unknown>][] = [
    ['web', () => create(server, pipeline('web', { stages: [stage('s', { approval })] })), () => server.delete(`${PATH}/web`)],
    ['t', () => add(TEMPLATES, { name: 't', stages: [stage('s', { approval })] }), () => server.delete(`${TEMPLATES}/t`)],
    [
      'u',
      async () => {
        await add(TEMPLATES, { name: 'u', stages: [stage()] });
        return accepted(await server.put(`${TEMPLATES}/u/authorization`, { admin: members }, '*'));
      },
      () => server.delete(`${TEMPLATES}/u`),
    ],
    [
      'shop',
      () => add('/api/admin/pipeline_groups', { name: 'shop', authorization: { operate: members } }),
      () => server.delete('/api/admin/pipeline_groups/shop'),
    ],
  ];
  accepted(await server.post(ROLES, roleBody('approvers', ['jez'])));
  for (const [name, use, release] of uses) {
    await use();
    const reply = await server.delete(`${ROLES}/approvers`);
    assert.equal(reply.status, 422, name);
    assert.ok(reply.json.message.includes(`'${name}'`), `${name}: ${reply.json.message}`);
    await release();
  }
  accepted(await server.delete(`${ROLES}/approvers`));
});

test('a group is not deleted while it has pipelines', async () => {
  accepted(await create(server, pipeline('web'), 'Shop'));
  await stays('/api/admin/pipeline_groups/shop', 'Failed to delete group Shop because it was not empty.');
});

test('references are found again after a restart', async () => {
  await store('s3');
  await add(TEMPLATES, { name: 't', stages: [stage()] });
  accepted(await create(server, pipeline('web', inJob({ artifacts: [external({ store_id: 's3' })] }))));
  accepted(await create(server, pipeline('api', { template: 't', stages: null })));
  await server.restart();
  assert.equal((await server.delete('/api/admin/artifact_stores/s3')).status, 422);
  assert.equal((await server.delete(`${TEMPLATES}/t`)).status, 422);
  assert.equal((await server.delete('/api/admin/pipeline_groups/g')).status, 422);
  accepted(await replace(server, pipeline('web', { materials: [git()] })));
  accepted(await server.delete('/api/admin/artifact_stores/s3'));
});
