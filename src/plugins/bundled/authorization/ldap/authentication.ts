// Knows users from an LDAP directory, with the settings of GoCD's plugin that only logs people in.
import type { PasswordPlugin } from '../../../../contracts/plugins/authorization.ts';
import { CONNECTION_FIELDS, checkSettings, LOGIN_FILTER_FIELD, PERSON_FIELDS, SEARCH_FILTER_FIELD } from './settings.ts';
import { authenticate, isUser, search, verifyConnection } from './users.ts';

export const ldap: PasswordPlugin = {
  id: 'cd.go.authentication.ldap',
  kind: 'authorization',
  name: 'LDAP Authentication',
  version: '1.0.0',
  description: 'Lets users of an LDAP directory log in, such as OpenLDAP or Active Directory. It knows no groups.',
  vendor: 'Slipway',
  blocks: {
    auth_config: {
      fields: [...CONNECTION_FIELDS, SEARCH_FILTER_FIELD, LOGIN_FILTER_FIELD, ...PERSON_FIELDS],
      unknownKey: 'Is an unknown property',
      check: checkSettings,
    },
  },
  capabilities: { supported_auth_type: 'Password', can_search: true, can_authorize: false },
  authenticate,
  isUser,
  search,
  verifyConnection,
};
