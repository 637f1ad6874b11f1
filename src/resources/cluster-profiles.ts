// Cluster profiles: where elastic agents run.
import { identifier } from '../shape/fields.ts';
import { idsOf, joined, messagesOf } from '../shape/problems/messages.ts';
import { properties, UNSECURED } from '../shape/properties.ts';
import { collection } from '../shape/resource.ts';
import { pluginId, pluginIdRule } from './parts/plugin-id.ts';

export const clusterProfiles = collection({
  title: 'Cluster profile',
  about: 'A cluster in which agents are made on demand, through an elastic agent plugin.',
  path: '/api/admin/elastic/cluster_profiles',
  version: 1,
  permission: 'admin',
  policy: { type: 'cluster_profile' },
  doc: 'cluster-profiles',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'profiles',
  alsoListedAs: 'cluster_profiles',
  id: 'id',
  idParameter: 'id',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    pluginId: pluginId(),
    properties: properties({
      owner: 'Cluster Profile',
      plugin: { kind: 'elastic-agent', block: 'cluster_profile', namedIn: ['plugin_id'] },
      sentTo: (member) => member('pluginId'),
      unsecured: UNSECURED,
    }),
  },
  plugin: {
    kind: 'elastic-agent',
    block: 'cluster_profile',
    settings: 'properties',
    of: (profile) => profile.pluginId,
    refersAs: ({ id }) => ({ type: 'cluster_profile', name: id }),
  },
  rules: [pluginIdRule('Cluster Profile')],
  messages: {
    ...messagesOf({ entity: 'cluster profile', by: 'id', short: 'Cluster Profile', tag: 'clusterProfile' }),
    duplicateId: (id) => `Cluster Profile ids should be unique. Cluster Profile with id '${id}' already exists.`,
    duplicateInFile: (id) => `Cluster Profile id '${id}' is not unique`,
    blankId: {
      message: "The cluster profile config is invalid. Attribute 'id' cannot be null.",
      beside: 'ClusterProfile cannot have a blank id.',
    },
    invalid: (id, problems) => {
      const unresolved = problems.filter(({ isUnresolved }) => isUnresolved);
      const errors = unresolved.length > 0 ? joined(unresolved) : 'Validation failed.';
      return `Validations failed for clusterProfile '${id}'. Error(s): [${errors}]. Please correct and resubmit.`;
    },
    deleted: (id) => `The Cluster Profile '${id}' was deleted successfully.`,
    inUse: (id, users) =>
      `Validations failed for clusterProfile '${id}'. Error(s): [Cannot delete cluster profile '${id}' as it is referenced from elastic agent profile(s) [${idsOf(users)}]]. Please correct and resubmit.`,
  },
  example: {
    id: 'build-farm',
    plugin_id: 'cd.go.contrib.elastic-agent.docker',
    properties: [
      { key: 'go_server_url', value: 'https://cd.example.com' },
      { key: 'docker_uri', value: 'unix:///var/run/docker.sock' },
      { key: 'max_docker_containers', value: '20' },
      { key: 'auto_register_timeout', value: '5' },
      { key: 'docker_client_key', value: 'example-private-key' },
    ],
  },
});
