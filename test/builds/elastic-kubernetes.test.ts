// Agents on demand as pods of Kubernetes: a stand-in answers for its API server, and its pods are real agents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type Certificates, makeCertificates } from '../support/services/certificates.ts';
import { Kubernetes } from '../support/services/kubernetes.ts';
import { until } from '../support/until.ts';
import { ElasticLab, locator } from './elastic-lab.ts';

const PLUGIN = 'cd.go.contrib.elasticagent.kubernetes';
let lab: ElasticLab;
let kubernetes: Kubernetes;
let certificates: Certificates;
before(async () => {
  certificates = await makeCertificates();
  lab = await ElasticLab.start();
  kubernetes = new Kubernetes(certificates, () => lab.url);
  await kubernetes.listen();
  await lab.setCluster(PLUGIN, cluster());
});
after(async () => {
  await lab.stop();
  await kubernetes.stop();
  await certificates.remove();
});

function cluster(more: Readonly<Record<string, string>> = {}) {
  return {
    go_server_url: 'http://slipway.internal',
    kubernetes_cluster_url: kubernetes.url,
    kubernetes_cluster_ca_cert: readFileSync(certificates.caFile, 'utf8'),
    security_token: kubernetes.token,
    namespace: 'ci',
    pending_pods_count: '1',
    auto_register_timeout: '5',
    ...more,
  };
}

const pod = (image: string) =>
  `metadata: {labels: {team: shop}}\nspec: {containers: [{name: main, image: ${image}, env: [{name: REGION, value: south}]}]}`;

test('a job gets the pod that its profile describes, which registers, builds and is removed', async () => {
  await lab.scheduled('whole', { PodSpecType: 'yaml', PodConfiguration: pod('agent'), Environment: 'TIER=two' });
  assert.equal(await lab.builds.result('whole', 1, 'build'), 'Passed');
  await until('the console', async () => (await lab.builds.console(locator('whole'))).includes('in south two'));
  await until('the pod to be gone', () => kubernetes.pods.size === 0);
  await until('the agent to be deleted', async () => (await lab.agents()).length === 0);
  assert.equal(kubernetes.made.length, 1, 'one for one job');
});

test('an image that cannot be pulled: the job says so, and the pod is removed', async () => {
  await lab.scheduled('missing', { PodSpecType: 'properties', Image: 'nowhere' });
  await lab.waitReason('missing', /has ended before it took the job: Pending, ImagePullBackOff/);
  await until('the pod to be gone', () => kubernetes.pods.size === 0);
  assert.ok(await until('the message', () => lab.healthMessage('missing')));
  await lab.cancel('missing');
  await until('the message to be gone', async () => (await lab.healthMessage('missing')) === undefined);
});

test('no more pods are pending at a time than the cluster profile allows', async () => {
  for (const name of ['first', 'second']) await lab.scheduled(name, { PodSpecType: 'properties', Image: 'pending' });
  await lab.waitReason('second', /As many agents are starting in the cluster as its cluster profile allows \(1\)/);
  await lab.cancel('first');
  await lab.waitReason('second', /has not registered yet\. In the cluster it is Pending/);
  await lab.cancel('second');
  await until('the pods to be gone', () => kubernetes.pods.size === 0);
});

test('a refusal of Kubernetes is shown, without the token', async () => {
  await lab.setCluster(PLUGIN, cluster({ security_token: 'another-token' }));
  await lab.scheduled('refused', { PodSpecType: 'properties', Image: 'agent' });
  const unknown = await lab.waitReason('refused', /refused: Unauthorized \(status 401\)/);
  assert.doesNotMatch(unknown, /another-token/);
  await lab.setCluster(PLUGIN, cluster({ namespace: 'other' }));
  await lab.waitReason('refused', /cannot list resource "pods" at \/api\/v1\/namespaces\/other\/pods/);
  await lab.setCluster(PLUGIN, cluster({ kubernetes_cluster_ca_cert: '' }));
  await lab.waitReason('refused', /cannot be reached: \w*(?:CERT|SIGNATURE)/);
  await lab.setCluster(PLUGIN, cluster());
  assert.equal(await lab.builds.result('refused', 1, 'build'), 'Passed');
});
