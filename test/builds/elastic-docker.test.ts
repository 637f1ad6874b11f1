// Agents on demand as containers of Docker: a stand-in answers for Docker, and its containers are real agents.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { elasticAgentIdFor } from '../../src/builds/agents/elastic-agent-id.ts';
import { sha256 } from '../../src/kit/bytes/hash.ts';
import { REGISTRATION, registrationBody } from '../agents/lab.ts';
import { writeSecretsFile } from '../support/configuration/secrets-file.ts';
import { accepted } from '../support/requests/callers.ts';
import { DockerEngine, SERVER_NAME } from '../support/services/docker-engine.ts';
import { until } from '../support/until.ts';
import { ElasticLab, locator } from './elastic-lab.ts';

const PLUGIN = 'cd.go.contrib.elastic-agent.docker';
let lab: ElasticLab;
let docker: DockerEngine;
before(async () => {
  lab = await ElasticLab.start();
  docker = new DockerEngine(() => lab.url);
  await docker.listen();
  await lab.setCluster(PLUGIN, cluster());
});
after(async () => {
  await lab.stop();
  await docker.stop();
});

function cluster(more: Readonly<Record<string, string>> = {}) {
  return {
    go_server_url: SERVER_NAME,
    docker_uri: docker.uri,
    max_docker_containers: '2',
    auto_register_timeout: '5',
    environment_variables: 'REGION=north\nSLIPWAY_AGENT_KEY=forged',
    ...more,
  };
}

const scheduled = (name: string, Image: string, more: Readonly<Record<string, string>> = {}) => lab.scheduled(name, { Image, ...more });

test('a job gets a container, which registers, builds and is removed', async () => {
  await scheduled('whole', 'agent', { Environment: 'TIER=one', MaxMemory: '512M', Cpus: '1.5', Hosts: '10.0.0.1 db cache' });
  assert.equal(await lab.builds.result('whole', 1, 'build'), 'Passed');
  const console = await until('the console', async () => {
    const text = await lab.builds.console(locator('whole'));
    return text.includes('in north one') && text;
  });
  const [made] = docker.made;
  assert.match(console, new RegExp(`'farm' is asked for the agent ${made}\\.`));
  assert.doesNotMatch(console, /SLIPWAY_(?:AGENT_KEY|ELASTIC|SERVER)/, 'tasks do not see how it registered');
  await until('the container to be gone', () => docker.containers.size === 0);
  await until('the agent to be deleted', async () => (await lab.agents()).length === 0);
  assert.equal(docker.made.length, 1, 'one for one job');
});

test('the settings of the elastic profile are sent to Docker', async () => {
  const more = {
    Command: 'a\nb',
    MaxMemory: '512M',
    ReservedMemory: '256M',
    Cpus: '1.5',
    Hosts: '10.0.0.1 db cache',
    Mounts: '/a:/b:ro\nsource=c,target=/d,readonly',
  };
  await scheduled('asked', 'silent', more);
  const { Labels, HostConfig, Cmd } = await until('the container', () => docker.only());
  assert.deepEqual(Cmd, ['a', 'b']);
  assert.deepEqual(HostConfig, {
    Binds: ['/a:/b:ro'],
    Mounts: [{ Type: 'volume', Source: 'c', Target: '/d', ReadOnly: true }],
    Memory: 512 * 1024 ** 2,
    MemoryReservation: 256 * 1024 ** 2,
    NanoCpus: 1.5e9,
    ExtraHosts: ['db:10.0.0.1', 'cache:10.0.0.1'],
    Privileged: false,
  });
  assert.equal(Labels['slipway.job'], 'asked/1/build/1/compile');
  await lab.waitReason('asked', /has not registered yet/);
  assert.equal(await lab.healthMessage('asked'), undefined, 'it only takes its time');
});

