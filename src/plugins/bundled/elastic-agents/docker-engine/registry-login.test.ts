// Tests which registry gets the login of a cluster profile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loginAt, registryOf } from './registry-login.ts';

const cluster = (server: string) =>
  new Map([
    ['enable_private_registry_authentication', 'true'],
    ['private_registry_server', server],
    ['private_registry_username', 'me'],
    ['private_registry_password', 'hush'],
  ]);
const isShown = (server: string, image: string) => 'x-registry-auth' in loginAt(cluster(server), image);

test('the registry of an image, as Docker reads it', () => {
  for (const [image, registry] of [
    ['alpine', 'docker.io'],
    ['agents/node:22', 'docker.io'],
    ['docker.io/agents/node', 'docker.io'],
    ['registry.example.org/agents/node@sha256:abc', 'registry.example.org'],
    ['registry:5000/node', 'registry:5000'],
    ['localhost/node', 'localhost'],
    ['Host/node', 'host'],
  ] as const)
    assert.equal(registryOf(image), registry, image);
});

test('a login is for its own registry', () => {
  for (const server of ['registry.example.org', 'https://registry.example.org/v2/', 'Registry.Example.org:443'])
    assert.ok(isShown(server, 'registry.example.org/agents/node:22'), server);
  for (const server of ['https://index.docker.io/v1/', 'docker.io', '']) assert.ok(isShown(server, 'agents/node'), server);
  const [, value] = Object.entries(loginAt(cluster('docker.io'), 'node'))[0]!;
  assert.deepEqual(JSON.parse(Buffer.from(value, 'base64url').toString()), {
    username: 'me',
    password: 'hush',
    serveraddress: 'docker.io',
  });
});

test('the login is sent to no other registry', () => {
  for (const image of [
    'registry.example.org.evil.example/agents/node',
    'evil.example/registry.example.org/node',
    'registry.example.org:5000/node',
    'registry.example.org@evil.example/node',
    'node',
  ])
    assert.ok(!isShown('https://registry.example.org', image), image);
});
