// Describes the plugin that keeps container images as artifacts in a Docker registry.
import type { Plugin, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, mustNotBeBlank, readText } from '../../setting-values.ts';

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
        { key: 'RegistryType', required: true, choices: { ecr: 'Amazon ECR', other: 'Any other registry' } },
        { key: 'RegistryURL', description: 'The address of a registry other than Amazon ECR.' },
        { key: 'Username', title: 'User name', description: 'For a registry other than Amazon ECR.' },
        { key: 'Password', secure: true, description: 'For a registry other than Amazon ECR.' },
        { key: 'RegistryID', description: 'The account whose registry it is, for Amazon ECR.' },
        { key: 'AWSRegion', description: 'The region of the registry, for Amazon ECR.' },
        { key: 'AWSAccessKeyId', secure: true, description: 'For Amazon ECR; left out: what the agent has.' },
        { key: 'AWSSecretAccessKey', secure: true, description: 'For Amazon ECR; left out: what the agent has.' },
      ],
      check: checkRegistry,
    },
    artifact_config: {
      fields: [
        { key: 'Image', description: 'The image to push, without its tag.' },
        { key: 'Tag', description: 'The tag of the image.' },
        { key: 'BuildFile', description: 'Instead: a JSON file that names the image and its tag.' },
      ],
      check: checkImage,
    },
    fetch_artifact: {
      fields: [
        { key: 'EnvironmentVariablePrefix', description: 'Begins the name of the variable that holds the image for later tasks.' },
        {
          key: 'SkipImagePulling',
          kind: 'boolean',
          defaultValue: 'false',
          description: 'Whether only the variable is set, and nothing is pulled.',
        },
      ],
      check: checkPrefix,
    },
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
