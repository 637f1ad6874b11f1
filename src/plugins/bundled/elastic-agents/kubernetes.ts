// Describes the plugin that makes agents as pods of a Kubernetes cluster.
import type { ElasticAgentPlugin } from '../../../contracts/plugins/elastic-agent.ts';
import type { SettingField, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { blankMessage, isBlank, isTrue, mustBeOneOf, mustNotBeBlank, readText } from '../../setting-values.ts';
import { AGENT } from './agent-fields.ts';
import { readCount, readRegisterTime } from './calls/limits.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { checkKubernetesServerUrl, GO_SERVER_URL, SERVER_URL_ABOUT } from './server-url.ts';
import { kubernetesSizes, mustBeSizes } from './sizes.ts';

const unknownKey = 'Is an unknown property';

// PodSpecType is not marked as required, because profiles older than it say the same with SpecifiedUsingPodConfiguration.
const PROFILE_FIELDS: readonly SettingField[] = [
  {
    key: 'PodSpecType',
    title: 'Pod is described by',
    choices: { properties: 'The settings below', yaml: 'A pod configuration', remote: 'A file at an address' },
  },
  AGENT.image,
  AGENT.maxMemory,
  { key: 'MaxCPU', title: 'Most CPU', description: 'In CPUs, such as `1.5`.' },
  AGENT.environment,
  AGENT.privileged,
  { key: 'PodConfiguration', kind: 'multiline', description: 'A pod in YAML.' },
  { key: 'SpecifiedUsingPodConfiguration', kind: 'boolean', description: 'What older profiles have in place of the first setting.' },
  { key: 'RemoteFile', description: 'The address of a file that describes the pod.' },
  { key: 'RemoteFileType', choices: { json: 'JSON', yaml: 'YAML' } },
];

const ID = 'cd.go.contrib.elasticagent.kubernetes';
/** Loaded when the first agent is asked for. */
const agents = () => import('./kubernetes-api/kubernetes-agents.ts');

export const kubernetesElasticAgentPlugin = {
  id: ID,
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
        { key: GO_SERVER_URL, title: 'Server URL', description: `${SERVER_URL_ABOUT} Left out: the secure site URL.` },
        { key: 'auto_register_timeout', kind: 'number', description: 'Minutes an agent has to register itself.' },
        { key: 'pending_pods_count', title: 'Most pending pods', kind: 'number' },
        { key: 'kubernetes_cluster_url', title: 'Cluster URL', description: 'Where Kubernetes answers.' },
        { key: 'namespace' },
        { key: 'security_token', secure: true, description: 'Of the account that makes pods.' },
        { key: 'kubernetes_cluster_ca_cert', secure: true, title: 'CA certificate', kind: 'multiline', description: 'In PEM form.' },
        { key: 'cluster_request_timeout', kind: 'number', description: 'Milliseconds.' },
      ],
      unknownKey,
      check: checkKubernetesServerUrl,
    },
    elastic_agent_profile: {
      fields: PROFILE_FIELDS,
      unknownKey,
      check: checkProfile,
    },
  },
  limitsOf: (cluster) => {
    const maxStarting = readCount(cluster, 'pending_pods_count');
    return { ...(maxStarting !== undefined && { maxStarting }), registerWithinMs: readRegisterTime(cluster) };
  },
  createAgent: async (order, cluster, profile, tools) => (await agents()).createAgent(order, ID, cluster, profile, tools),
  listAgents: async (owner, cluster, tools) => (await agents()).listAgents(owner, cluster, tools),
  removeAgent: async (agentId, cluster, tools) => (await agents()).removeAgent(agentId, cluster, tools),
} satisfies ElasticAgentPlugin;

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
