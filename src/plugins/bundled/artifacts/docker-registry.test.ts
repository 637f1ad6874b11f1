// Tests the settings of the Docker registry artifact plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { dockerRegistryArtifactPlugin } from './docker-registry.ts';

const { store_config, artifact_config, fetch_artifact } = dockerRegistryArtifactPlugin.blocks;

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(dockerRegistryArtifactPlugin.id, 'cd.go.artifact.docker.registry');
  assert.deepEqual(
    keysOf(store_config, ({ secure }) => !secure),
    ['RegistryType', 'RegistryURL', 'Username', 'RegistryID', 'AWSRegion'],
  );
  assert.deepEqual(
    keysOf(store_config, ({ secure }) => secure),
    ['Password', 'AWSAccessKeyId', 'AWSSecretAccessKey'],
  );
  assert.deepEqual(keysOf(artifact_config), ['Image', 'Tag', 'BuildFile']);
  assert.deepEqual(keysOf(fetch_artifact), ['EnvironmentVariablePrefix', 'SkipImagePulling']);
});

describe('store of type other', () => {
  testSettings(store_config, { RegistryType: 'other', RegistryURL: 'https://registry.example.com', Username: 'u', Password: 'p' }, [
    ['blank type', { RegistryType: '' }, ['RegistryType', 'RegistryType must not be blank.']],
    ['another type', { RegistryType: 'quay' }, ['RegistryType', 'RegistryType must either be `ecr` or `other`.']],
    [
      'all blank',
      { RegistryURL: '', Username: '', Password: '' },
      ['RegistryURL', 'RegistryURL must not be blank.'],
      ['Username', 'Username must not be blank.'],
      ['Password', 'Password must not be blank.'],
    ],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});

describe('store of type ecr', () => {
  testSettings(store_config, { RegistryType: 'ecr', RegistryID: '12345', AWSRegion: 'eu-west-1' }, [
    [
      'all blank',
      { RegistryID: '', AWSRegion: '' },
      ['RegistryID', 'RegistryID must not be blank.'],
      ['AWSRegion', 'AWSRegion must not be blank.'],
    ],
  ]);
});

describe('publish', () => {
  const neither = 'Either `Image` or `BuildFile` should be specified.';
  testSettings(artifact_config, { Image: 'app', Tag: 'v1' }, [
    ['a build file', { Image: '', Tag: '', BuildFile: 'image.json' }],
    ['neither', { Image: '' }, ['Image', neither], ['BuildFile', neither]],
  ]);
});

describe('fetch', () => {
  const invalid =
    "Invalid environment name prefix. Valid prefixes contain characters, numbers, and underscore; and can't start with a number.";
  testSettings(fetch_artifact, { SkipImagePulling: 'true' }, [
    ['a prefix', { EnvironmentVariablePrefix: 'Build_1' }],
    ['blank prefix', { EnvironmentVariablePrefix: '' }],
    ['prefix starting with a number', { EnvironmentVariablePrefix: '1st' }, ['EnvironmentVariablePrefix', invalid]],
    ['prefix starting with an underscore', { EnvironmentVariablePrefix: '_a' }, ['EnvironmentVariablePrefix', invalid]],
    ['prefix with a hyphen', { EnvironmentVariablePrefix: 'a-b' }, ['EnvironmentVariablePrefix', invalid]],
  ]);
});
