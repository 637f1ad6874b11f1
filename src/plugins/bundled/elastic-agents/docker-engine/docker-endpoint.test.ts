// Tests where Docker is asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dockerEndpoint } from './docker-endpoint.ts';

const endpointOf = (docker_uri: string, more: Readonly<Record<string, string>> = {}) =>
  dockerEndpoint(new Map(Object.entries({ docker_uri, ...more })));

test('Docker is asked by a socket, by plain TCP, or by TLS if there are certificates', () => {
  assert.equal(endpointOf('unix:///var/run/docker.sock').socketPath, '/var/run/docker.sock');
  assert.equal(endpointOf('tcp://docker.example:2375').url.href, 'http://docker.example:2375/');
  const secure = endpointOf('tcp://docker.example:2376', { docker_ca_cert: 'CA', docker_client_cert: 'CERT', docker_client_key: 'KEY' });
  assert.deepEqual([secure.url.href, secure.tls], ['https://docker.example:2376/', { ca: 'CA', cert: 'CERT', key: 'KEY' }]);
});

test('any other address is refused, with an example of a right one', () => {
  for (const uri of ['', 'unix://docker.sock', '/var/run/docker.sock', 'ssh://docker.example', 'tcp://'])
    assert.throws(() => endpointOf(uri), /docker_uri of the cluster profile must be such as/, uri);
});
