// Tests the settings of the Docker agent plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { dockerElasticAgentPlugin } from './docker.ts';

const { cluster_profile, elastic_agent_profile } = dockerElasticAgentPlugin.blocks;
const flawlessCluster = {
  go_server_url: 'https://cd.example.com/go',
  max_docker_containers: '5',
  docker_uri: 'unix:///var/run/docker.sock',
  auto_register_timeout: '10',
};

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(dockerElasticAgentPlugin.id, 'cd.go.contrib.elastic-agent.docker');
  assert.deepEqual(keysOf(cluster_profile), [
    'go_server_url',
    'environment_variables',
    'max_docker_containers',
    'docker_uri',
    'auto_register_timeout',
    'docker_ca_cert',
    'docker_client_key',
    'docker_client_cert',
    'enable_private_registry_authentication',
    'private_registry_server',
    'private_registry_custom_credentials',
    'private_registry_username',
    'private_registry_password',
    'pull_on_container_create',
  ]);
  assert.deepEqual(
    keysOf(cluster_profile, ({ secure }) => secure),
    ['docker_client_key', 'private_registry_password'],
  );
  assert.deepEqual(keysOf(elastic_agent_profile), [
    'Image',
    'Command',
    'Environment',
    'Mounts',
    'Networks',
    'ReservedMemory',
    'MaxMemory',
    'Cpus',
    'Hosts',
    'Privileged',
  ]);
});

describe('cluster profile', () => {
  testSettings(cluster_profile, flawlessCluster, [
    [
      'all blank',
      { go_server_url: '', max_docker_containers: '', docker_uri: '', auto_register_timeout: '' },
      ['go_server_url', 'Go Server URL must not be blank.'],
      ['max_docker_containers', 'max_docker_containers must not be blank.'],
      ['docker_uri', 'docker_uri must not be blank.'],
      ['auto_register_timeout', 'auto_register_timeout must not be blank.'],
    ],
    ['bad server URL', { go_server_url: 'x' }, ['go_server_url', 'Go Server URL must be a valid URL (http://example.com:8153/go)']],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property']],
  ]);
});

describe('private registry', () => {
  const clear = (word: string) =>
    `Please clear your private registry ${word} before switching from custom credentials to using the docker configuration file.`;
  const enabled = { ...flawlessCluster, enable_private_registry_authentication: 'true' };
  testSettings(cluster_profile, enabled, [
    [
      'credentials left over',
      { private_registry_custom_credentials: 'false', private_registry_username: 'u', private_registry_password: 'p' },
      ['enable_private_registry_authentication', clear('credentials')],
      ['private_registry_username', clear('username')],
      ['private_registry_password', clear('password')],
    ],
    [
      'user name left over',
      { private_registry_username: 'u' },
      ['enable_private_registry_authentication', clear('credentials')],
      ['private_registry_username', clear('username')],
    ],
    ['custom credentials', { private_registry_custom_credentials: 'true', private_registry_username: 'u', private_registry_password: 'p' }],
    ['not enabled', { enable_private_registry_authentication: 'false', private_registry_username: 'u' }],
  ]);
});

describe('agent profile', () => {
  testSettings(elastic_agent_profile, { Image: 'agent' }, [
    ['no image', { Image: '' }, ['Image', 'Image must not be blank.']],
    ['good sizes', { ReservedMemory: '4M', MaxMemory: '1.5G' }],
    ['equal sizes', { ReservedMemory: '1G', MaxMemory: '1024M' }],
    [
      'bad sizes',
      { ReservedMemory: '5', MaxMemory: '5K' },
      ['ReservedMemory', 'Invalid size: 5'],
      ['MaxMemory', 'Invalid size: 5K. Wrong size unit'],
    ],
    ['too little', { ReservedMemory: '5M', MaxMemory: '3.9M' }, ['MaxMemory', 'Minimum allowed value is 4M']],
    ['less than reserved', { ReservedMemory: '2G', MaxMemory: '1G' }, ['MaxMemory', 'Max memory is lower than reserved memory']],
    ['good number of CPUs', { Cpus: '.75' }],
    ['bad number of CPUs', { Cpus: 'two' }, ['Cpus', 'Invalid float number: two']],
    ['good hosts', { Hosts: '10.0.0.1 one two\n10.0.0.2 three' }],
    ['bad hosts', { Hosts: '10.0.0.1 one\nsome-config' }, ['Hosts', 'Host entry `some-config` is invalid.']],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property']],
  ]);
});
