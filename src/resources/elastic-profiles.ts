// Elastic agent profiles: how an agent is made on demand inside one cluster.
import { identifier, text } from '../shape/fields.ts';
import { joined, messagesOf } from '../shape/problems/messages.ts';
import { properties } from '../shape/properties.ts';
import { collection, type Lookup } from '../shape/resource.ts';
import { jobsNaming } from './parts/jobs-naming.ts';

interface View {
  readonly clusterProfiles: Lookup<{ readonly pluginId: string }>;
}

export const elasticProfiles = collection({
  title: 'Elastic agent profile',
  about: 'How an agent is made on demand inside one cluster.',
  path: '/api/elastic/profiles',
  version: 2,
  permission: 'groupAdmin',
  policy: { type: 'elastic_agent_profile', within: (profile) => profile.clusterProfileId },
  doc: 'elastic-agent-profiles',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc', 'find'],
  listKey: 'profiles',
  id: 'id',
  idParameter: 'profile_id',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    clusterProfileId: text({ description: 'The cluster profile it belongs to.' }),
    properties: properties({
      owner: 'Elastic agent profile',
      plugin: { kind: 'elastic-agent', block: 'elastic_agent_profile', namedIn: ['cluster_profile_id'], through: 'cluster_profiles' },
      sentTo: (member) => member('clusterProfileId'),
      valueErrorKey: 'value',
    }),
  },
  plugin: {
    kind: 'elastic-agent',
    block: 'elastic_agent_profile',
    settings: 'properties',
    appendsUnsent: true,
    of: (profile, { clusterProfiles }: View) => clusterProfiles.get(profile.clusterProfileId ?? '')?.pluginId,
  },
  refersTo: ({ clusterProfileId }) => [
    { kind: 'clusterProfiles', id: clusterProfileId, at: ['cluster_profile_id'], unknown: `${NO_CLUSTER} '${clusterProfileId}'.` },
  ],
  messages: {
    ...messagesOf({ entity: 'elastic agent profile', by: 'id', short: 'elasticProfile', tag: 'agentProfile' }),
    duplicateId: (id) => `Elastic profile ids should be unique. Elastic profile with id '${id}' already exists.`,
    duplicateInFile: (id) => `Elastic agent profile id '${id}' is not unique`,
    blankId: {
      message: "The elastic agent profile config is invalid. Attribute 'id' cannot be null.",
      beside: 'ElasticProfile cannot have a blank id.',
    },
    inUse: (id, users) =>
      `Cannot delete the elastic agent profile '${id}' as it is used by pipeline(s): '${jobsNaming(users, 'elasticProfileId', id).join(', ')}'`,
    invalid: (id, problems) =>
      problems.find(({ message }) => message.startsWith(NO_CLUSTER))?.message ??
      `Validations failed for agentProfile '${id}'. Error(s): [${joined(problems)}]. Please correct and resubmit.`,
  },
  example: {
    id: 'node-small',
    cluster_profile_id: 'build-farm',
    properties: [
      { key: 'Image', value: 'registry.example.org/agents/node:22' },
      { key: 'MaxMemory', value: '2G' },
      { key: 'ReservedMemory', value: '512M' },
    ],
  },
});

const NO_CLUSTER = 'No Cluster Profile exists with the specified cluster_profile_id';
