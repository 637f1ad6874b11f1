// Knows users and groups from an LDAP directory, with the settings of GoCD's plugin that maps groups to roles.
import type { AuthorizationPlugin, FoundGroups, PasswordPlugin } from '../../../../contracts/plugins/authorization.ts';
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { type BoundDirectory, objectionIn, valuesOf, withDirectory } from './directory.ts';
import {
  filterOf,
  type GroupSearch,
  groupsOfEntry,
  hasRole,
  neededAttributes,
  neededSearches,
  type Person,
  ROLE_FIELDS,
  roleProblems,
  searchGroup,
} from './groups.ts';
import {
  CONNECTION_FIELDS,
  checkSettings,
  LOGIN_FILTER_FIELD,
  PERSON_FIELDS,
  readDirectory,
  SEARCH_FILTER_FIELD,
  SECURITY_FIELDS,
  USER_NAME_FIELD,
} from './settings.ts';
import { authenticate, findKnown, isUser, search, verifyConnection } from './users.ts';

const MAX_SEARCHES = 100;
/** RFC 4511, section 4.5.1.8: that there is an entry is all we ask. */
const NO_ATTRIBUTES = ['1.1'];

export const ldapAuthorization: PasswordPlugin & Required<Pick<AuthorizationPlugin, 'groups'>> = {
  id: 'com.thoughtworks.gocd.authorization.ldap',
  kind: 'authorization',
  name: 'LDAP Authorization',
  version: '1.0.0',
  description: 'Lets users of an LDAP directory log in, such as OpenLDAP or Active Directory. Its groups can give roles.',
  vendor: 'Slipway',
  blocks: {
    auth_config: {
      fields: [...CONNECTION_FIELDS, SEARCH_FILTER_FIELD, LOGIN_FILTER_FIELD, USER_NAME_FIELD, ...PERSON_FIELDS, ...SECURITY_FIELDS],
      unknownKey: 'Is an unknown property',
      check: checkSettings,
    },
    role: { fields: ROLE_FIELDS, unknownKey: 'Is an unknown property', check: roleProblems },
  },
  capabilities: { supported_auth_type: 'Password', can_search: true, can_authorize: true },
  authenticate,
  isUser,
  search,
  verifyConnection,
  groups: { find: findGroups, hasRole },
};

/** On a connection of the manager: users need not see their groups. */
async function findGroups(login: string, roles: readonly SettingValues[], settings: SettingValues): Promise<FoundGroups | undefined> {
  if (login.trim() === '') return undefined;
  return withDirectory(readDirectory(settings), async (directory) => {
    const entry = await findKnown(directory, login, neededAttributes(roles));
    if (!entry) return undefined;
    const person: Person = { dn: entry.dn, valuesOf: (attribute) => valuesOf(entry, attribute) };
    const searches = neededSearches(roles);
    const results = await Promise.all(searches.slice(0, MAX_SEARCHES).map((one) => searchFor(person, one, directory)));
    const tooMany = `More than ${MAX_SEARCHES} different filters of roles: the others are not searched for.`;
    return {
      groups: [...groupsOfEntry(roles, person), ...results.flatMap(({ groups }) => groups)],
      failures: [...results.flatMap(({ failures }) => failures), ...(searches.length > MAX_SEARCHES ? [tooMany] : [])],
    };
  });
}

/** A search that the server refuses, such as below a base that is gone, must not lock users out: it gives no role. */
async function searchFor(person: Person, wanted: GroupSearch, directory: BoundDirectory): Promise<FoundGroups> {
  const filter = filterOf(wanted, person);
  const failures: string[] = [];
  if (filter === undefined) return { groups: [], failures };
  for (const base of wanted.bases) {
    try {
      const [group] = await directory.find({ base, filter, attributes: NO_ATTRIBUTES, sizeLimit: 1 });
      if (group) return { groups: [searchGroup(wanted)], failures };
    } catch (error) {
      const objection = objectionIn(error);
      if (objection === undefined) throw error;
      failures.push(`Groups below '${base}': ${objection}`);
    }
  }
  return { groups: [], failures };
}
