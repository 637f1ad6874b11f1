// The settings of Amazon ECS clusters and of the agents in them.
import type { SettingField } from '../../../contracts/plugins/plugin.ts';
import { AGENT } from './agent-fields.ts';
import { LOG_DRIVERS, REGISTER_TIMEOUT_LABEL, REGISTRY_AUTH_TYPES, STOP_POLICIES } from './ecs-cluster.ts';
import { SERVER_URL_ABOUT } from './server-url.ts';

const SECURITY_GROUPS: SettingField = { key: 'SecurityGroupIds', title: 'Security groups', description: 'IDs, separated by commas.' };
const SUBNETS: SettingField = { key: 'SubnetIds', title: 'Subnets', description: 'IDs, separated by commas.' };
const SIZE = 'In GB; where the volume has a type.';
const IOPS = 'For volumes of the type `io1`.';

export const CLUSTER_FIELDS: readonly SettingField[] = [
  { key: 'GoServerUrl', required: true, label: 'Go Server URL', title: 'Server URL', description: SERVER_URL_ABOUT },
  { key: 'ClusterName', required: true, label: 'AWS Cluster Name', title: 'Cluster' },
  { key: 'IamInstanceProfile', required: true, label: 'Agent IAM instance profile', title: 'IAM instance profile' },
  // The timeout is not marked as required: the only problem of a blank one is that it must be a positive integer.
  {
    key: 'ContainerAutoregisterTimeout',
    label: REGISTER_TIMEOUT_LABEL,
    title: 'Auto register timeout',
    kind: 'number',
    description: 'Minutes an agent has to register itself.',
  },
  {
    key: 'AWSAccessKeyId',
    secure: true,
    description: 'With its secret; left out: what the server was started with, which only system administrators may use.',
  },
  { key: 'AWSSecretAccessKey', secure: true },
  { key: 'AWSAssumeRoleArn', title: 'AWS role to assume', description: 'Its ARN.' },
  { key: 'AWSRegion' },
  { key: 'EnvironmentVariables', kind: 'multiline', description: 'For all agents, as `NAME=value`, one to a line.' },
  { key: 'KeyPairName' },
  SUBNETS,
  SECURITY_GROUPS,
  { key: 'LogOptions', kind: 'multiline', description: 'As `name=value`, one to a line.' },
  { key: 'EfsDnsOrIP', title: 'EFS address', description: 'A file system that all instances mount: its name or IP.' },
  { key: 'LogDriver', choices: labelsFor(LOG_DRIVERS) },
  ...ofPlatforms((platform) => [{ key: `${platform}Ami` }, { key: `${platform}InstanceType` }]),
  ...ofPlatforms((platform) => [
    { key: `${platform}RegisterTimeout`, kind: 'number', description: 'Minutes an instance has to join the cluster.' },
  ]),
  ...ofPlatforms((platform) => [
    { key: `Min${platform}InstanceCount`, title: `Least ${platform} instances`, kind: 'number' },
    { key: `Max${platform}InstancesAllowed`, title: `Most ${platform} instances`, kind: 'number' },
  ]),
  ...ofPlatforms((platform) => [{ key: `Max${platform}SpotInstanceAllowed`, title: `Most ${platform} spot instances`, kind: 'number' }]),
  ...ofVolumes((volume) => ({ key: `${volume}Type`, description: '`none`, `gp2`, `io1` and so on.' })),
  ...ofVolumes((volume) => ({ key: `${volume}Size`, kind: 'number', description: SIZE })),
  ...ofVolumes((volume) => ({ key: `${volume}ProvisionedIOPS`, kind: 'number', description: IOPS })),
  ...ofPlatforms((platform) => [{ key: `${platform}StopPolicy`, choices: STOP_POLICIES }]),
  ...ofPlatforms((platform) => [
    { key: `Stop${platform}InstanceAfter`, kind: 'number', description: 'Minutes without work.' },
    { key: `TerminateStopped${platform}InstanceAfter`, kind: 'number', description: 'Minutes after it was stopped.' },
  ]),
  ...ofPlatforms((platform) => [
    { key: `TerminateIdle${platform}SpotInstanceAfter`, kind: 'number', description: 'Minutes without work.' },
  ]),
  ...ofPlatforms((platform) => [{ key: `${platform}UserdataScript`, kind: 'multiline', description: 'Runs when an instance starts.' }]),
  { key: 'PrivateDockerRegistryAuthType', title: 'Private registry', choices: REGISTRY_AUTH_TYPES },
  { key: 'PrivateDockerRegistryUrl' },
  { key: 'PrivateDockerRegistryEmail' },
  { key: 'PrivateDockerRegistryUsername', title: 'Private docker registry user name' },
  { key: 'PrivateDockerRegistryPassword', secure: true },
  { key: 'PrivateDockerRegistryAuthToken' },
];

export const PROFILE_FIELDS: readonly SettingField[] = [
  { ...AGENT.image, required: true },
  { ...AGENT.maxMemory, required: true },
  AGENT.reservedMemory,
  { key: 'CPU', required: true, kind: 'number', description: 'CPU units; 1024 are one CPU.' },
  AGENT.command,
  AGENT.environment,
  { key: 'MountDockerSocket', kind: 'boolean', defaultValue: 'false', description: 'Whether it can use Docker of its instance.' },
  AGENT.privileged,
  { key: 'TaskRoleArn' },
  { key: 'AMI' },
  { key: 'InstanceType' },
  SUBNETS,
  SECURITY_GROUPS,
  { key: 'IAMInstanceProfile' },
  { key: 'Platform', defaultValue: 'linux', choices: { linux: 'Linux', windows: 'Windows' } },
  { key: 'BindMount', kind: 'multiline', description: 'Folders of the instance, as a JSON list.' },
  { key: 'RunAsSpotInstance', kind: 'boolean', defaultValue: 'false' },
  { key: 'SpotPrice', kind: 'number', description: 'The most to pay for an hour.' },
  { key: 'SpotRequestExpiresAfter', kind: 'number', description: 'Minutes.' },
];

function ofPlatforms(fields: (platform: string) => readonly SettingField[]): readonly SettingField[] {
  return ['Linux', 'Windows'].flatMap(fields);
}

function ofVolumes(field: (volume: string) => SettingField): readonly SettingField[] {
  return ['LinuxOSVolume', 'LinuxDockerVolume', 'WindowsOSVolume'].map(field);
}

function labelsFor(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, value]));
}
