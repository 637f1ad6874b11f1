// Tests the settings of the Kubernetes agent plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { kubernetesElasticAgentPlugin } from './kubernetes.ts';

const { cluster_profile, elastic_agent_profile } = kubernetesElasticAgentPlugin.blocks;

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(kubernetesElasticAgentPlugin.id, 'cd.go.contrib.elasticagent.kubernetes');
  assert.deepEqual(keysOf(cluster_profile), [
    'go_server_url',
    'auto_register_timeout',
    'pending_pods_count',
    'kubernetes_cluster_url',
    'namespace',
    'security_token',
    'kubernetes_cluster_ca_cert',
    'cluster_request_timeout',
  ]);
  assert.deepEqual(
    keysOf(cluster_profile, ({ secure }) => secure),
    ['security_token', 'kubernetes_cluster_ca_cert'],
  );
  assert.deepEqual(keysOf(elastic_agent_profile), [
    'PodSpecType',
    'Image',
    'MaxMemory',
    'MaxCPU',
    'Environment',
    'Privileged',
    'PodConfiguration',
    'SpecifiedUsingPodConfiguration',
    'RemoteFile',
    'RemoteFileType',
  ]);
});

describe('cluster profile', () => {
  testSettings(cluster_profile, { go_server_url: 'https://cd.example.com/go' }, [
    ['no server URL', { go_server_url: '' }, ['go_server_url', 'Secure site url is not configured. Please specify Go Server Url.']],
    ['bad server URL', { go_server_url: 'x' }, ['go_server_url', 'go_server_url must be a valid URL (https://example.com:8154/go).']],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property']],
  ]);
});

describe('cluster profile at a server with a secure site URL', () => {
  testSettings(cluster_profile, {}, [], { contextPath: '/go', secureSiteUrl: 'https://cd.example.com/go' });
});

describe('agent profile by properties', () => {
  testSettings(elastic_agent_profile, { PodSpecType: 'properties', Image: 'agent' }, [
    ['no image', { Image: '' }, ['Image', 'Image must not be blank.']],
    ['another type', { PodSpecType: 'helm' }, ['PodSpecType', 'Should be one of `properties`, `remote`, `yaml`.']],
    [
      'the name of a member every object has',
      { PodSpecType: 'toString' },
      ['PodSpecType', 'Should be one of `properties`, `remote`, `yaml`.'],
    ],
    ['no type at all', { PodSpecType: '' }, ['PodSpecType', 'PodSpecType must not be blank.']],
    ['good size', { MaxMemory: '2Gi' }],
    ['bad size', { MaxMemory: 'much' }, ['MaxMemory', 'Invalid size: much']],
    ['bad unit', { MaxMemory: '2P' }, ['MaxMemory', 'Invalid size: 2P. Wrong size unit']],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property']],
  ]);
});

describe('agent profile by YAML', () => {
  testSettings(elastic_agent_profile, { PodSpecType: 'yaml', PodConfiguration: 'kind: Pod' }, [
    ['no pod', { PodConfiguration: '' }, ['PodConfiguration', 'Pod Configuration must not be blank.']],
  ]);
});

describe('agent profile by remote file', () => {
  testSettings(elastic_agent_profile, { PodSpecType: 'remote', RemoteFile: 'https://files.example.com/pod.json', RemoteFileType: 'json' }, [
    ['a YAML file', { RemoteFileType: 'yaml' }],
    [
      'neither file nor type',
      { RemoteFile: '', RemoteFileType: '' },
      ['RemoteFile', 'RemoteFile must not be blank.'],
      ['RemoteFileType', 'RemoteFileType must not be blank.'],
    ],
    ['another type', { RemoteFileType: 'xml' }, ['RemoteFileType', 'Should be one of `json`, `yaml`.']],
  ]);
});

describe('agent profile from before there was PodSpecType', () => {
  testSettings(elastic_agent_profile, { SpecifiedUsingPodConfiguration: 'false', Image: 'agent' }, [
    ['no image', { Image: '' }, ['Image', 'Image must not be blank.']],
    ['no pod', { SpecifiedUsingPodConfiguration: 'true' }, ['PodConfiguration', 'Pod Configuration must not be blank.']],
    ['PodSpecType wins', { SpecifiedUsingPodConfiguration: 'true', PodSpecType: 'properties' }],
  ]);
});
