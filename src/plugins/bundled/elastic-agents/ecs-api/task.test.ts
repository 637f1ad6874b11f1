import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentOrder } from '../../../../contracts/plugins/elastic-agent.ts';
import type { Members } from '../calls/read-answer.ts';
import { accountIn, endpointOf, regionOf } from './ecs-endpoint.ts';
import { OverTasks } from './over-tasks.ts';
import { agentIn, constraintsOf, runTaskOf } from './task.ts';
import { definitionOf, digestOf, familyOf } from './task-definition.ts';

const settings = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values));
const ORDER: AgentOrder = {
  agentId: 'slipway-0123abcd-job-7-1',
  jobId: 7,
  keyHash: 'f00',
  createdAt: 1000,
  serverId: 'server',
  clusterId: 'farm',
  job: `${'p'.repeat(255)}/1/build/1/compile`,
  environment: null,
  key: 'secret-key',
  siteUrl: 'https://site.example.org',
};
const CLUSTER = settings({ ClusterName: ' builds ' });
const run = runTaskOf(ORDER, 'plugin', CLUSTER, settings({}), 'arn:definition') as unknown as {
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly overrides: {
    readonly containerOverrides: readonly { readonly environment: readonly { readonly name: string; readonly value: string }[] }[];
  };
};
const taskWith = (more: Members): Members => ({ taskArn: 'arn:1', tags: run.tags, desiredStatus: 'RUNNING', ...more });

describe('a task', () => {
  test('is known again by its tags, which hold the key as a hash only', () => {
    const labels = { agentId: ORDER.agentId, jobId: 7, keyHash: 'f00', createdAt: 1000 };
    assert.deepEqual(agentIn(taskWith({ lastStatus: 'RUNNING' })), { ...labels, state: 'running', detail: 'RUNNING' });
    assert.ok(run.tags.every(({ value }) => value.length <= 256 && value !== ORDER.key));
    assert.equal(agentIn({ lastStatus: 'RUNNING', tags: [{ key: 'Name', value: 'other' }] }), undefined);
    for (const tags of [undefined, null, 'x', [null, 7, {}]]) assert.equal(agentIn({ tags }), undefined, 'an answer may be anything');
  });

  test('waits for its place, runs, or is over', () => {
    for (const lastStatus of ['PROVISIONING', 'PENDING', 'ACTIVATING']) assert.equal(agentIn(taskWith({ lastStatus }))?.state, 'starting');
    for (const lastStatus of ['DEACTIVATING', 'STOPPING', 'DEPROVISIONING', 'STOPPED'])
      assert.equal(agentIn(taskWith({ lastStatus }))?.state, 'ended');
    assert.equal(agentIn(taskWith({ lastStatus: 'RUNNING', desiredStatus: 'STOPPED' }))?.state, 'ended');
    const stopped = taskWith({
      lastStatus: 'STOPPED',
      stoppedReason: 'Essential container in task exited',
      containers: [{ exitCode: 127 }],
    });
    assert.equal(agentIn(stopped)?.detail, 'STOPPED, Essential container in task exited, exit code 127');
  });

  test('registers at the address of the profile, or of the server', () => {
    const { environment } = run.overrides.containerOverrides[0]!;
    assert.deepEqual(environment[0], { name: 'SLIPWAY_SERVER', value: 'https://site.example.org' });
  });

  test('a task that was removed and is over is not shown again, and not looked at again', () => {
    const over = new OverTasks();
    const isOver = (task: Members) => over.isOver(task, agentIn(task)!);
    assert.equal(isOver(taskWith({ lastStatus: 'STOPPED' })), false);
    over.removed(ORDER.agentId);
    assert.equal(isOver(taskWith({ lastStatus: 'RUNNING' })), false, 'it was asked to stop');
    assert.equal(over.has('arn:1'), false);
    assert.equal(isOver(taskWith({ lastStatus: 'STOPPED' })), true);
    assert.equal(over.has('arn:1'), true);
  });
});

