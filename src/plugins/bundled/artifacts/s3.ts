// Describes the plugin that keeps artifacts in an Amazon S3 bucket.
import type { Plugin, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../setting-values.ts';

export const s3ArtifactPlugin = {
  id: 'cd.go.artifact.s3',
  kind: 'artifact',
  name: 'S3 artifacts',
  version: '1.0.0',
  description: 'Publishes artifacts to an S3 bucket and fetches them from there.',
  vendor: 'Slipway',
  blocks: {
    store_config: {
      fields: [
        { key: 'S3Bucket', required: true, title: 'Bucket', description: 'The name of the bucket.' },
        { key: 'Region', description: 'The region of the bucket; left out: that of the agent.' },
        { key: 'Endpoint', description: 'Where the store answers, such as https://s3.example.com; left out: Amazon S3.' },
        { key: 'AWSAccessKey', title: 'Access key', description: 'With its secret; left out: what the agent has.' },
        { key: 'AWSSecretAccessKey', secure: true, title: 'Secret access key' },
      ],
      check: (values: SettingValues) => [...checkEndpoint(values), ...checkAccessKeys(values)],
    },
    artifact_config: {
      fields: [
        { key: 'Source', description: 'The files to publish, such as `target/*.jar`.' },
        { key: 'Destination', description: 'The folder in the bucket.' },
      ],
      check: checkSource,
    },
    fetch_artifact: {
      fields: [
        { key: 'SubPath', description: 'Which part of the artifact; left out: all of it.' },
        {
          key: 'IsFile',
          title: 'Is a file',
          kind: 'boolean',
          defaultValue: 'false',
          description: 'Whether one file is fetched, not a folder.',
        },
        { key: 'Destination', description: 'The folder to put it into.' },
      ],
    },
  },
} satisfies Plugin;

/** Of stores other than Amazon's. A login or a query in it would get lost, or be visible to all users who see the setting. */
function checkEndpoint(values: SettingValues): readonly SettingProblem[] {
  const key = 'Endpoint';
  if (isBlank(values, key)) return [];
  const url = URL.canParse(readText(values, key).trim()) ? new URL(readText(values, key).trim()) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url && isWeb && !url.username && !url.password && !url.search && !url.hash) return [];
  return [{ key, message: 'Endpoint must be an address such as https://s3.example.com, without a login, `?` and `#`.' }];
}

function checkAccessKeys(values: SettingValues): readonly SettingProblem[] {
  if (isBlank(values, 'AWSAccessKey') === isBlank(values, 'AWSSecretAccessKey')) return [];
  const message = 'AWSAccessKey and AWSSecretAccessKey must be filled altogether, if required.';
  return [
    { key: 'AWSAccessKey', message },
    { key: 'AWSSecretAccessKey', message },
  ];
}

function checkSource(values: SettingValues): readonly SettingProblem[] {
  return isBlank(values, 'Source') ? [{ key: 'Source', message: 'Source file must be specified.' }] : [];
}
