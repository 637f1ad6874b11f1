// Tests the settings of the Amazon ECS agent plugin.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keysOf, type SettingsCase, testSettings } from '../../test-support.ts';
import { ecsElasticAgentPlugin } from './ecs.ts';

const { cluster_profile, elastic_agent_profile } = ecsElasticAgentPlugin.blocks;
const flawlessCluster = {
  GoServerUrl: 'https://cd.example.com',
  ClusterName: 'builds',
  IamInstanceProfile: 'ecsInstanceRole',
  ContainerAutoregisterTimeout: '10',
};
const flawlessProfile = { Image: 'agent', MaxMemory: '4G', ReservedMemory: '2G', CPU: '0' };

test('the plugin has the settings of GoCD, and the same ones are secret', () => {
  assert.equal(ecsElasticAgentPlugin.id, 'cd.go.contrib.elastic-agent.ecs');
  assert.deepEqual(keysOf(cluster_profile).toSorted(), [
    'AWSAccessKeyId',
    'AWSAssumeRoleArn',
    'AWSRegion',
    'AWSSecretAccessKey',
    'ClusterName',
    'ContainerAutoregisterTimeout',
    'EfsDnsOrIP',
    'EnvironmentVariables',
    'GoServerUrl',
    'IamInstanceProfile',
    'KeyPairName',
    'LinuxAmi',
    'LinuxDockerVolumeProvisionedIOPS',
    'LinuxDockerVolumeSize',
    'LinuxDockerVolumeType',
    'LinuxInstanceType',
    'LinuxOSVolumeProvisionedIOPS',
    'LinuxOSVolumeSize',
    'LinuxOSVolumeType',
    'LinuxRegisterTimeout',
    'LinuxStopPolicy',
    'LinuxUserdataScript',
    'LogDriver',
    'LogOptions',
    'MaxLinuxInstancesAllowed',
    'MaxLinuxSpotInstanceAllowed',
    'MaxWindowsInstancesAllowed',
    'MaxWindowsSpotInstanceAllowed',
    'MinLinuxInstanceCount',
    'MinWindowsInstanceCount',
    'PrivateDockerRegistryAuthToken',
    'PrivateDockerRegistryAuthType',
    'PrivateDockerRegistryEmail',
    'PrivateDockerRegistryPassword',
    'PrivateDockerRegistryUrl',
    'PrivateDockerRegistryUsername',
    'SecurityGroupIds',
    'StopLinuxInstanceAfter',
    'StopWindowsInstanceAfter',
    'SubnetIds',
    'TerminateIdleLinuxSpotInstanceAfter',
    'TerminateIdleWindowsSpotInstanceAfter',
    'TerminateStoppedLinuxInstanceAfter',
    'TerminateStoppedWindowsInstanceAfter',
    'WindowsAmi',
    'WindowsInstanceType',
    'WindowsOSVolumeProvisionedIOPS',
    'WindowsOSVolumeSize',
    'WindowsOSVolumeType',
    'WindowsRegisterTimeout',
    'WindowsStopPolicy',
    'WindowsUserdataScript',
  ]);
  assert.deepEqual(
    keysOf(cluster_profile, ({ secure }) => secure),
    ['AWSAccessKeyId', 'AWSSecretAccessKey', 'PrivateDockerRegistryPassword'],
  );
  assert.deepEqual(keysOf(elastic_agent_profile), [
    'Image',
    'MaxMemory',
    'ReservedMemory',
    'CPU',
    'Command',
    'Environment',
    'MountDockerSocket',
    'Privileged',
    'TaskRoleArn',
    'AMI',
    'InstanceType',
    'SubnetIds',
    'SecurityGroupIds',
    'IAMInstanceProfile',
    'Platform',
    'BindMount',
    'RunAsSpotInstance',
    'SpotPrice',
    'SpotRequestExpiresAfter',
  ]);
  assert.deepEqual(
    keysOf(elastic_agent_profile, ({ secure }) => secure),
    [],
  );
});

