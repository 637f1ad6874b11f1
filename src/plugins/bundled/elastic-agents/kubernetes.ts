// Describes the plugin that makes agents as pods of a Kubernetes cluster.
import type { Plugin, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { blankMessage, isBlank, isTrue, mustBeOneOf, mustNotBeBlank, plainFields, readText } from '../../setting-values.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { checkKubernetesServerUrl, GO_SERVER_URL } from './server-url.ts';
import { kubernetesSizes, mustBeSizes } from './sizes.ts';

const unknownKey = 'Is an unknown property';

export const kubernetesElasticAgentPlugin = {
  id: 'cd.go.contrib.elasticagent.kubernetes',
  kind: 'elastic-agent',
  name: 'Kubernetes agents',
  version: '1.0.0',
  description: 'Starts a pod in a Kubernetes cluster for each job that asks for one.',
  vendor: 'Slipway',
  capabilities: NO_STATUS_REPORTS,
  blocks: {
    cluster_profile: {
      // go_server_url is not marked as required, because the secure site URL can stand in for it.
      fields: [
        ...plainFields(GO_SERVER_URL, 'auto_register_timeout', 'pending_pods_count', 'kubernetes_cluster_url', 'namespace'),
        { key: 'security_token', secure: true },
        { key: 'kubernetes_cluster_ca_cert', secure: true },
        { key: 'cluster_request_timeout' },
      ],
      unknownKey,
      check: checkKubernetesServerUrl,
    },
    elastic_agent_profile: {
      // PodSpecType is not marked as required, because profiles older than it say the same with SpecifiedUsingPodConfiguration.
      fields: plainFields(
        'PodSpecType',
        'Image',
        'MaxMemory',
        'MaxCPU',
        'Environment',
        'Privileged',
        'PodConfiguration',
        'SpecifiedUsingPodConfiguration',
        'RemoteFile',
        'RemoteFileType',
      ),
      unknownKey,
      check: checkProfile,
    },
  },
} satisfies Plugin;

type PodSpecType = 'properties' | 'remote' | 'yaml';

const checksByPodSpecType: Readonly<Record<PodSpecType, (values: SettingValues) => readonly SettingProblem[]>> = {
  properties: (values) => mustNotBeBlank(values, ['Image']),
  remote: (values) => [
    ...mustNotBeBlank(values, ['RemoteFile', 'RemoteFileType']),
    ...mustBeOneOf(values, 'RemoteFileType', ['json', 'yaml']),
  ],
  yaml: checkPodConfiguration,
};

function checkProfile(values: SettingValues): readonly SettingProblem[] {
  return [...checkPodSpec(values), ...mustBeSizes(kubernetesSizes, values, ['MaxMemory'])];
}

function checkPodSpec(values: SettingValues): readonly SettingProblem[] {
  const type = isBlank(values, 'PodSpecType') ? readLegacyType(values) : readText(values, 'PodSpecType');
  if (type === undefined) return mustNotBeBlank(values, ['PodSpecType']);
  if (isPodSpecType(type)) return checksByPodSpecType[type](values);
  return mustBeOneOf(values, 'PodSpecType', Object.keys(checksByPodSpecType));
}

function readLegacyType(values: SettingValues): PodSpecType | undefined {
  if (isBlank(values, 'SpecifiedUsingPodConfiguration')) return undefined;
  return isTrue(values, 'SpecifiedUsingPodConfiguration') ? 'yaml' : 'properties';
}

function isPodSpecType(text: string): text is PodSpecType {
  return Object.hasOwn(checksByPodSpecType, text);
}

function checkPodConfiguration(values: SettingValues): readonly SettingProblem[] {
  return isBlank(values, 'PodConfiguration') ? [{ key: 'PodConfiguration', message: blankMessage('Pod Configuration') }] : [];
}
