// Agents on demand as tasks of Amazon ECS: a stand-in answers for the service, and its tasks are real agents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ACCOUNT, CLUSTER, EcsService, ROLE } from '../support/services/ecs.ts';
import { until } from '../support/until.ts';
import { ElasticLab, locator } from './elastic-lab.ts';

const ENDPOINTS = ['AWS_ENDPOINT_URL_ECS', 'AWS_ENDPOINT_URL_STS'];
const AGENT = { Image: 'agent', MaxMemory: '512M', ReservedMemory: '256MB', CPU: '1024' };

let lab: ElasticLab;
let ecs: EcsService;
before(async () => {
  lab = await ElasticLab.start();
  ecs = new EcsService(() => lab.url);
  await ecs.listen();
  for (const name of ENDPOINTS) process.env[name] = ecs.url;
  await setCluster();
});
after(async () => {
  for (const name of ENDPOINTS) delete process.env[name];
  await lab?.stop();
  await ecs?.stop();
});

const setCluster = (changes: Readonly<Record<string, string>> = {}) =>
  lab.setCluster('cd.go.contrib.elastic-agent.ecs', {
    GoServerUrl: 'http://slipway.internal',
    ClusterName: CLUSTER,
    IamInstanceProfile: 'ecsInstanceRole',
    ContainerAutoregisterTimeout: '5',
    AWSAccessKeyId: ACCOUNT.key,
    AWSSecretAccessKey: ACCOUNT.secret,
    AWSRegion: 'eu-west-1',
    EnvironmentVariables: 'REGION=west\nTIER=one',
    LogDriver: 'awslogs',
    LogOptions: 'awslogs-group=builds',
    ...changes,
  });

test('a job gets a task as its profile says, which registers, builds and is over', async () => {
  await lab.scheduled('whole', {
    ...AGENT,
    Environment: 'TIER=three\nSLIPWAY_ELASTIC_AGENT_ID=another',
    MountDockerSocket: 'true',
    BindMount: '[{"Name": "cache", "SourcePath": "/var/cache", "ContainerPath": "/cache"}]',
    TaskRoleArn: 'arn:aws:iam::123456789012:role/task',
    InstanceType: 't3.large',
    SubnetIds: 'subnet-1, subnet-2',
  });
  assert.equal(await lab.builds.result('whole', 1, 'build'), 'Passed');
  await until('the console', async () => (await lab.builds.console(locator('whole'))).includes('in west three'));
  await until('the task to be over', () => ecs.running.length === 0);
  await until('the agent to be deleted', async () => (await lab.agents()).length === 0);
  const [definition] = ecs.definitions as [(typeof ecs.definitions)[0]];
  const { family, containerDefinitions, ...rest } = definition;
  const [{ dockerLabels, ...container }] = containerDefinitions as [(typeof containerDefinitions)[0]];
  assert.match(family, /^slipway-agents-[0-9a-f]{16}$/);
  assert.match(JSON.stringify(dockerLabels), /^\{"slipway\.definition":"[0-9a-f]{64}"\}$/);
  assert.deepEqual(container, {
    name: 'agent',
    image: 'agent',
    essential: true,
    cpu: 1024,
    memory: 512,
    memoryReservation: 256,
    environment: [
      { name: 'REGION', value: 'west' },
      { name: 'TIER', value: 'three' },
      { name: 'SLIPWAY_ELASTIC_AGENT_ID', value: 'another' },
    ],
    mountPoints: [
      { sourceVolume: 'DockerSocket', containerPath: '/var/run/docker.sock' },
      { sourceVolume: 'cache', containerPath: '/cache' },
    ],
    logConfiguration: { logDriver: 'awslogs', options: { 'awslogs-group': 'builds' } },
  });
  assert.deepEqual(rest, {
    taskRoleArn: 'arn:aws:iam::123456789012:role/task',
    volumes: [
      { name: 'DockerSocket', host: { sourcePath: '/var/run/docker.sock' } },
      { name: 'cache', host: { sourcePath: '/var/cache' } },
    ],
  });
  const { asked } = [...ecs.tasks.values()][0]!;
  assert.match(asked.startedBy, /^slipway-[0-9a-f]{8}-job-\d+-1$/);
  assert.deepEqual(
    [asked.clientToken, asked.count, asked.placementConstraints],
    [
      asked.startedBy,
      1,
      ['attribute:ecs.os-type == linux', 'attribute:ecs.instance-type == t3.large', 'attribute:ecs.subnet-id in [subnet-1, subnet-2]'].map(
        (expression) => ({ type: 'memberOf', expression }),
      ),
    ],
  );
});

test('agents are started with the role that the cluster profile names; a task definition is used again', async () => {
  await setCluster({ AWSAssumeRoleArn: ROLE });
  await lab.scheduled('role', AGENT);
  assert.equal(await lab.builds.result('role', 1, 'build'), 'Passed');
  assert.ok(ecs.askedBy.has('AKIDLENT'));
  await lab.builds.request('role');
  await lab.builds.run('role', 2);
  assert.equal(await lab.builds.result('role', 2, 'build'), 'Passed');
  assert.equal(ecs.definitions.length, 2);
  await until('all tasks to be over', () => ecs.running.length === 0);
});

test('the errors of the service are shown at the waiting job', async () => {
  await lab.scheduled('refused', { ...AGENT, Image: 'nowhere' });
  await lab.waitReason('refused', /has ended before it took the job: STOPPED, CannotPullContainerError: nowhere/);
  await lab.setProfile('refused', { ...AGENT, Image: 'large' });
  await lab.waitReason('refused', /Amazon ECS started no task: RESOURCE:MEMORY\. No instance of the cluster has room for it/);
  await lab.setProfile('refused', { ...AGENT, AMI: 'x or 1 == 1' });
  await lab.waitReason('refused', /AMI of the elastic profile cannot be 'x or 1 == 1'/);
  await setCluster({ AWSSecretAccessKey: 'wrong-secret' });
  const reason = await lab.waitReason('refused', /cannot be used: Amazon ECS refused ListTasks: InvalidSignatureException/);
  assert.doesNotMatch(reason, /wrong-secret|AKID/);
  await setCluster({ AWSAssumeRoleArn: `${ROLE}-of-others` });
  await lab.waitReason('refused', /The role of AWSAssumeRoleArn was not lent: AccessDenied\./);
  await setCluster({ ClusterName: 'elsewhere' });
  await lab.waitReason('refused', /ClusterNotFoundException, Cluster not found\./);
  await setCluster({ AWSRegion: '' });
  await lab.waitReason('refused', /AWSRegion of the cluster profile is not set/);
  await setCluster();
  await lab.setProfile('refused', AGENT);
  assert.equal(await lab.builds.result('refused', 1, 'build'), 'Passed');
});
