// The lock of a pipeline: which run takes it, which runs wait for it, and that none stays without a run that holds it.
import assert from 'node:assert/strict';
import { after as afterAll, before, test } from 'node:test';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, type JsonBody, MANUAL, stage } from './lab.ts';

let lab: BuildLab;
let agent: FakeAgent;
before(async () => {
  lab = await BuildLab.start();
  agent = await lab.agent();
});
afterAll(() => lab.stop());

async function started(name: string, lock: string, stages: readonly JsonBody[]) {
  const origin = await lab.origin(name);
  const body = { materials: [git(origin)], stages, lock_behavior: lock };
  await lab.pipeline(name, body);
  await lab.poll(name);
  await lab.run(name, 1);
  const commit = async () => {
    await origin.commit('more');
    await lab.poll(name);
  };
  return { commit, body };
}

const locks = async () => (await lab.engine.state.pipelines.locks()).map(({ key }) => key);

test('lockOnFailure keeps other runs out until the last stage has passed, and after a failure until a user unlocks', async () => {
  const { commit } = await started('strict', 'lockOnFailure', [stage('one'), stage('two')]);
  await agent.finishNext();
  await lab.result('strict', 1, 'one');
  await commit();
  assert.equal(await lab.whyNot('strict'), 'locked');
  await agent.finishNext();
  await lab.result('strict', 1, 'two');
  await lab.run('strict', 2);
  await agent.finishNext('Failed');
  await lab.result('strict', 2, 'one');
  await commit();
  assert.equal(await lab.whyNot('strict'), 'locked');
  assert.deepEqual(await locks(), ['strict']);
  await lab.restart();
  assert.equal(await lab.whyNot('strict'), 'locked', 'after a restart, too');
  await lab.request('strict');
  await until('the request is over', () => !lab.engine.requests.isWaiting('strict'));
  assert.equal((await lab.runs('strict')).length, 2);
  // The run that holds the lock goes on.
  assert.equal(await lab.engine.stages.runStage(await lab.run('strict', 2), 'one', 'ann', 'current'), 2);
  await assert.rejects(lab.engine.stages.runStage(await lab.run('strict', 1), 'two', 'ann', 'current'), /is locked as another instance/);
  await agent.finishNext();
  await agent.finishNext();
  await lab.result('strict', 2, 'two');
  await lab.run('strict', 3);
  await agent.finishNext();
  await agent.finishNext();
  await lab.result('strict', 3, 'two');
  assert.deepEqual(await locks(), []);
});

test('unlockWhenFinished ends the lock after a failure and before a manual stage, too', async () => {
  const { commit } = await started('soft', 'unlockWhenFinished', [stage('one'), stage('two', MANUAL)]);
  assert.deepEqual(await locks(), ['soft']);
  await commit();
  const outcome = await lab.check('soft');
  assert.ok(outcome.kind === 'obstacle');
  assert.match(outcome.obstacle.message, /The run soft\/1 holds the lock/);
  await agent.finishNext('Failed');
  await lab.run('soft', 2);
  await agent.finishNext();
  await lab.result('soft', 2, 'one');
  assert.deepEqual(await locks(), []);
  await lab.engine.stages.runStage(await lab.run('soft', 1), 'two', 'ann', 'current');
  assert.deepEqual(await locks(), ['soft'], 'a manual stage takes it again');
  await commit();
  assert.equal(await lab.whyNot('soft'), 'locked');
  await agent.finishNext();
  await lab.run('soft', 3);
  await agent.finishNext();
  await lab.result('soft', 3, 'one');
  assert.deepEqual(await locks(), []);
});

test('a pipeline that does not lock any more is free', async () => {
  const { commit, body } = await started('freed', 'lockOnFailure', [stage('one'), stage('two')]);
  await agent.finishNext('Failed');
  await lab.result('freed', 1, 'one');
  await commit();
  assert.equal(await lab.whyNot('freed'), 'locked');
  await lab.pipeline('freed', { ...body, lock_behavior: 'none' });
  await lab.run('freed', 2);
  await until('no lock', async () => (await locks()).length === 0);
  await lab.pipeline('freed', body);
  await agent.finishNext();
  await agent.finishNext();
  assert.equal(await lab.result('freed', 2, 'two'), 'Passed');
  assert.deepEqual(await locks(), []);
});

test('a pipeline that is deleted leaves no lock to one of its name', async () => {
  const { body } = await started('deleted', 'lockOnFailure', [stage('one'), stage('two')]);
  await agent.finishNext('Failed');
  await lab.result('deleted', 1, 'one');
  assert.deepEqual(await locks(), ['deleted']);
  assert.equal((await lab.server.delete('/api/admin/pipelines/deleted')).status, 200);
  await until('no lock', async () => (await locks()).length === 0);
  await lab.pipeline('deleted', body);
  await lab.request('deleted');
  await lab.run('deleted', 2);
  await agent.finishNext();
  await agent.finishNext();
  assert.equal(await lab.result('deleted', 2, 'two'), 'Passed');
});
