// Sockets and addresses of the server's machine as clusters: only system administrators may enter them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted, addRole, addUser } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/elastic/cluster_profiles';
const MESSAGE = 'Only system administrators may enter a socket, or an address of the machine of the server itself.';
let server: TestServer;
let carl: string;
before(async () => {
  server = await TestServer.start();
  carl = await addUser(server, 'carl');
  await addRole(server, 'clusters', ['carl'], 'allow administer cluster_profile *');
});
after(() => server.stop());

const docker = (id: string, docker_uri: string, more: Readonly<Record<string, string>> = {}) => ({
  id,
  plugin_id: 'cd.go.contrib.elastic-agent.docker',
  properties: Object.entries({
    go_server_url: 'https://cd.example.com',
    max_docker_containers: '1',
    auto_register_timeout: '1',
    docker_uri,
    ...more,
  }).map(([key, value]) => ({ key, value })),
});

test('a policy on cluster profiles gives no way to the machine of the server', async () => {
  for (const address of [
    'unix:///var/run/docker.sock',
    ' UNIX:///var/run/docker.sock',
    'tcp://localhost:2375',
    'tcp://127.0.0.1:2375',
    'tcp://2130706433:2375',
    'https://[::1]:2376',
    'http://me:hush@127.1/',
  ]) {
    const reply = await server.post(PATH, docker('own', address), { as: carl });
    assert.equal(reply.status, 422, address);
    const { errors } = reply.json.data.properties.find(({ key }: { key: string }) => key === 'docker_uri');
    assert.deepEqual(Object.values(errors), [[MESSAGE]], address);
  }
  accepted(await server.post(PATH, docker('own', 'tcp://docker.example.org:2376'), { as: carl }));
});

test('a socket entered by a system administrator stays when others change the rest, who cannot change it', async () => {
  accepted(await server.post(PATH, docker('shared', 'unix:///var/run/docker.sock')));
  const { etag } = await server.get(`${PATH}/shared`, { as: carl });
  const changed = docker('shared', 'unix:///var/run/docker.sock', { max_docker_containers: '5' });
  const { etag: next } = accepted(await server.put(`${PATH}/shared`, changed, etag, { as: carl }));
  const moved = await server.put(`${PATH}/shared`, docker('shared', 'unix:///run/other.sock'), next, { as: carl });
  assert.equal(moved.status, 422, moved.text);
});

test('a policy on cluster profiles gives no way to the account of the server', async () => {
  const ecs = (more: Readonly<Record<string, string>> = {}) => ({
    id: 'amazon',
    plugin_id: 'cd.go.contrib.elastic-agent.ecs',
    properties: Object.entries({
      GoServerUrl: 'https://cd.example.com',
      ClusterName: 'builds',
      IamInstanceProfile: 'ecsInstanceRole',
      ContainerAutoregisterTimeout: '10',
      ...more,
    }).map(([key, value]) => ({ key, value })),
  });
  const own = { AWSAccessKeyId: 'AKEXAMPLE', AWSSecretAccessKey: 'example' };
  const incomplete: readonly Readonly<Record<string, string>>[] = [
    {},
    { AWSAccessKeyId: 'AKEXAMPLE' },
    { ...own, AWSSecretAccessKey: ' ' },
  ];
  for (const more of incomplete) {
    const reply = await server.post(PATH, ecs(more), { as: carl });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.text, /Only system administrators may let a cluster use the account of the server\. Enter one of its own\./);
  }
  const { etag } = accepted(await server.post(PATH, ecs(own), { as: carl }));
  const { etag: next } = accepted(await server.put(`${PATH}/amazon`, ecs(), etag));
  const moved = await server.put(`${PATH}/amazon`, ecs({ ClusterName: 'others' }), next, { as: carl });
  assert.equal(moved.status, 422, moved.text);
});
