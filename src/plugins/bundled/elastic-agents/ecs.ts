// Describes the plugin that makes agents as tasks of an Amazon ECS cluster.
import type { Plugin } from '../../../contracts/plugins/plugin.ts';
import { NO_STATUS_REPORTS } from './capabilities.ts';
import { checkCluster } from './ecs-cluster.ts';
import { CLUSTER_FIELDS, PROFILE_FIELDS } from './ecs-fields.ts';
import { checkProfile } from './ecs-profile.ts';

export const ecsElasticAgentPlugin = {
  id: 'cd.go.contrib.elastic-agent.ecs',
  kind: 'elastic-agent',
  name: 'Amazon ECS agents',
  version: '1.0.0',
  description: 'Settings of agents that run as tasks of an Amazon ECS cluster. The server does not start them yet.',
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
} satisfies Plugin;
