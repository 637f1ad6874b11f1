// Tests that clusters may answer with anything when they are asked for their agents.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { TRUSTED } from '../../../kit/network/reach.ts';
import { dockerElasticAgentPlugin } from './docker.ts';
import { LABELS } from './docker-engine/container.ts';
import { dockerSwarmElasticAgentPlugin } from './docker-swarm.ts';
import { kubernetesElasticAgentPlugin } from './kubernetes.ts';
import { METADATA } from './kubernetes-api/pod.ts';

let answer: unknown;
const server = createServer((_, response) => response.end(JSON.stringify(answer)));
let address: string;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const tools = { signal: new AbortController().signal, networkPolicy: TRUSTED };
const owner = { serverId: 'server', clusterId: 'farm' };
const plugins = [dockerElasticAgentPlugin, dockerSwarmElasticAgentPlugin, kubernetesElasticAgentPlugin];

function listed(plugin: (typeof plugins)[number], answered: unknown) {
  answer = answered;
  const settings = new Map([
    ['docker_uri', address],
    ['kubernetes_cluster_url', address],
  ]);
  return plugin.listAgents(owner, settings, tools);
}

const STRANGE = [null, 7, 'text', [], {}, { Labels: null }, { Spec: null }, { Labels: 'text' }, { metadata: null, status: null }];

test('entries that are no agents are left out', async () => {
  for (const plugin of plugins) {
    const isKubernetes = plugin === kubernetesElasticAgentPlugin;
    assert.deepEqual(await listed(plugin, isKubernetes ? { items: STRANGE } : STRANGE), [], plugin.id);
    for (const whole of isKubernetes ? [null, 7, [], { items: {} }] : [null, 7, {}])
      await assert.rejects(listed(plugin, whole), /answered with something that is no list/, plugin.id);
  }
});

test('an agent of which strange things are said is there, in words', async () => {
  const labelsOf = (names: typeof LABELS) => ({ [names.agent]: 'a', [names.jobId]: '1', [names.keyHash]: 'hash', [names.createdAt]: '5' });
  const labels = { agentId: 'a', jobId: 1, keyHash: 'hash', createdAt: 5 };
  assert.deepEqual(await listed(dockerElasticAgentPlugin, [{ Labels: labelsOf(LABELS), State: 'constructor', Status: {} }]), [
    { ...labels, state: 'running', detail: 'constructor' },
  ]);
  const services = [{ ID: 'x', Spec: { Labels: labelsOf(LABELS) }, ServiceID: 'x', Status: { State: 7, Err: [] } }];
  assert.deepEqual(await listed(dockerSwarmElasticAgentPlugin, services), [{ ...labels, state: 'starting', detail: 'new' }]);
  const status = { phase: {}, reason: [], containerStatuses: [null, { state: null }, { state: { terminated: 7 } }] };
  const pod = { metadata: { annotations: labelsOf(METADATA) }, status };
  assert.deepEqual(await listed(kubernetesElasticAgentPlugin, { items: [pod] }), [{ ...labels, state: 'running', detail: 'Unknown' }]);
});

test('names and hashes are texts', async () => {
  for (const wrong of [{ [LABELS.agent]: ['a'] }, { [LABELS.keyHash]: {} }, { [LABELS.jobId]: 'x' }, { [LABELS.createdAt]: '1e400' }]) {
    const Labels = { [LABELS.agent]: 'a', [LABELS.jobId]: '1', [LABELS.keyHash]: 'hash', [LABELS.createdAt]: '5', ...wrong };
    assert.deepEqual(await listed(dockerElasticAgentPlugin, [{ Labels, State: 'running' }]), []);
  }
});
