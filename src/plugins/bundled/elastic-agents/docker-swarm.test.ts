// Tests the settings of the Docker swarm agent plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { dockerSwarmElasticAgentPlugin } from './docker-swarm.ts';

const { cluster_profile, elastic_agent_profile } = dockerSwarmElasticAgentPlugin.blocks;
const flawlessCluster = {
  go_server_url: 'https://cd.example.com/go',
  max_docker_containers: '5',
  docker_uri: 'https://swarm.example.com:2376',
  auto_register_timeout: '10',
};

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(dockerSwarmElasticAgentPlugin.id, 'cd.go.contrib.elastic-agent.docker-swarm');
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
    'private_registry_username',
    'private_registry_password',
  ]);
  assert.deepEqual(
    keysOf(cluster_profile, ({ secure }) => secure),
    ['docker_ca_cert', 'docker_client_key', 'docker_client_cert', 'private_registry_password'],
  );
  assert.deepEqual(keysOf(elastic_agent_profile), [
    'Image',
    'Command',
    'Environment',
    'MaxMemory',
    'ReservedMemory',
    'Secrets',
    'Networks',
    'Mounts',
    'Hosts',
    'Constraints',
    'LogDriver',
    'LogDriverOptions',
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
    ['bad server URL', { go_server_url: 'ftp://a' }, ['go_server_url', 'Go Server URL must use http or https protocol']],
    [
      'private registry without settings',
      { enable_private_registry_authentication: 'true' },
      ['private_registry_server', 'private_registry_server must not be blank.'],
      ['private_registry_username', 'private_registry_username must not be blank.'],
      ['private_registry_password', 'private_registry_password must not be blank.'],
    ],
    ['private registry not enabled', { enable_private_registry_authentication: 'false' }],
    ['unknown key', { pull_on_container_create: 'true' }, ['pull_on_container_create', 'Is an unknown property.']],
  ]);
});

describe('agent profile', () => {
  testSettings(elastic_agent_profile, { Image: 'agent' }, [
    ['no image', { Image: '' }, ['Image', 'Image must not be blank.']],
    ['good sizes', { ReservedMemory: '512 MB', MaxMemory: '1GiB' }],
    [
      'bad sizes',
      { ReservedMemory: '5', MaxMemory: '5Mi' },
      ['MaxMemory', 'Invalid size: 5Mi. Wrong size unit'],
      ['ReservedMemory', 'Invalid size: 5'],
    ],
    ['good hosts', { Hosts: '10.0.0.1 one' }],
    ['bad hosts', { Hosts: 'one' }, ['Hosts', 'Host entry `one` is invalid. Must be in `IP-ADDRESS HOST-1 HOST-2...` format.']],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property.']],
  ]);
});
