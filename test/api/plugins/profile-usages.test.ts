// Which jobs use an elastic agent profile: of pipelines, of templates, by parameters, and of pipelines from config repos.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigRepoServer, yaml } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { dockerCluster } from '../../support/configuration/samples.ts';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import { failed } from '../../support/requests/replies.ts';
import type { TestServer } from '../../support/server/server.ts';
import { create, job, pipeline, stage } from '../pipelines/bodies.ts';

const accept = 'application/vnd.go.cd.v1+json';
const path = (id: string) => `/api/internal/elastic/profiles/${id}/usages`;

let server: TestServer;
const lab = new Lab();
before(async () => {
  server = await startServer();
  accepted(await server.post('/api/admin/elastic/cluster_profiles', { id: 'farm', ...dockerCluster }));
  const properties = [{ key: 'Image', value: 'registry.example.org/agents/node:22' }];
  for (const id of ['small', 'unused'])
    accepted(await server.post('/api/elastic/profiles', { id, cluster_profile_id: 'farm', properties }));
});
after(async () => {
  await server.stop();
  lab.remove();
});

const on = (name: string, elastic_profile_id: string) => job({ name, elastic_profile_id });
const own = { pipeline_config_origin: 'gocd' };

test('each job is named with its pipeline, stage and template', async () => {
  const stages = [stage('build', { jobs: [on('compile', 'small'), on('lint', 'small'), job({ name: 'plain' })] })];
  accepted(await create(server, pipeline('web', { stages })));
  accepted(await server.post('/api/admin/templates', { name: 'shared', stages: [stage('s', { jobs: [on('j', 'small')] })] }));
  accepted(await server.post('/api/admin/templates', { name: 'chosen', stages: [stage('s', { jobs: [on('j', '#{profile}')] })] }));
  const using = (template: string, more: object = {}) => ({ template, stages: null, ...more });
  accepted(await create(server, pipeline('api', using('shared'))));
  accepted(await create(server, pipeline('docs', using('chosen', { parameters: [{ name: 'profile', value: 'small' }] }))));
  const { json } = accepted(await server.get(path('small'), { accept }));
  assert.deepEqual(
    json.toSorted((one: Record<string, string>, other: Record<string, string>) => (one.pipeline_name! < other.pipeline_name! ? -1 : 1)),
    [
      { pipeline_name: 'api', stage_name: 's', job_name: 'j', template_name: 'shared', ...own },
      { pipeline_name: 'docs', stage_name: 's', job_name: 'j', template_name: 'chosen', ...own },
      { pipeline_name: 'web', stage_name: 'build', job_name: 'compile', ...own },
      { pipeline_name: 'web', stage_name: 'build', job_name: 'lint', ...own },
    ],
  );
  assert.deepEqual(accepted(await server.get(path('unused'), { accept })).json, []);
});

test('a job of a config repo has config_repo as its origin', async () => {
  const origin = await GitOrigin.make(lab.newPath('origin'));
  const text = yaml('remote-group', { remote: undefined }).replace(
    '            j:\n',
    '            j:\n              elastic_profile_id: small\n',
  );
  assert.ok(text.includes('elastic_profile_id'), text);
  await origin.commit('first', { 'a.gocd.yaml': text });
  await new ConfigRepoServer(server).add('source', origin.path);
  const { json } = accepted(await server.get(path('small'), { accept }));
  assert.deepEqual(
    json
      .filter((one: Record<string, string>) => one.pipeline_name === 'remote')
      .map((one: Record<string, string>) => one.pipeline_config_origin),
    ['config_repo'],
  );
});

test('only users who may see the profile see its usages', async () => {
  const stranger = await addUser(server, 'stranger');
  const viewer = await addUser(server, 'viewer');
  await addRole(server, 'viewers', ['viewer'], 'allow view elastic_agent_profile small');
  assert.equal((await server.get(path('small'), { accept, as: stranger })).status, 403);
  accepted(await server.get(path('small'), { accept, as: viewer }));
  failed(await server.get(path('gone'), { accept }), 404, "Elastic agent profile with id 'gone' was not found!");
});
