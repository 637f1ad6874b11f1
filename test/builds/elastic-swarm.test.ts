// Agents on demand as services of a Docker swarm: a stand-in answers for one of its managers, and its tasks are real agents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DockerSwarm } from '../support/services/docker-swarm.ts';
import { until } from '../support/until.ts';
import { ElasticLab, locator } from './elastic-lab.ts';

let lab: ElasticLab;
let swarm: DockerSwarm;
before(async () => {
  lab = await ElasticLab.start();
  swarm = new DockerSwarm(() => lab.url);
  await swarm.listen();
  await lab.setCluster('cd.go.contrib.elastic-agent.docker-swarm', {
    go_server_url: 'http://slipway.internal',
    docker_uri: swarm.uri,
    max_docker_containers: '2',
    auto_register_timeout: '5',
    environment_variables: 'REGION=east',
  });
});
after(async () => {
  await lab.stop();
  await swarm.stop();
});

test('a job gets a service as its profile says, whose task registers, builds and is removed', async () => {
  await lab.scheduled('whole', {
    Image: 'agent',
    Environment: 'TIER=three',
    MaxMemory: '512M',
    ReservedMemory: '256MB',
    Mounts: 'source=cache, target=/cache\n/host:/inside:ro',
    Secrets: 'src=npm, target=npmrc, uid=1000, mode=0440',
    Networks: 'builds',
    Constraints: 'node.role==worker',
    Hosts: '10.0.0.1 db cache',
    LogDriver: 'json-file',
    LogDriverOptions: 'max-size=10m',
  });
  assert.equal(await lab.builds.result('whole', 1, 'build'), 'Passed');
  await until('the console', async () => (await lab.builds.console(locator('whole'))).includes('in east three'));
  await until('the service to be gone', () => swarm.services.size === 0);
  await until('the agent to be deleted', async () => (await lab.agents()).length === 0);
  const [{ TaskTemplate: task }] = swarm.made as [(typeof swarm.made)[0]];
  const { Env: _, ...container } = task.ContainerSpec;
  assert.deepEqual(
    [{ ...task, ContainerSpec: container }, swarm.made.length],
    [
      {
        ContainerSpec: {
          Image: 'agent',
          Mounts: [
            { Type: 'volume', Source: 'cache', Target: '/cache', ReadOnly: false },
            { Type: 'bind', Source: '/host', Target: '/inside', ReadOnly: true },
          ],
          Hosts: ['10.0.0.1 db cache'],
          Secrets: [{ SecretID: 'secret-1', SecretName: 'npm', File: { Name: 'npmrc', UID: '1000', GID: '0', Mode: 0o440 } }],
        },
        Resources: { Limits: { MemoryBytes: 512 * 1024 ** 2 }, Reservations: { MemoryBytes: 256 * 1024 ** 2 } },
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints: ['node.role==worker'] },
        Networks: [{ Target: 'builds' }],
        LogDriver: { Name: 'json-file', Options: { 'max-size': '10m' } },
      },
      1,
    ],
  );
});

test('a task that is rejected, and a secret that the swarm does not have: the job says so', async () => {
  await lab.scheduled('rejected', { Image: 'nowhere' });
  await lab.waitReason('rejected', /has ended before it took the job: rejected, No such image: nowhere/);
  await until('the service to be gone', () => swarm.services.size === 0);
  await lab.setProfile('rejected', { Image: 'agent', Secrets: 'token' });
  await lab.waitReason('rejected', /The swarm has no secret 'token', which the elastic profile asks for\./);
  await lab.setProfile('rejected', { Image: 'agent' });
  assert.equal(await lab.builds.result('rejected', 1, 'build'), 'Passed');
  await until('the message to be gone', async () => (await lab.healthMessage('rejected')) === undefined);
});
