// Describes the plugin that keeps container images as artifacts in a Docker registry.
import type { Plugin, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, mustNotBeBlank, plainFields, readText } from '../../setting-values.ts';

export const dockerRegistryArtifactPlugin = {
  id: 'cd.go.artifact.docker.registry',
  kind: 'artifact',
  name: 'Docker registry artifacts',
  version: '1.0.0',
  description: 'Pushes the images a job built to a Docker registry and pulls them for later jobs.',
  vendor: 'Slipway',
  blocks: {
    store_config: {
      fields: [
        { key: 'RegistryType', required: true },
        ...plainFields('RegistryURL', 'Username'),
        { key: 'Password', secure: true },
        ...plainFields('RegistryID', 'AWSRegion'),
        { key: 'AWSAccessKeyId', secure: true },
        { key: 'AWSSecretAccessKey', secure: true },
      ],
      check: checkRegistry,
    },
    artifact_config: { fields: plainFields('Image', 'Tag', 'BuildFile'), check: checkImage },
    fetch_artifact: { fields: plainFields('EnvironmentVariablePrefix', 'SkipImagePulling'), check: checkPrefix },
  },
} satisfies Plugin;

const requiredByRegistryType: ReadonlyMap<string, readonly string[]> = new Map([
  ['ecr', ['RegistryID', 'AWSRegion']],
  ['other', ['RegistryURL', 'Username', 'Password']],
]);

function checkRegistry(values: SettingValues): readonly SettingProblem[] {
  if (isBlank(values, 'RegistryType')) return [];
  const requiredKeys = requiredByRegistryType.get(readText(values, 'RegistryType'));
  if (requiredKeys === undefined) return [{ key: 'RegistryType', message: 'RegistryType must either be `ecr` or `other`.' }];
  return mustNotBeBlank(values, requiredKeys);
}

function checkImage(values: SettingValues): readonly SettingProblem[] {
  if (!isBlank(values, 'Image') || !isBlank(values, 'BuildFile')) return [];
  const message = 'Either `Image` or `BuildFile` should be specified.';
  return [
    { key: 'Image', message },
    { key: 'BuildFile', message },
  ];
}

function checkPrefix(values: SettingValues): readonly SettingProblem[] {
  const key = 'EnvironmentVariablePrefix';
  if (isBlank(values, key) || /^[a-zA-Z][a-zA-Z0-9_]*$/.test(readText(values, key))) return [];
  const message =
    "Invalid environment name prefix. Valid prefixes contain characters, numbers, and underscore; and can't start with a number.";
  return [{ key, message }];
}
