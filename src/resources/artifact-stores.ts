// Artifact stores: places outside the server where jobs publish artifacts through a plugin.
import { identifier } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { properties, UNSECURED } from '../shape/properties.ts';
import { collection } from '../shape/resource.ts';
import { jobsNaming } from './parts/jobs-naming.ts';
import { pluginId, pluginIdRule } from './parts/plugin-id.ts';

const messages = messagesOf({ entity: 'artifact store', by: 'id', short: 'artifactStore', tag: 'artifactStore' });

export const artifactStores = collection({
  title: 'Artifact store',
  about: 'A place outside the server where jobs publish artifacts through a plugin.',
  path: '/api/admin/artifact_stores',
  version: 1,
  permission: 'admin',
  doc: 'artifact-store',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc', 'find'],
  listKey: 'artifact_stores',
  id: 'id',
  idParameter: 'storeId',
  needsIfMatch: true,
  fields: {
    id: identifier(),
    pluginId: pluginId(),
    properties: properties({
      owner: 'Artifact store',
      plugin: { kind: 'artifact', block: 'store_config', namedIn: ['plugin_id'] },
      sentTo: (member) => member('pluginId'),
      unsecured: UNSECURED,
    }),
  },
  plugin: { kind: 'artifact', block: 'store_config', settings: 'properties', of: (store) => store.pluginId },
  rules: [pluginIdRule('Artifact store')],
  // The plugin decides on the settings of the artifacts that are published to it.
  visibleParts: (store) => store.pluginId,
  messages: {
    ...messages,
    duplicateId: () => 'Artifact store ids should be unique. Artifact store with the same id exists.',
    duplicateInFile: (id) => `Artifact store id '${id}' is not unique`,
    blankId: {
      message: "The artifact store config is invalid. Attribute 'id' cannot be null.",
      beside: 'ArtifactStore cannot have a blank id.',
    },
    inUse: (id, users) =>
      `Validations failed for artifactStore '${id}'. Error(s): [The artifact store '${id}' is being referenced by pipeline(s): ${jobsNaming(users, 'storeId', id).join(', ')}.]. Please correct and resubmit.`,
  },
  example: {
    id: 'release-bucket',
    plugin_id: 'cd.go.artifact.s3',
    properties: [
      { key: 'S3Bucket', value: 'acme-releases' },
      { key: 'Region', value: 'eu-north-1' },
      { key: 'AWSAccessKey', value: 'AKEXAMPLE01' },
      { key: 'AWSSecretAccessKey', value: 'example-secret' },
    ],
  },
});
