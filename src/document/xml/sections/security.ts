// Authorization configurations, roles and system administrators.
import { flag, ignoredAttribute, required } from '../form/attributes.ts';
import { within, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { beyondFormat, constant } from '../form/extras.ts';
import type { Choice, Part } from '../form/part.ts';
import { texts } from '../form/texts.ts';
import { NAME } from '../form/values.ts';
import { directives } from './directives.ts';
import { hasNoMembers, usersAndRoles } from './members.ts';
import { properties } from './properties.ts';

const authConfig = element('authConfig', [
  required('id', 'id', NAME),
  required('pluginId', 'plugin_id'),
  flag('allowOnlyKnownUsersToLogin', 'allow_only_known_users_to_login', false),
  properties('properties'),
]);

const policy = directives('policy', 'policy', 'permission');

/** A role that lists its members goes by several types; the format has one. */
const role = element('role', [
  required('name', 'name', NAME),
  beyondFormat({ type: 'svc' }),
  ...within('attributes', [wrap('users', [texts('users', 'user', { isTrimmed: true })])]),
  policy,
]);

const pluginRole = element(
  'pluginRole',
  [
    required('name', 'name', NAME),
    constant('type', 'plugin'),
    ...within('attributes', [required('authConfigId', 'auth_config_id')]),
    policy,
    ...within('attributes', [properties('properties')]),
  ],
  { isSequence: true },
);

const anyRole: Choice = {
  names: [role.name, pluginRole.name],
  formOf: ({ type }) => (type === 'plugin' ? pluginRole : role),
  formNamed: (name) => [role, pluginRole].find((form) => form.name === name),
};

const admins = element('admins', [usersAndRoles()]);

export const security: Part = wrap('security', [
  ignoredAttribute('anonymous'),
  wrap('authConfigs', [entities('authConfigs', authConfig)]),
  wrap('roles', [entities('roles', anyRole, { isRequired: true })]),
  entities('systemAdmins', admins, { isSingle: true, isNone: hasNoMembers }),
]);
