// Describes the plugin that keeps artifacts in an Amazon S3 bucket.
import type { Plugin, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, plainFields, readText } from '../../setting-values.ts';

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
        { key: 'S3Bucket', required: true },
        ...plainFields('Region', 'Endpoint', 'AWSAccessKey'),
        { key: 'AWSSecretAccessKey', secure: true },
      ],
      check: (values: SettingValues) => [...checkEndpoint(values), ...checkAccessKeys(values)],
    },
    artifact_config: { fields: plainFields('Source', 'Destination'), check: checkSource },
    fetch_artifact: { fields: plainFields('SubPath', 'IsFile', 'Destination') },
  },
} satisfies Plugin;

/** Of stores other than Amazon's. A login or a query in it would be sent nowhere, or to everybody. */
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