describe('where a task runs', () => {
  test('is said in the query language of clusters, with plain names only', () => {
    assert.deepEqual(constraintsOf(settings({})), ['attribute:ecs.os-type == linux']);
    assert.deepEqual(constraintsOf(settings({ Platform: 'Windows', AMI: 'ami-1' })), [
      'attribute:ecs.os-type == windows',
      'attribute:ecs.ami-id == ami-1',
    ]);
    for (const SubnetIds of ['a b', 'a]', 'a or b == c']) assert.throws(() => constraintsOf(settings({ SubnetIds })), /SubnetIds/);
  });
});

describe('a definition', () => {
  const owner = { serverId: 'server', clusterId: 'farm' };
  const profile = { Image: 'agent', MaxMemory: '1.5G', ReservedMemory: '100K', CPU: '0', Environment: 'A=1' };
  const of = (changes: Readonly<Record<string, string>>) => definitionOf(owner, CLUSTER, settings({ ...profile, ...changes }));

  test('is another one when anything of it changes', () => {
    assert.equal(digestOf(of({})), digestOf(of({})));
    const others: readonly Readonly<Record<string, string>>[] = [
      { Image: 'other' },
      { Environment: 'A=2' },
      { MountDockerSocket: 'true' },
      { TaskRoleArn: 'arn' },
    ];
    for (const changes of others) assert.notEqual(digestOf(of({})), digestOf(of(changes)), JSON.stringify(changes));
    assert.notEqual(familyOf(owner), familyOf({ ...owner, clusterId: 'other' }));
  });

  test('counts memory in whole mebibytes; Windows reserves none and mounts nothing', () => {
    const [container] = of({}).containerDefinitions as unknown as [{ readonly memory: number; readonly memoryReservation: number }];
    assert.deepEqual([container.memory, container.memoryReservation], [1536, 1]);
    const text = JSON.stringify(of({ Platform: 'windows', MountDockerSocket: 'true', Privileged: 'true' }));
    assert.doesNotMatch(text, /memoryReservation|volumes|mountPoints|privileged/);
  });

  test('says which mount cannot be used', () => {
    assert.throws(() => of({ BindMount: '[{"Name": "a"}]' }), /needs a Name, a SourcePath and a ContainerPath/);
    assert.throws(() => of({ BindMount: '{}' }), /no list in JSON/);
  });
});

describe('the service', () => {
  test('is that of the region, or the one that the environment names', () => {
    const own = { AWS_REGION: 'us-east-1' };
    assert.equal(endpointOf('ecs', regionOf(settings({}), own), own).url.href, 'https://ecs.us-east-1.amazonaws.com/');
    assert.equal(
      endpointOf('sts', regionOf(settings({ AWSRegion: 'cn-north-1' }), own), {}).url.href,
      'https://sts.cn-north-1.amazonaws.com.cn/',
    );
    assert.equal(
      endpointOf('ecs', 'eu-west-1', { AWS_ENDPOINT_URL_ECS: 'https://vpce.example.org' }).url.href,
      'https://vpce.example.org/',
    );
    assert.throws(() => regionOf(settings({ AWSRegion: 'evil.example.org/' }), {}), /is no region/);
    assert.throws(() => endpointOf('ecs', 'eu-west-1', { AWS_ENDPOINT_URL: 'file:///etc' }), /is no address/);
  });

  test('is asked with the keys of the settings, or with those of the server', () => {
    const own = { AWS_ACCESS_KEY_ID: 'own', AWS_SECRET_ACCESS_KEY: 'hidden', AWS_SESSION_TOKEN: 'lent' };
    assert.deepEqual(accountIn(settings({}), own), { accessKeyId: 'own', secretAccessKey: 'hidden', sessionToken: 'lent' });
    assert.deepEqual(accountIn(settings({ AWSAccessKeyId: 'a', AWSSecretAccessKey: 'b' }), own), {
      accessKeyId: 'a',
      secretAccessKey: 'b',
    });
    assert.throws(() => accountIn(settings({}), {}), /has no AWSAccessKeyId/);
  });
});
