// Describes the plugin that makes agents as services of a Docker swarm.
import type { ElasticAgentPlugin } from '../../../contracts/plugins/elastic-agent.ts';
import type { ServerFacts, SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isTrue, mustNotBeBlank } from '../../setting-values.ts';
import { AGENT, CERTIFICATE, REGISTRY } from './agent-fields.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { dockerClusterFields, dockerLimits } from './docker-cluster.ts';
import { checkHostEntries } from './host-entries.ts';
import { checkDockerServerUrl } from './server-url.ts';
import { mustBeSizes, swarmSizes } from './sizes.ts';

const unknownKey = 'Is an unknown property.';

const ID = 'cd.go.contrib.elastic-agent.docker-swarm';
/** Loaded when the first agent is asked for. */
const agents = () => import('./docker-engine/swarm-agents.ts');

export const dockerSwarmElasticAgentPlugin = {
  id: ID,
  kind: 'elastic-agent',
  name: 'Docker swarm agents',
  version: '1.0.0',
  description: 'Starts a service in a Docker swarm for each job that asks for one.',
  vendor: 'Slipway',
  capabilities: NO_STATUS_REPORTS,
  blocks: {
    cluster_profile: {
      fields: [
        ...dockerClusterFields,
        { ...CERTIFICATE.authority, secure: true },
        CERTIFICATE.key,
        { ...CERTIFICATE.client, secure: true },
        REGISTRY.isUsed,
        REGISTRY.server,
        REGISTRY.username,
        REGISTRY.password,
      ],
      unknownKey,
      check: checkCluster,
    },
    elastic_agent_profile: {
      fields: [
        { ...AGENT.image, required: true },
        AGENT.command,
        AGENT.environment,
        AGENT.maxMemory,
        AGENT.reservedMemory,
        { key: 'Secrets', kind: 'multiline', description: 'Secrets of the swarm, one to a line.' },
        AGENT.networks,
        AGENT.mounts,
        AGENT.hosts,
        { key: 'Constraints', kind: 'multiline', description: 'On which nodes it may run, such as `node.role==worker`, one to a line.' },
        { key: 'LogDriver' },
        { key: 'LogDriverOptions', kind: 'multiline', description: 'As `name=value`, one to a line.' },
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

const registryKeys: readonly string[] = ['private_registry_server', 'private_registry_username', 'private_registry_password'];

function checkCluster(values: SettingValues, server: ServerFacts): readonly SettingProblem[] {
  const needsRegistry = isTrue(values, 'enable_private_registry_authentication');
  return [...checkDockerServerUrl(values, server), ...(needsRegistry ? mustNotBeBlank(values, registryKeys) : [])];
}

function checkProfile(values: SettingValues): readonly SettingProblem[] {
  return [
    ...mustBeSizes(swarmSizes, values, ['MaxMemory', 'ReservedMemory']),
    ...checkHostEntries(
      values,
      'Hosts',
      (entry) => `Host entry \`${entry}\` is invalid. Must be in \`IP-ADDRESS HOST-1 HOST-2...\` format.`,
    ),
  ];
}
