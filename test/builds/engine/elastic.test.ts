// Jobs for elastic agents: users are informed that the server does not start one, and an agent of the plugin takes them.
import assert from 'node:assert/strict';
import { after as afterAll, before, test } from 'node:test';
import { FakeAgent } from '../../support/builds/fake-agent.ts';
import { healthOf } from '../../support/server/health.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, job, stage } from './lab.ts';

/** The server does not have this plugin. */
const PLUGIN = 'org.example.elastic-agent.nomad';

let lab: BuildLab;
before(async () => {
  lab = await BuildLab.start();
  await lab.post('/api/admin/elastic/cluster_profiles', {
    id: 'farm',
    plugin_id: PLUGIN,
    properties: [{ key: 'address', value: 'https://nomad.example.org' }],
  });
  const settings = { Image: 'registry.example.org/agents/node:22', MaxMemory: '4G', ReservedMemory: '2G', CPU: '0' };
  const properties = Object.entries(settings).map(([key, value]) => ({ key, value }));
  await lab.post('/api/elastic/profiles', { id: 'small', cluster_profile_id: 'farm', properties });
});
afterAll(() => lab.stop());

test('a job waits for an elastic agent, and the API, its console and a health message say why', async () => {
  const origin = await lab.origin('elastic');
  const need = `The job needs an elastic agent of the profile 'small'. This server does not start one by itself: start an agent with --elastic-agent-id and --elastic-plugin-id ${PLUGIN}, or take the profile out of the job.`;
  await lab.pipeline('elastic', {
    materials: [git(origin)],
    stages: [stage('build', { jobs: [job('compile', { elastic_profile_id: 'small' })] })],
  });
  await lab.poll('elastic');
  await lab.run('elastic', 1);
  const why = async () => (await lab.server.get('/api/jobs/elastic/1/build/1/compile/why')).json;
  const healthMessage = async () =>
    (await healthOf(lab.server)).find(({ message }) => message === 'Unable to find agent for elastic/build/compile');
  assert.deepEqual((await why()).reasons, [{ rule: 'elastic', message: need }]);
  const { level, detail } = await until('the message', healthMessage);
  assert.deepEqual([level, detail], ['ERROR', need]);
  await until('the console', async () => (await lab.console('elastic/1/build/1/compile')).includes(need));
  // An ordinary agent changes nothing, and the console says it only once.
  await lab.agent();
  await lab.engine.cancelHung();
  assert.ok((await why()).reasons.some(({ message }: { message: string }) => message === need));
  assert.equal((await lab.console('elastic/1/build/1/compile')).split(need).length, 2);
  const { auto_register_key: key } = (await lab.server.get('/api/admin/agent_registration')).json;
  const agent = new FakeAgent({ url: lab.server.url, key, elastic: { agent: 'docker-1', plugin: PLUGIN } });
  await agent.register();
  await agent.finishNext();
  assert.equal(await lab.result('elastic', 1, 'build'), 'Passed');
  await lab.engine.cancelHung();
  assert.equal(await healthMessage(), undefined);
  await agent.stop();
});
