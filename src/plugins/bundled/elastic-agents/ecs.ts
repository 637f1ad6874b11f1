// Describes the plugin that makes agents as tasks of an Amazon ECS cluster.
import type { Plugin } from '../../../contracts/plugins/plugin.ts';
import { plainFields } from '../../setting-values.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { checkCluster, REGISTER_TIMEOUT_LABEL } from './ecs-cluster.ts';
import { checkProfile } from './ecs-profile.ts';

export const ecsElasticAgentPlugin = {
  id: 'cd.go.contrib.elastic-agent.ecs',
  kind: 'elastic-agent',
  name: 'Amazon ECS agents',
  version: '1.0.0',
  description: 'Starts a task in an Amazon ECS cluster for each job that asks for one, and the instances that run it.',
  vendor: 'Slipway',
  capabilities: NO_STATUS_REPORTS,
  blocks: {
    cluster_profile: {
      fields: [
        { key: 'GoServerUrl', required: true, label: 'Go Server URL' },
        { key: 'ClusterName', required: true, label: 'AWS Cluster Name' },
        { key: 'IamInstanceProfile', required: true, label: 'Agent IAM instance profile' },
        // Not marked as required: a blank timeout is told that it must be a positive integer, and nothing else.
        { key: 'ContainerAutoregisterTimeout', label: REGISTER_TIMEOUT_LABEL },
        { key: 'AWSAccessKeyId', secure: true },
        { key: 'AWSSecretAccessKey', secure: true },
        ...plainFields('AWSAssumeRoleArn', 'AWSRegion', 'EnvironmentVariables', 'KeyPairName', 'SubnetIds', 'SecurityGroupIds'),
        ...plainFields('LogOptions', 'EfsDnsOrIP', 'LogDriver'),
        ...plainFields('LinuxAmi', 'LinuxInstanceType', 'WindowsAmi', 'WindowsInstanceType'),
        ...plainFields('LinuxRegisterTimeout', 'WindowsRegisterTimeout'),
        ...plainFields('MinLinuxInstanceCount', 'MaxLinuxInstancesAllowed', 'MinWindowsInstanceCount', 'MaxWindowsInstancesAllowed'),
        ...plainFields('MaxLinuxSpotInstanceAllowed', 'MaxWindowsSpotInstanceAllowed'),
        ...plainFields('LinuxOSVolumeType', 'LinuxDockerVolumeType', 'WindowsOSVolumeType'),
        ...plainFields('LinuxOSVolumeSize', 'LinuxDockerVolumeSize', 'WindowsOSVolumeSize'),
        ...plainFields('LinuxOSVolumeProvisionedIOPS', 'LinuxDockerVolumeProvisionedIOPS', 'WindowsOSVolumeProvisionedIOPS'),
        ...plainFields('LinuxStopPolicy', 'WindowsStopPolicy'),
        ...plainFields('StopLinuxInstanceAfter', 'TerminateStoppedLinuxInstanceAfter'),
        ...plainFields('StopWindowsInstanceAfter', 'TerminateStoppedWindowsInstanceAfter'),
        ...plainFields('TerminateIdleLinuxSpotInstanceAfter', 'TerminateIdleWindowsSpotInstanceAfter'),
        ...plainFields('LinuxUserdataScript', 'WindowsUserdataScript'),
        ...plainFields('PrivateDockerRegistryAuthType', 'PrivateDockerRegistryUrl', 'PrivateDockerRegistryEmail'),
        { key: 'PrivateDockerRegistryUsername' },
        { key: 'PrivateDockerRegistryPassword', secure: true },
        { key: 'PrivateDockerRegistryAuthToken' },
      ],
      check: checkCluster,
    },
    elastic_agent_profile: {
      fields: [
        { key: 'Image', required: true },
        { key: 'MaxMemory', required: true },
        { key: 'ReservedMemory' },
        { key: 'CPU', required: true },
        ...plainFields('Command', 'Environment', 'MountDockerSocket', 'Privileged', 'TaskRoleArn', 'AMI', 'InstanceType', 'SubnetIds'),
        ...plainFields('SecurityGroupIds', 'IAMInstanceProfile', 'Platform', 'BindMount'),
        ...plainFields('RunAsSpotInstance', 'SpotPrice', 'SpotRequestExpiresAfter'),
      ],
      unknownKey: 'Is an unknown property',
      check: checkProfile,
    },
  },
} satisfies Plugin;
