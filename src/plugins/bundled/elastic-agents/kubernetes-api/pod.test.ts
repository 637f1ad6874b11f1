// Tests the pods that Kubernetes is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podOf } from './pod.ts';

const ORDER = {
  agentId: 'slipway-4f0c2d1e-job-7-1',
  jobId: 7,
  keyHash: 'hash',
  createdAt: 1000,
  serverId: 'server',
  clusterId: 'farm',
  job: 'shop/1/build/1/compile',
  environment: null,
  key: 'sesame',
  siteUrl: 'https://cd.example.com',
};
const CLUSTER = new Map([['namespace', 'ci']]);
const REGISTERS = [
  { name: 'SLIPWAY_SERVER', value: 'https://cd.example.com' },
  { name: 'SLIPWAY_AGENT_KEY', value: 'sesame' },
  { name: 'SLIPWAY_ELASTIC_AGENT_ID', value: ORDER.agentId },
  { name: 'SLIPWAY_ELASTIC_PLUGIN_ID', value: 'plugin' },
];

const podWith = (settings: Readonly<Record<string, string>>) => podOf(ORDER, 'plugin', CLUSTER, new Map(Object.entries(settings)));

test('a pod of an image, with limits', () => {
  const pod = podWith({
    PodSpecType: 'properties',
    Image: 'agents/node:22',
    MaxMemory: '1G',
    MaxCPU: '1.5',
    Environment: 'A=b=c',
    Privileged: 'true',
  });
  assert.deepEqual(pod.spec, {
    restartPolicy: 'Never',
    containers: [
      {
        name: 'agent',
        image: 'agents/node:22',
        resources: { limits: { memory: String(1024 ** 3), cpu: '1.5' } },
        securityContext: { privileged: true },
        env: [{ name: 'A', value: 'b=c' }, ...REGISTERS],
      },
    ],
  });
  assert.deepEqual(pod.metadata, {
    name: ORDER.agentId,
    labels: { 'slipway/server': 'server', 'slipway/cluster-profile': 'c8cf701f30ad11d3' },
    annotations: {
      'slipway/agent': ORDER.agentId,
      'slipway/job-id': '7',
      'slipway/job': ORDER.job,
      'slipway/key-hash': 'hash',
      'slipway/created-at': '1000',
    },
  });
});

test('a written pod keeps its members, except the restart policy and the registration of the agent', () => {
  const PodConfiguration = [
    'apiVersion: v1',
    'kind: Pod',
    'metadata: {name: mine, labels: {team: shop}}',
    'spec:',
    '  terminationGracePeriodSeconds: 5',
    '  restartPolicy: Always',
    '  containers:',
    '  - {name: main, image: "agents/node:22", env: [{name: SLIPWAY_AGENT_KEY, value: forged}, {name: PORT, value: "80"}]}',
    '  - {name: database, image: postgres}',
  ].join('\n');
  const pod = podWith({ PodSpecType: 'yaml', PodConfiguration });
  assert.deepEqual(pod.spec, {
    terminationGracePeriodSeconds: 5,
    restartPolicy: 'Never',
    containers: [
      { name: 'main', image: 'agents/node:22', env: [{ name: 'PORT', value: '80' }, ...REGISTERS] },
      { name: 'database', image: 'postgres' },
    ],
  });
  assert.equal(pod.metadata?.labels?.team, 'shop');
});

test('a text that is no pod is refused with a message', () => {
  assert.throws(() => podWith({ PodSpecType: 'yaml', PodConfiguration: 'spec: [' }), /is no YAML/);
  for (const PodConfiguration of [
    '',
    'spec: {}',
    'spec: {containers: []}',
    'spec: {containers: [a]}',
    'metadata: x\nspec: {containers: [{}]}',
  ])
    assert.throws(() => podWith({ PodSpecType: 'yaml', PodConfiguration }), /must describe a pod/, PodConfiguration);
  assert.throws(
    () => podWith({ PodSpecType: 'remote', RemoteFile: 'https://example.com/pod.json' }),
    /does not read pods from a remote file/,
  );
});
