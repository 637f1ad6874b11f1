// Describes the plugin that makes agents as tasks of an Amazon ECS cluster.
import type { ElasticAgentPlugin } from '../../../contracts/plugins/elastic-agent.ts';
import { isBlank } from '../../setting-values.ts';
import { readRegisterTime } from './calls/limits.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { checkCluster } from './ecs-cluster.ts';
import { CLUSTER_FIELDS, PROFILE_FIELDS } from './ecs-fields.ts';
import { checkProfile } from './ecs-profile.ts';

const ACCOUNT_KEYS = ['AWSAccessKeyId', 'AWSSecretAccessKey'];
const ID = 'cd.go.contrib.elastic-agent.ecs';

/** Loaded with the first agent. */
const agents = () => import('./ecs-api/ecs-agents.ts');

export const ecsElasticAgentPlugin = {
  id: ID,
  kind: 'elastic-agent',
  name: 'Amazon ECS agents',
  version: '1.0.0',
  description: 'Agents that run as tasks of an Amazon ECS cluster, on instances that are there.',
  vendor: 'Slipway',
  capabilities: NO_STATUS_REPORTS,
  blocks: {
    cluster_profile: {
      fields: CLUSTER_FIELDS,
      check: checkCluster,
    },
    elastic_agent_profile: {
      fields: PROFILE_FIELDS,
      unknownKey: 'Is an unknown property',
      check: checkProfile,
    },
  },
  missingAccount: (cluster) => ACCOUNT_KEYS.find((key) => isBlank(cluster, key)),
  limitsOf: (cluster) => ({ registerWithinMs: readRegisterTime(cluster, 'ContainerAutoregisterTimeout') }),
  createAgent: async (order, cluster, profile, tools) => (await agents()).createAgent(order, ID, cluster, profile, tools),
  listAgents: async (owner, cluster, tools) => (await agents()).listAgents(owner, cluster, tools),
  removeAgent: async (agentId, cluster, tools) => (await agents()).removeAgent(agentId, cluster, tools),
} satisfies ElasticAgentPlugin;