test('a job that is cancelled before its agent is there has it removed', async () => {
  await lab.cancel('asked');
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('a missing image is reported with the job, in its console and to administrators until it is there', async () => {
  await scheduled('missing', 'registry.example:5000/nowhere:1');
  const pattern = /cannot be pulled: pull access denied for registry\.example:5000\/nowhere/;
  await lab.waitReason('missing', pattern);
  assert.match((await until('the message', () => lab.healthMessage('missing'))).detail, pattern);
  await until('the console', async () => pattern.test(await lab.builds.console(locator('missing'))));
  assert.equal(docker.containers.size, 0);
  docker.registry.add('silent:2');
  await lab.setProfile('missing', { Image: 'silent:2' });
  await until('a container', () => docker.only());
  await lab.cancel('missing');
  await until('the message to be gone', async () => (await lab.healthMessage('missing')) === undefined);
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('a container that ends before it registers is removed, and said', async () => {
  await scheduled('broken', 'broken');
  await lab.waitReason('broken', /has ended before it took the job: Exited \(127\)/);
  await until('the container to be gone', () => docker.containers.size === 0);
  assert.ok(await until('the message', () => lab.healthMessage('broken')));
  // Another attempt has another name.
  await lab.setProfile('broken', { Image: 'agent' });
  assert.equal(await lab.builds.result('broken', 1, 'build'), 'Passed');
  await until('the message to be gone', async () => (await lab.healthMessage('broken')) === undefined);
  await until('the container to be gone', () => docker.containers.size === 0);
  assert.match(docker.made.at(-1)!, /-2$/);
});

test('a container that ends while it builds: the job is given to another one at once', async () => {
  const begun = join(docker.folder, 'begun');
  // A script in a real container ends with it; here it ends when the folder is removed.
  const script = `if ! [ -e ${begun} ]; then touch ${begun}; while [ -e ${begun} ]; do sleep 0.1; done; fi`;
  await lab.scheduled('killed', { Image: 'agent' }, script);
  await until('the job to begin', () => existsSync(begun));
  const [first] = docker.containers.values();
  await first!.process!.kill();
  assert.equal(await lab.builds.result('killed', 1, 'build'), 'Passed');
  await until('the containers to be gone', () => docker.containers.size === 0);
  await until('the agents to be deleted', async () => (await lab.agents()).length === 0);
});

test('a job that is cancelled while it builds: its agent ends it, and is removed', async () => {
  const begun = join(docker.folder, 'cancelled');
  await lab.scheduled('cancelled', { Image: 'agent' }, `touch ${begun}; sleep 1000`);
  await until('the job to begin', () => existsSync(begun));
  await lab.cancel('cancelled');
  assert.equal(await lab.builds.result('cancelled', 1, 'build'), 'Cancelled');
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('a cluster has no more agents than its profile allows', async () => {
  for (const name of ['first', 'second', 'third']) await scheduled(name, 'silent');
  await lab.waitReason('third', /as many agents as its cluster profile allows \(2\)/);
  assert.equal(docker.containers.size, 2);
  await lab.cancel('first');
  await lab.waitReason('third', /has not registered yet/);
  for (const name of ['second', 'third']) await lab.cancel(name);
  await until('the containers to be gone', () => docker.containers.size === 0);
});

test('a server that is started again knows its containers, and removes those of no job', async () => {
  await scheduled('restarted', 'silent');
  const container = await until('the container', () => docker.only());
  await lab.waitReason('restarted', /has not registered yet/);
  const { serverId } = lab.builds.parts.configuration.config.of('serverIdentity').find('')!.value;
  const orphan = elasticAgentIdFor(serverId, 999_999, 1);
  const labels = { ...container.Labels, 'slipway.agent': orphan, 'slipway.job-id': '999999' };
  docker.plant(orphan, { ...container, Labels: labels });
  docker.plant('foreign', { ...container, Labels: { ...labels, 'slipway.server': 'another' } });
  const made = docker.made.length;
  await lab.builds.restart();
  await until('the orphan to be gone', () => !docker.containers.has(orphan));
  assert.ok(docker.containers.has('foreign'));
  docker.containers.delete('foreign');
  await lab.waitReason('restarted', /has not registered yet/);
  // Its key was given out by the server before, and is good once more only for it.
  docker.run(container, 'agent');
  assert.equal(await lab.builds.result('restarted', 1, 'build'), 'Passed');
  assert.equal(docker.made.length, made);
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('forged labels of containers give no agent, and make the server remove no foreign container', async () => {
  await scheduled('claimed', 'silent');
  const container = await until('the container', () => docker.only());
  const claim = (agentId: string, jobId: string) => ({
    ...container,
    Labels: { ...container.Labels, 'slipway.agent': agentId, 'slipway.job-id': jobId, 'slipway.key-hash': sha256('sesame') },
  });
  docker.plant('database', { ...container, Labels: {} });
  docker.plant('decoy', claim('database', '999999'));
  docker.plant('thief', claim('anything', container.Labels['slipway.job-id']!));
  const { serverId } = lab.builds.parts.configuration.config.of('serverIdentity').find('')!.value;
  const orphan = elasticAgentIdFor(serverId, 999_999, 1);
  docker.plant(orphan, claim(orphan, '999999'));
  await until('the list to be looked at', () => !docker.containers.has(orphan));
  assert.ok(docker.containers.has('database'));
  const body = registrationBody({ key: 'sesame', elastic_agent_id: 'anything', elastic_plugin_id: PLUGIN });
  assert.equal((await lab.builds.server.post(REGISTRATION, body, { as: '' })).status, 202, 'it waits for an administrator');
  for (const name of ['database', 'decoy', 'thief']) docker.containers.delete(name);
  await lab.cancel('claimed');
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('a report of one cluster about an agent of another takes no job from it', async () => {
  const begun = join(docker.folder, 'disputed');
  await lab.scheduled('disputed', { Image: 'agent' }, `touch ${begun}; while [ -e ${begun} ]; do sleep 0.1; done`);
  await until('the job to begin', () => existsSync(begun));
  const container = docker.only()!;
  const other = new DockerEngine(() => lab.url);
  await other.listen();
  const Labels = { ...container.Labels, 'slipway.cluster-profile': sha256('other').slice(0, 16) };
  other.plant('impostor', { ...container, Labels });
  other.only()!.state = 'exited';
  const properties = Object.entries(cluster({ docker_uri: other.uri })).map(([key, value]) => ({ key, value }));
  accepted(await lab.builds.server.post('/api/admin/elastic/cluster_profiles', { id: 'other', plugin_id: PLUGIN, properties }));
  await until('the other cluster to be asked', () => other.requests.includes(`DELETE /containers/${container.name}`));
  assert.ok((await lab.agents()).some(({ elastic_agent_id }) => elastic_agent_id === container.name));
  rmSync(begun);
  assert.equal(await lab.builds.result('disputed', 1, 'build'), 'Passed');
  assert.equal(docker.made.at(-1), container.name, 'no other agent was made');
  await until('the container to be gone', () => docker.containers.size === 0);
  accepted(await lab.builds.server.ask('DELETE', '/api/admin/elastic/cluster_profiles/other'));
  await other.stop();
});

test('a container that cannot be removed keeps its place, and is in the way of nothing else', async () => {
  await scheduled('busy', 'silent');
  const container = await until('the container', () => docker.only());
  const { serverId } = lab.builds.parts.configuration.config.of('serverIdentity').find('')!.value;
  const [stuck, orphan] = [elasticAgentIdFor(serverId, 999_997, 1), elasticAgentIdFor(serverId, 999_998, 1)];
  docker.stuck.add(stuck);
  for (const [name, job] of [
    [stuck, '999997'],
    [orphan, '999998'],
  ] as const)
    docker.plant(name, { ...container, Labels: { ...container.Labels, 'slipway.agent': name, 'slipway.job-id': job } });
  await until('the other one to be gone', () => !docker.containers.has(orphan));
  await scheduled('after-busy', 'silent');
  await lab.waitReason('after-busy', /as many agents as its cluster profile allows \(2\)/);
  docker.stuck.clear();
  await lab.setProfile('after-busy', { Image: 'silent', Environment: 'AGAIN=1' });
  await until('the container to be gone', () => !docker.containers.has(stuck));
  await lab.waitReason('after-busy', /has not registered yet/);
  for (const name of ['busy', 'after-busy']) await lab.cancel(name);
  await until('the containers to be gone', () => docker.containers.size === 0);
});

test('a server that ended between making a container and starting it makes another one', async () => {
  docker.isMute = true;
  await scheduled('interrupted', 'agent');
  const { name } = await until('the container', () => docker.only());
  docker.isMute = false;
  await lab.builds.restart();
  await lab.waitReason('interrupted', new RegExp(`The agent ${name} was made, but not started\\.`));
  await until('the container to be gone', () => !docker.containers.has(name));
  await lab.setProfile('interrupted', { Image: 'agent', Environment: 'AGAIN=1' });
  assert.equal(await lab.builds.result('interrupted', 1, 'build'), 'Passed');
  await until('the container to be gone', () => docker.containers.size === 0);
});

test('an elastic agent id alone does not register an agent', async () => {
  const { auto_register_key: key } = accepted(await lab.builds.server.get('/api/admin/agent_registration')).json;
  const body = registrationBody({ key, elastic_agent_id: elasticAgentIdFor('0', 1, 1), elastic_plugin_id: PLUGIN });
  const { status, json } = await lab.builds.server.post(REGISTRATION, body, { as: '' });
  assert.equal(status, 422);
  assert.match(json.message, /does not expect this elastic agent/);
});

test('Docker that is away: the job says so, and runs when it is back', async () => {
  const change = (more: Readonly<Record<string, string>>) => lab.setCluster(PLUGIN, cluster(more));
  await change({ docker_uri: 'unix:///nowhere/docker.sock' });
  await scheduled('away', 'agent');
  await lab.waitReason(
    'away',
    /The cluster of the cluster profile 'farm' cannot be used: \/nowhere\/docker\.sock cannot be reached: ENOENT\. It is tried again\./,
  );
  assert.ok(await until('the message', () => lab.healthMessage('away')));
  await change({ max_docker_containers: 'many' });
  await lab.waitReason('away', /max_docker_containers of the cluster profile must be a whole number, and is 'many'/);
  await change({});
  assert.equal(await lab.builds.result('away', 1, 'build'), 'Passed');
  await until('the message to be gone', async () => (await lab.healthMessage('away')) === undefined);
});

test('an address from a secret gives no way to a socket of the server', async () => {
  const { server } = lab.builds;
  writeSecretsFile(join(server.dataDir, 'secrets.json'), { docker: docker.uri });
  accepted(
    await server.post('/api/admin/secret_configs', {
      id: 'vault',
      plugin_id: 'cd.go.secrets.file-based-plugin',
      properties: [{ key: 'SecretsFilePath', value: 'secrets.json' }],
      rules: [{ directive: 'allow', action: 'refer', type: 'cluster_profile', resource: '*' }],
    }),
  );
  const before = docker.made.length;
  await lab.setCluster(PLUGIN, cluster({ docker_uri: '{{SECRET:[vault][docker]}}' }));
  await scheduled('hidden', 'agent');
  await lab.waitReason('hidden', /docker_uri comes from a secret, and must not be a socket/);
  assert.equal(docker.made.length, before);
  await lab.cancel('hidden');
  await lab.setCluster(PLUGIN, cluster());
});
