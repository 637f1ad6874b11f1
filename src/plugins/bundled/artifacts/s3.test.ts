// Tests the settings of the S3 artifact plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, testSettings } from '../../test-support.ts';
import { s3ArtifactPlugin } from './s3.ts';

const { store_config, artifact_config, fetch_artifact } = s3ArtifactPlugin.blocks;

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(s3ArtifactPlugin.id, 'cd.go.artifact.s3');
  assert.deepEqual(keysOf(store_config), ['S3Bucket', 'Region', 'Endpoint', 'AWSAccessKey', 'AWSSecretAccessKey']);
  assert.deepEqual(
    keysOf(store_config, ({ secure }) => secure),
    ['AWSSecretAccessKey'],
  );
  assert.deepEqual(keysOf(artifact_config), ['Source', 'Destination']);
  assert.deepEqual(keysOf(fetch_artifact), ['SubPath', 'IsFile', 'Destination']);
});

describe('store', () => {
  const altogether = 'AWSAccessKey and AWSSecretAccessKey must be filled altogether, if required.';
  const address = 'Endpoint must be an address such as https://s3.example.com, without a login, `?` and `#`.';
  testSettings(store_config, { S3Bucket: 'builds' }, [
    ['another store', { Endpoint: 'https://minio.example.com:9000/s3/' }],
    ['another store without TLS', { Endpoint: 'http://minio:9000' }],
    ['no endpoint', { Endpoint: ' ' }],
    ...['minio.example.com', 'ftp://minio', 'https://a:b@minio', 'https://minio?a=b', 'https://minio#a'].map(
      (Endpoint) => [`endpoint ${Endpoint}`, { Endpoint }, ['Endpoint', address]] as const,
    ),
    ['blank bucket', { S3Bucket: '' }, ['S3Bucket', 'S3Bucket must not be blank.']],
    ['both keys', { AWSAccessKey: 'a', AWSSecretAccessKey: 'b' }],
    ['only the access key', { AWSAccessKey: 'a' }, ['AWSAccessKey', altogether], ['AWSSecretAccessKey', altogether]],
    ['only the secret key', { AWSSecretAccessKey: 'b' }, ['AWSAccessKey', altogether], ['AWSSecretAccessKey', altogether]],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});

describe('publish', () => {
  testSettings(artifact_config, { Source: 'target/*.jar' }, [
    ['blank source', { Source: ' ' }, ['Source', 'Source file must be specified.']],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});

describe('fetch', () => {
  testSettings(fetch_artifact, {}, [['everything given', { SubPath: 'a', IsFile: 'true', Destination: 'b', Extra: '1' }]]);
});
