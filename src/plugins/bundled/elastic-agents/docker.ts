// Describes the plugin that makes agents as containers of one Docker host.
import type { ElasticAgentPlugin } from '../../../contracts/plugins/elastic-agent.ts';
import type { ServerFacts, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, isDecimal, isTrue, readText } from '../../setting-values.ts';
import { AGENT, CERTIFICATE, REGISTRY } from './agent-fields.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { dockerClusterFields, dockerLimits } from './docker-cluster.ts';
import { checkHostEntries } from './host-entries.ts';
import { checkDockerServerUrl } from './server-url.ts';
import { dockerSizes, mustBeSizes, readBytes, SMALLEST_CONTAINER_BYTES } from './sizes.ts';

const unknownKey = 'Is an unknown property';

const ID = 'cd.go.contrib.elastic-agent.docker';
/** Loaded when the first agent is asked for. */
const agents = () => import('./docker-engine/docker-agents.ts');

export const dockerElasticAgentPlugin = {
  id: ID,
  kind: 'elastic-agent',
  name: 'Docker agents',
  version: '1.0.0',
  description: 'Starts a container on a Docker host for each job that asks for one.',
  vendor: 'Slipway',
  capabilities: NO_STATUS_REPORTS,
  blocks: {
    cluster_profile: {
      fields: [
        ...dockerClusterFields,
        CERTIFICATE.authority,
        CERTIFICATE.key,
        CERTIFICATE.client,
        REGISTRY.isUsed,
        REGISTRY.server,
        {
          key: 'private_registry_custom_credentials',
          title: 'Credentials of the registry',
          choices: { true: 'Those below', false: 'Those in the configuration file of Docker' },
        },
        REGISTRY.username,
        REGISTRY.password,
        {
          key: 'pull_on_container_create',
          title: 'Pull images every time',
          kind: 'boolean',
          defaultValue: 'false',
          description: 'Whether an image is pulled although the host has it.',
        },
      ],
      unknownKey,
      check: checkCluster,
    },
    elastic_agent_profile: {
      fields: [
        { ...AGENT.image, required: true },
        AGENT.command,
        AGENT.environment,
        AGENT.mounts,
        AGENT.networks,
        AGENT.reservedMemory,
        AGENT.maxMemory,
        { key: 'Cpus', title: 'CPUs', kind: 'number', description: 'How many it may use, such as `1.5`.' },
        AGENT.hosts,
        AGENT.privileged,
      ],
      unknownKey,
      check: checkProfile,
    },
  },
  limitsOf: dockerLimits,
  createAgent: async (order, cluster, profile, tools) => (await agents()).createAgent(order, ID, cluster, profile, tools),
  listAgents: async (owner, cluster, tools) => (await agents()).listAgents(owner, cluster, tools),
  removeAgent: async (agentId, cluster, tools) => (await agents()).removeAgent(agentId, cluster, tools),
} satisfies ElasticAgentPlugin;

function checkCluster(values: SettingValues, server: ServerFacts): readonly SettingProblem[] {
  return [...checkDockerServerUrl(values, server), ...checkLeftoverCredentials(values)];
}

const credentialLabels: ReadonlyMap<string, string> = new Map([
  ['private_registry_username', 'username'],
  ['private_registry_password', 'password'],
]);

function checkLeftoverCredentials(values: SettingValues): readonly SettingProblem[] {
  if (!isTrue(values, 'enable_private_registry_authentication') || isTrue(values, 'private_registry_custom_credentials')) return [];
  const leftover = [...credentialLabels].filter(([key]) => !isBlank(values, key));
  if (leftover.length === 0) return [];
  return [
    { key: 'enable_private_registry_authentication', message: clearBeforeSwitching('credentials') },
    ...leftover.map(([key, word]) => ({ key, message: clearBeforeSwitching(word) })),
  ];
}

function clearBeforeSwitching(word: string): string {
  return `Please clear your private registry ${word} before switching from custom credentials to using the docker configuration file.`;
}

function checkProfile(values: SettingValues): readonly SettingProblem[] {
  return [
    ...mustBeSizes(dockerSizes, values, ['ReservedMemory', 'MaxMemory']),
    ...checkMaxMemory(values),
    ...checkCpus(values),
    ...checkHostEntries(values, 'Hosts', (entry) => `Host entry \`${entry}\` is invalid.`),
  ];
}

function checkMaxMemory(values: SettingValues): readonly SettingProblem[] {
  const max = readBytes(dockerSizes, values, 'MaxMemory');
  const reserved = readBytes(dockerSizes, values, 'ReservedMemory');
  if (max === undefined) return [];
  if (max < SMALLEST_CONTAINER_BYTES) return [{ key: 'MaxMemory', message: 'Minimum allowed value is 4M' }];
  if (reserved !== undefined && max < reserved) return [{ key: 'MaxMemory', message: 'Max memory is lower than reserved memory' }];
  return [];
}

function checkCpus(values: SettingValues): readonly SettingProblem[] {
  const cpus = readText(values, 'Cpus');
  return isBlank(values, 'Cpus') || isDecimal(cpus) ? [] : [{ key: 'Cpus', message: `Invalid float number: ${cpus}` }];
}
