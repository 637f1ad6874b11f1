// Authorization configurations: where users and their passwords are known, tried in order at a login.
import { flag, identifier } from '../shape/fields.ts';
import { idsOf, messagesOf } from '../shape/problems/messages.ts';
import { properties, UNSECURED } from '../shape/properties.ts';
import { collection } from '../shape/resource.ts';
import { pluginId, pluginIdRule } from './parts/plugin-id.ts';

export const authConfigs = collection({
  title: 'Authorization configuration',
  about:
    'Where users log in from: a password file, an LDAP directory, OpenID Connect, GitHub or GitLab. Several are tried in the order of their creation.',
  path: '/api/admin/security/auth_configs',
  version: 2,
  permission: 'admin',
  doc: 'authorization-configuration',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'auth_configs',
  id: 'id',
  idParameter: 'auth_config_id',
  needsIfMatch: true,
  fields: {
    id: identifier(undefined, { isBlankWhenAbsent: true }),
    pluginId: pluginId(),
    allowOnlyKnownUsersToLogin: flag(false, {
      label: 'Only known users may log in',
      description: 'Whether only users whom an administrator has added may log in.',
    }),
    properties: properties({
      owner: 'Security authorization configuration',
      plugin: { kind: 'authorization', block: 'auth_config', namedIn: ['plugin_id'] },
      sentTo: (member) => member('pluginId'),
      unsecured: UNSECURED,
    }),
  },
  plugin: { kind: 'authorization', block: 'auth_config', settings: 'properties', of: (config) => config.pluginId },
  rules: [pluginIdRule('Security authorization configuration')],
  messages: {
    ...messagesOf({ entity: 'security auth config', by: 'id', short: 'security auth config', tag: 'authConfig' }),
    duplicateId: (id) => `Security auth config with id '${id}' already exists!`,
    duplicateInFile: (id) => `Security authorization configuration id '${id}' is not unique`,
    blankId: {
      message: "The security auth config config is invalid. Attribute 'id' cannot be null.",
      beside: 'SecurityAuthConfig cannot have a blank id.',
    },
    inUse: (id, users) =>
      `Validations failed for authConfig '${id}'. Error(s): [The security auth config '${id}' is being referenced by role(s): ${idsOf(users)}.]. Please correct and resubmit.`,
  },
  example: {
    id: 'staff',
    plugin_id: 'cd.go.authentication.passwordfile',
    allow_only_known_users_to_login: false,
    properties: [{ key: 'PasswordFilePath', value: 'password.properties' }],
  },
});
