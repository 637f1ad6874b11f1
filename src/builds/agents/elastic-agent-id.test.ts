// Tests which ids are those of agents that the server has made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elasticAgentIdFor, isElasticAgentIdFor, jobOfElasticAgentId } from './elastic-agent-id.ts';

test('an id says for which job the agent was made', () => {
  const id = elasticAgentIdFor('4F0C2D1E-9A55-4c1b-8f7e-3d2a1b0c9d8e', 1234, 2);
  assert.equal(id, 'slipway-4f0c2d1e-job-1234-2');
  assert.equal(jobOfElasticAgentId(id), 1234);
});

test('an id is valid as the name of a container and of a pod, for any id of the server', () => {
  assert.match(elasticAgentIdFor('no hex', 1, 1), /^[a-z0-9-]{1,63}$/);
  assert.equal(jobOfElasticAgentId(elasticAgentIdFor('no hex', 7, 1)), 7);
});

test('an id belongs to one server and one job', () => {
  const id = elasticAgentIdFor('4f0c2d1e', 12, 3);
  assert.ok(isElasticAgentIdFor(id, '4f0c2d1e', 12));
  for (const [agentId, serverId, jobId] of [
    [id, '4f0c2d1f', 12],
    [id, '4f0c2d1e', 1],
    [elasticAgentIdFor('4f0c2d1e', 1, 2), '4f0c2d1e', 12],
    [`${id}-4`, '4f0c2d1e', 12],
    ['anything', '4f0c2d1e', 12],
  ] as const)
    assert.ok(!isElasticAgentIdFor(agentId, serverId, jobId), agentId);
});

test('an id of another form names no job', () => {
  for (const id of ['docker-1', 'slipway-4f0c2d1e-job-x-1', 'slipway-4f0c2d1e-job-1-1-more', ''])
    assert.equal(jobOfElasticAgentId(id), undefined, id);
});
