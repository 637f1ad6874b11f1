// The rules for the settings of an Amazon ECS cluster that go beyond required settings.
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, isInteger, mustBeOneOf, mustNotBeBlank, readText } from '../../setting-values.ts';

export const REGISTER_TIMEOUT_LABEL = 'Container auto-register timeout (in minutes)';

export const LOG_DRIVERS: readonly string[] = ['json-file', 'syslog', 'journald', 'gelf', 'fluentd', 'awslogs', 'splunk', 'awsfirelens'];

export const STOP_POLICIES = { StopIdleInstance: 'Stop one that is idle', StopOldestInstance: 'Stop the oldest' };
export const REGISTRY_AUTH_TYPES = {
  default: 'None',
  docker: 'With a user name and a password',
  dockercfg: 'With a token',
};

const smallestIntegers: readonly (readonly [key: string, smallest: number])[] = [
  ['MinLinuxInstanceCount', 0],
  ['MaxLinuxInstancesAllowed', 0],
  ['MinWindowsInstanceCount', 0],
  ['MaxWindowsInstancesAllowed', 0],
  ['LinuxOSVolumeSize', 8],
  ['LinuxDockerVolumeSize', 22],
  ['WindowsOSVolumeSize', 50],
  ['LinuxOSVolumeProvisionedIOPS', 100],
  ['LinuxDockerVolumeProvisionedIOPS', 100],
  ['WindowsOSVolumeProvisionedIOPS', 100],
  ['StopLinuxInstanceAfter', 0],
  ['TerminateStoppedLinuxInstanceAfter', 0],
  ['StopWindowsInstanceAfter', 0],
  ['TerminateStoppedWindowsInstanceAfter', 0],
];

const volumes: readonly string[] = ['LinuxOSVolume', 'LinuxDockerVolume', 'WindowsOSVolume'];

const registryKeysByAuthType: ReadonlyMap<string, readonly string[]> = new Map([
  ['default', []],
  ['docker', ['PrivateDockerRegistryUrl', 'PrivateDockerRegistryEmail', 'PrivateDockerRegistryUsername', 'PrivateDockerRegistryPassword']],
  ['dockercfg', ['PrivateDockerRegistryUrl', 'PrivateDockerRegistryEmail', 'PrivateDockerRegistryAuthToken']],
]);

export function checkCluster(values: SettingValues): readonly SettingProblem[] {
  return [
    ...mustBePositive(values, 'ContainerAutoregisterTimeout', REGISTER_TIMEOUT_LABEL),
    ...checkAccessKeys(values),
    ...checkLogDriver(values),
    ...['Linux', 'Windows'].flatMap((platform) => checkPlatform(values, platform)),
    ...smallestIntegers.flatMap(([key, smallest]) => mustBeAtLeast(values, key, smallest)),
    ...volumes.flatMap((volume) => checkVolume(values, volume)),
    ...checkRegistry(values),
  ];
}

function mustBePositive(values: SettingValues, key: string, label: string): readonly SettingProblem[] {
  const text = readText(values, key);
  return isInteger(text) && Number(text) > 0 ? [] : [{ key, message: `${label} must be a positive integer.` }];
}

function mustBeAtLeast(values: SettingValues, key: string, smallest: number): readonly SettingProblem[] {
  if (isBlank(values, key)) return [];
  const text = readText(values, key);
  if (!isInteger(text)) return [{ key, message: `${key} must be an integer.` }];
  return Number(text) < smallest ? [{ key, message: `${key} must not be less than ${smallest}.` }] : [];
}

function checkAccessKeys(values: SettingValues): readonly SettingProblem[] {
  const lacksAccessKey = isBlank(values, 'AWSAccessKeyId');
  if (lacksAccessKey === isBlank(values, 'AWSSecretAccessKey')) return [];
  const message = lacksAccessKey
    ? 'Access key is mandatory if secret key is provided'
    : 'Secret key is mandatory if access key is provided';
  return [
    { key: 'AWSAccessKeyId', message },
    { key: 'AWSSecretAccessKey', message },
  ];
}

function checkLogDriver(values: SettingValues): readonly SettingProblem[] {
  const driver = readText(values, 'LogDriver');
  if (isBlank(values, 'LogDriver') || LOG_DRIVERS.includes(driver)) return [];
  // The blank at the end is part of the protocol.
  return [{ key: 'LogDriver', message: `Log driver ${driver} is not supported. Supported log drivers are [${LOG_DRIVERS.join(', ')}] ` }];
}

function checkPlatform(values: SettingValues, platform: string): readonly SettingProblem[] {
  const startsInstances = Number(readText(values, `Min${platform}InstanceCount`)) > 0;
  const registerTimeout = `${platform}RegisterTimeout`;
  return [
    ...(startsInstances ? mustNotBeBlank(values, [`${platform}Ami`, `${platform}InstanceType`]) : []),
    ...(isBlank(values, registerTimeout) ? [] : mustBePositive(values, registerTimeout, registerTimeout)),
    ...mustBeOneOf(values, `${platform}StopPolicy`, Object.keys(STOP_POLICIES)),
  ];
}

function checkVolume(values: SettingValues, volume: string): readonly SettingProblem[] {
  const type = readText(values, `${volume}Type`);
  if (isBlank(values, `${volume}Type`) || type === 'none') return [];
  return mustNotBeBlank(values, [`${volume}Size`, ...(type === 'io1' ? [`${volume}ProvisionedIOPS`] : [])]);
}

function checkRegistry(values: SettingValues): readonly SettingProblem[] {
  const key = 'PrivateDockerRegistryAuthType';
  const requiredKeys = registryKeysByAuthType.get(readText(values, key)) ?? [];
  return [...mustBeOneOf(values, key, [...registryKeysByAuthType.keys()]), ...mustNotBeBlank(values, requiredKeys)];
}
