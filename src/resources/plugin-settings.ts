// Plugin settings: set once for each plugin, for the whole server.
import { identifier, NAME_RULE } from '../shape/fields.ts';
import { messagesOf, STALE_ENTITY } from '../shape/problems/messages.ts';
import { properties, UNSECURED } from '../shape/properties.ts';
import { collection } from '../shape/resource.ts';

const TAKES_NONE = /^The plugin with id '.*' does not support plugin-settings\.$/s;

export const pluginSettings = collection({
  title: 'Plugin settings',
  about: 'Settings that a plugin gets once, for the whole server. Plugin info shows which plugins take settings, and which.',
  path: '/api/admin/plugin_settings',
  version: 1,
  permission: 'admin',
  doc: 'plugin-settings',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc', 'find'],
  listKey: 'plugin_settings',
  id: 'pluginId',
  idParameter: 'plugin_id',
  needsIfMatch: true,
  fields: {
    pluginId: identifier((id) => `Invalid plugin id '${id}'. ${NAME_RULE}`),
    configuration: properties({
      owner: 'Plugin settings',
      plugin: { block: 'plugin', namedIn: ['plugin_id'] },
      sentTo: (member) => member('pluginId'),
      ownerId: 'plugin_id',
      unsecured: UNSECURED,
    }),
  },
  plugin: {
    block: 'plugin',
    settings: 'configuration',
    of: (settings) => settings.pluginId,
    otherKind: (id) => `The plugin with id '${id}' does not support plugin-settings.`,
  },
  messages: {
    ...messagesOf({ entity: 'plugin settings', by: 'id', short: 'plugin settings', tag: 'pluginSettings' }),
    duplicate: (id) => `Save failed. Plugin settings for the plugin \`${id}\` already exist. Use PUT to change them.`,
    stale: () => STALE_ENTITY,
    invalid: (_, problems) => {
      const takesNone = problems.find(({ message }) => TAKES_NONE.test(message));
      return takesNone
        ? `Your request could not be processed. ${takesNone.message}`
        : 'Save failed. There are errors in the plugin settings. Please fix them and resubmit.';
    },
  },
  example: { plugin_id: 'yaml.config.plugin', configuration: [{ key: 'file_pattern', value: 'ci/**/*.yaml' }] },
});
