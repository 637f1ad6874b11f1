// A stage that is run again as it was: which users may, when the pipeline of that run was another one of the same name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addUser } from '../support/requests/callers.ts';
import { type Agent, RunLab, stage } from './run-lab.ts';

let lab: RunLab;
let agent: Agent;
before(async () => {
  lab = await RunLab.start();
  agent = await lab.agent();
});
after(() => lab.stop());

const MANUAL = { approval: { type: 'manual' } };

test('the administrator of a new pipeline cannot run a deleted one of its name', async () => {
  const as = await addUser(lab.server, 'owner');
  const group = { name: 'own', authorization: { admins: { users: ['owner'], roles: [] } } };
  await lab.post('/api/admin/pipeline_groups', group);
  const secret = [{ name: 'KEY', secure: true, value: 'hush' }];
  await lab.pipeline('deploy', { environment_variables: secret, stages: [stage('test', MANUAL)] }, 'foreign');
  await lab.poll();
  await lab.post('/api/pipelines/deploy/schedule');
  await lab.run('deploy', 1);
  await agent.build('Passed');
  await lab.stageResult('deploy/1/test/1', 'Passed');
  await lab.server.delete('/api/admin/pipelines/deploy');
  await lab.pipeline('deploy', { stages: [stage('test', MANUAL)] }, 'own');
  const run = async (configuration: string, more = {}) =>
    (await lab.post('/api/stages/deploy/1/test/run?dry_run=true', { configuration }, more)).status;
  assert.deepEqual([await run('current', { as }), await run('original', { as }), await run('original')], [202, 403, 202]);
  await lab.server.put('/api/admin/pipeline_groups/foreign', { ...group, name: 'foreign' }, '*');
  assert.equal(await run('original', { as }), 202);
});