describe('cluster profile', () => {
  const positive = 'Container auto-register timeout (in minutes) must be a positive integer.';
  const noAccessKey = 'Access key is mandatory if secret key is provided';
  const noSecretKey = 'Secret key is mandatory if access key is provided';
  testSettings(cluster_profile, flawlessCluster, [
    [
      'all blank',
      { GoServerUrl: '', ClusterName: '', IamInstanceProfile: '', ContainerAutoregisterTimeout: '' },
      ['GoServerUrl', 'Go Server URL must not be blank.'],
      ['ClusterName', 'AWS Cluster Name must not be blank.'],
      ['IamInstanceProfile', 'Agent IAM instance profile must not be blank.'],
      ['ContainerAutoregisterTimeout', positive],
    ],
    ['timeout of words', { ContainerAutoregisterTimeout: 'ten' }, ['ContainerAutoregisterTimeout', positive]],
    ['timeout of zero', { ContainerAutoregisterTimeout: '0' }, ['ContainerAutoregisterTimeout', positive]],
    ['timeout with a fraction', { ContainerAutoregisterTimeout: '1.5' }, ['ContainerAutoregisterTimeout', positive]],
    ['both keys', { AWSAccessKeyId: 'a', AWSSecretAccessKey: 'b' }],
    ['only the access key', { AWSAccessKeyId: 'a' }, ['AWSAccessKeyId', noSecretKey], ['AWSSecretAccessKey', noSecretKey]],
    ['only the secret key', { AWSSecretAccessKey: 'b' }, ['AWSAccessKeyId', noAccessKey], ['AWSSecretAccessKey', noAccessKey]],
    ['good log driver', { LogDriver: 'awslogs' }],
    [
      'bad log driver',
      { LogDriver: 'paper' },
      [
        'LogDriver',
        'Log driver paper is not supported. Supported log drivers are [json-file, syslog, journald, gelf, fluentd, awslogs, splunk, awsfirelens] ',
      ],
    ],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});

describe('instances', () => {
  testSettings(
    cluster_profile,
    flawlessCluster,
    ['Linux', 'Windows'].flatMap((platform): SettingsCase[] => [
      [
        `${platform}: instances without image and type`,
        { [`Min${platform}InstanceCount`]: '1' },
        [`${platform}Ami`, `${platform}Ami must not be blank.`],
        [`${platform}InstanceType`, `${platform}InstanceType must not be blank.`],
      ],
      [`${platform}: no instances`, { [`Min${platform}InstanceCount`]: '0' }],
      [
        `${platform}: described instances`,
        { [`Min${platform}InstanceCount`]: '2', [`${platform}Ami`]: 'ami-1', [`${platform}InstanceType`]: 't2.small' },
      ],
      [`${platform}: good register timeout`, { [`${platform}RegisterTimeout`]: '5' }],
      [
        `${platform}: bad register timeout`,
        { [`${platform}RegisterTimeout`]: '-5' },
        [`${platform}RegisterTimeout`, `${platform}RegisterTimeout must be a positive integer.`],
      ],
      [`${platform}: stop the idle`, { [`${platform}StopPolicy`]: 'StopIdleInstance' }],
      [`${platform}: stop the oldest`, { [`${platform}StopPolicy`]: 'StopOldestInstance' }],
      [
        `${platform}: stop another`,
        { [`${platform}StopPolicy`]: 'StopAll' },
        [`${platform}StopPolicy`, 'Should be one of `StopIdleInstance`, `StopOldestInstance`.'],
      ],
    ]),
  );
});

describe('integers', () => {
  const smallest: Readonly<Record<string, number>> = {
    MinLinuxInstanceCount: 0,
    MaxLinuxInstancesAllowed: 0,
    MinWindowsInstanceCount: 0,
    MaxWindowsInstancesAllowed: 0,
    LinuxOSVolumeSize: 8,
    LinuxDockerVolumeSize: 22,
    WindowsOSVolumeSize: 50,
    LinuxOSVolumeProvisionedIOPS: 100,
    LinuxDockerVolumeProvisionedIOPS: 100,
    WindowsOSVolumeProvisionedIOPS: 100,
    StopLinuxInstanceAfter: 0,
    TerminateStoppedLinuxInstanceAfter: 0,
    StopWindowsInstanceAfter: 0,
    TerminateStoppedWindowsInstanceAfter: 0,
  };
  testSettings(
    cluster_profile,
    flawlessCluster,
    Object.entries(smallest).flatMap(([key, bound]): SettingsCase[] => [
      [`${key}: the smallest`, { [key]: String(bound) }],
      [`${key}: too small`, { [key]: String(bound - 1) }, [key, `${key} must not be less than ${bound}.`]],
      [`${key}: not an integer`, { [key]: 'some' }, [key, `${key} must be an integer.`]],
    ]),
  );
});

describe('volumes', () => {
  testSettings(
    cluster_profile,
    flawlessCluster,
    ['LinuxOSVolume', 'LinuxDockerVolume', 'WindowsOSVolume'].flatMap((volume): SettingsCase[] => [
      [`${volume}: none`, { [`${volume}Type`]: 'none' }],
      [`${volume}: no size`, { [`${volume}Type`]: 'gp2' }, [`${volume}Size`, `${volume}Size must not be blank.`]],
      [`${volume}: a size`, { [`${volume}Type`]: 'gp2', [`${volume}Size`]: '100' }],
      [
        `${volume}: neither size nor IOPS`,
        { [`${volume}Type`]: 'io1' },
        [`${volume}Size`, `${volume}Size must not be blank.`],
        [`${volume}ProvisionedIOPS`, `${volume}ProvisionedIOPS must not be blank.`],
      ],
      [`${volume}: size and IOPS`, { [`${volume}Type`]: 'io1', [`${volume}Size`]: '100', [`${volume}ProvisionedIOPS`]: '100' }],
    ]),
  );
});

describe('private registry', () => {
  const url = ['PrivateDockerRegistryUrl', 'PrivateDockerRegistryUrl must not be blank.'] as const;
  const email = ['PrivateDockerRegistryEmail', 'PrivateDockerRegistryEmail must not be blank.'] as const;
  const address = { PrivateDockerRegistryUrl: 'https://registry.example.com', PrivateDockerRegistryEmail: 'ci@example.com' };
  testSettings(cluster_profile, flawlessCluster, [
    ['default', { PrivateDockerRegistryAuthType: 'default' }],
    [
      'docker, all blank',
      { PrivateDockerRegistryAuthType: 'docker' },
      url,
      email,
      ['PrivateDockerRegistryUsername', 'PrivateDockerRegistryUsername must not be blank.'],
      ['PrivateDockerRegistryPassword', 'PrivateDockerRegistryPassword must not be blank.'],
    ],
    [
      'docker',
      { ...address, PrivateDockerRegistryAuthType: 'docker', PrivateDockerRegistryUsername: 'u', PrivateDockerRegistryPassword: 'p' },
    ],
    [
      'dockercfg, all blank',
      { PrivateDockerRegistryAuthType: 'dockercfg' },
      url,
      email,
      ['PrivateDockerRegistryAuthToken', 'PrivateDockerRegistryAuthToken must not be blank.'],
    ],
    ['dockercfg', { ...address, PrivateDockerRegistryAuthType: 'dockercfg', PrivateDockerRegistryAuthToken: 't' }],
    [
      'another type',
      { PrivateDockerRegistryAuthType: 'basic' },
      ['PrivateDockerRegistryAuthType', 'Should be one of `default`, `docker`, `dockercfg`.'],
    ],
  ]);
});

describe('agent profile', () => {
  const badMount = ['BindMount', 'There were errors parsing the BindMount JSON, check if the given JSON is valid.'] as const;
  testSettings(elastic_agent_profile, flawlessProfile, [
    [
      'all blank',
      { Image: '', MaxMemory: '', ReservedMemory: '', CPU: '' },
      ['Image', 'Image must not be blank.'],
      ['MaxMemory', 'MaxMemory must not be blank.'],
      ['CPU', 'CPU must not be blank.'],
      ['ReservedMemory', 'ReservedMemory must not be blank.'],
    ],
    ['no reserved memory on Windows', { ReservedMemory: '', Platform: 'windows' }],
    ['no reserved memory on Windows in capitals', { ReservedMemory: '', Platform: 'WINDOWS' }],
    ['no reserved memory on Linux', { ReservedMemory: '', Platform: 'linux' }, ['ReservedMemory', 'ReservedMemory must not be blank.']],
    ['another platform', { Platform: 'beos' }, ['Platform', 'Should be one of `linux`, `windows`.']],
    [
      'bad sizes',
      { MaxMemory: '1000', ReservedMemory: '5P' },
      ['MaxMemory', 'Invalid size: 1000'],
      ['ReservedMemory', 'Invalid size: 5P. Wrong size unit'],
    ],
    [
      'too little',
      { MaxMemory: '1024k', ReservedMemory: '1024k' },
      ['MaxMemory', 'Invalid size: `1024k`. Minimum size for container to start is 4M'],
    ],
    ['just enough', { MaxMemory: '4096K', ReservedMemory: '1M' }],
    ['less than reserved', { MaxMemory: '1G' }, ['MaxMemory', 'Must be greater than or equal to `ReservedMemory`.']],
    ['as much as reserved', { MaxMemory: '2.0 GB' }],
    ['bad CPU', { CPU: '3.14.1' }, ['CPU', 'must be number']],
    ['good mount', { BindMount: '[{"Name": "data", "SourcePath": "/a", "ContainerPath": "/b"}]' }],
    ['mount that is not JSON', { BindMount: '[{{}]' }, badMount],
    ['mount that is not an array', { BindMount: '{}' }, badMount],
    ['good spot instance', { RunAsSpotInstance: 'true', SpotPrice: '0.05', SpotRequestExpiresAfter: '15' }],
    ['spot instance with defaults', { RunAsSpotInstance: 'true' }],
    [
      'bad spot instance',
      { RunAsSpotInstance: 'true', SpotPrice: '4G', SpotRequestExpiresAfter: '1.5' },
      ['SpotPrice', 'Error parsing Spot Price, should be a valid double.'],
      ['SpotRequestExpiresAfter', 'Error parsing Spot Request Expires After, should be a valid integer.'],
    ],
    ['no spot instance', { RunAsSpotInstance: 'false', SpotPrice: '4G', SpotRequestExpiresAfter: '1.5' }],
    ['unknown key', { Extra: '1' }, ['Extra', 'Is an unknown property']],
  ]);
});
