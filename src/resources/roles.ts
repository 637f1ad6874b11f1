// Roles: users under one name, with a policy on the entities they may see and administer.
import { choiceList } from '../shape/described.ts';
import { type Field, required } from '../shape/field.ts';
import { checkedText, group, identifier, listOf, NAME_RULE, text } from '../shape/fields.ts';
import type { Json } from '../shape/json/json.ts';
import { readObject } from '../shape/json/reading.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../shape/problems/problem.ts';
import { type Property, properties } from '../shape/properties.ts';
import { collection, type Lookup, type PluginsView, type Reference } from '../shape/resource.ts';
import { logins, userProblems } from './parts/members.ts';

/** `plugin`: the members are decided by a plugin; any of the others: they are listed here. */
const ALIASES_OF_LISTED = { slipway: 'svc', gocd: 'svc' };
const LISTED_TYPES = ['svc', ...Object.keys(ALIASES_OF_LISTED)];
const ACTIONS = ['view', 'administer'];
const TYPES = ['environment', 'config_repo', 'elastic_agent_profile', 'cluster_profile'];
/** The usual ones of each form. */
const TYPE_CHOICES = { svc: 'Lists its members', plugin: 'A plugin decides who is a member' };
const POLICY_CHOICES = {
  permission: { allow: 'Allow', deny: 'Deny' },
  action: { view: 'View', administer: 'Administer' },
  type: {
    '*': 'Everything',
    environment: 'Environments',
    config_repo: 'Config repos',
    elastic_agent_profile: 'Elastic agent profiles',
    cluster_profile: 'Cluster profiles',
  },
};

const listed = group({ users: logins('Login names of the members.') }, { description: 'The members.' });
const decidedByPlugin = (role?: Json) =>
  group(
    {
      authConfigId: required(
        checkedText({
          label: 'Authorization configuration',
          description:
            'The authorization configuration that decides who is a member: one for LDAP Authorization, OpenID Connect, GitHub or GitLab. Password files and LDAP Authentication cannot decide this.',
        }),
      ),
      properties: properties({
        owner: 'Role',
        plugin: { kind: 'authorization', block: 'role', namedIn: ['auth_config_id'], through: 'auth_configs' },
        sentTo: (member) => member('authConfigId'),
        ownerName: role,
      }),
    },
    { description: 'How it is decided who is a member.' },
  );

interface AuthConfigsView extends PluginsView {
  readonly authConfigs: Lookup<{ readonly pluginId: string }>;
}

type Attributes = { readonly users: readonly string[] } | { readonly authConfigId: string; readonly properties: readonly Property[] };

/** The fields depend on the type of the role. */
const attributes: Field<Attributes> = {
  read: (cursor, name) => {
    const { type, name: role } = cursor.holder;
    const ofType: Field<Attributes> = type === 'plugin' ? decidedByPlugin(role) : listed;
    return ofType.read({ ...cursor, holder: { [name]: readObject(cursor, name) ?? {} } }, name);
  },
  write: (value, name, out, writing, holder) => {
    if ('users' in value) listed.write(value, name, out, writing, holder);
    else decidedByPlugin().write(value, name, out, writing, holder);
  },
  describe: (name) => {
    const members = [listed, decidedByPlugin()].map((one) => one.describe(name));
    const description = '`users` of a role that lists its members; `auth_config_id` and `properties` of a plugin role.';
    const variants = { discriminator: 'type', is_beside: true, choices: choiceList(TYPE_CHOICES), aliases: ALIASES_OF_LISTED };
    const schemaOf = (form: 'request' | 'response') => ({
      anyOf: members.map((one) => one[form][name]!),
      'x-label': 'Members',
      'x-variants': variants,
      description,
    });
    return { request: { [name]: schemaOf('request') }, response: { [name]: schemaOf('response') } };
  },
};

const directives = listOf(
  {
    permission: required(
      checkedText({ choices: POLICY_CHOICES.permission, description: '`allow` or `deny`.', hint: 'Whether this is allowed or denied.' }),
    ),
    action: required(
      checkedText({ choices: POLICY_CHOICES.action, description: '`view` or `administer`.', hint: 'What they may do with it.' }),
    ),
    type: required(checkedText({ choices: POLICY_CHOICES.type, description: 'The kind of things, or `*`.', hint: 'The kind of things.' })),
    resource: required(checkedText({ label: 'Names', description: 'Their names; `*` and `?` are wildcards.' })),
  },
  { description: 'What the members may see and administer; the first directive that matches decides.' },
);

export const roles = collection({
  title: 'Role',
  about: 'Users under one name, with a policy on what they may see and administer.',
  path: '/api/admin/security/roles',
  version: 3,
  permission: 'admin',
  doc: 'roles',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc', 'find'],
  listKey: 'roles',
  id: 'name',
  idParameter: 'role_name',
  ignoresCase: true,
  needsIfMatch: true,
  fields: {
    name: identifier((name) => `Invalid role name '${name}'. ${NAME_RULE}`),
    type: text({
      choices: TYPE_CHOICES,
      description:
        '`svc`: the role lists its members. `plugin`: an authorization configuration decides who is a member, such as by the groups of a provider.',
      hint: 'The role lists its members itself, or an authorization configuration decides who is one, such as by the groups of a provider.',
    }),
    policy: directives,
    attributes,
  },
  refersTo: ({ attributes: given }) => ('users' in given || given.authConfigId === '' ? [] : [authConfigOf(given.authConfigId)]),
  visibleParts: ({ attributes: given }) => ('users' in given ? given.users : null),
  rules: [
    ({ type }) =>
      problemUnless(
        type === 'plugin' || LISTED_TYPES.includes(type),
        'type',
        `Invalid role type '${type}', must be one of [${[...LISTED_TYPES, 'plugin'].join(', ')}].`,
      ),
    ({ attributes: given }) =>
      problemUnless(
        'users' in given || given.authConfigId !== '',
        ['attributes', 'auth_config_id'],
        'Invalid plugin role: auth_config_id must not be blank.',
      ),
    ({ name, attributes: given }) =>
      'users' in given ? userProblems(given.users, ['attributes', 'users'], (user) => `User '${user}' already exists in '${name}'.`) : [],
    ({ policy }) => policy.flatMap(directiveProblems),
    ({ attributes: given }, view: AuthConfigsView) => ('users' in given ? [] : settingProblems(given.authConfigId, given.properties, view)),
  ],
  messages: {
    ...messagesOf({ entity: 'role', by: 'name', short: 'role', tag: 'role' }),
    duplicateId: () => 'Role names should be unique. Role with the same name exists.',
    inUse: (name, users) =>
      `Cannot delete the role '${name}' as it is used by: ${users.map((user) => `'${user.id || user.kind}'`).join(', ')}`,
  },
  example: {
    name: 'release-team',
    type: 'svc',
    policy: [{ permission: 'allow', action: 'administer', type: 'environment', resource: 'prod-*' }],
    attributes: { users: ['jez'] },
  },
});

function authConfigOf(id: string): Reference {
  return {
    kind: 'authConfigs',
    id,
    at: ['attributes', 'auth_config_id'],
    unknown: `No such security auth configuration present for id: \`${id}\``,
  };
}

/** The problems that the plugin of the members finds in its settings. */
function settingProblems(authConfigId: string, settings: readonly Property[], view: AuthConfigsView): Problem[] {
  const pluginId = view.authConfigs.get(authConfigId)?.pluginId;
  if (!pluginId) return [];
  return view.askPlugin({ pluginId, block: 'role', settings, unresolvedKeys: new Set() }).map(({ key, message }) => {
    const index = settings.findIndex((setting) => setting.key === key);
    return { at: ['attributes', ...(index < 0 ? [key] : ['properties', index, key])], message, pluginSetting: key };
  });
}

function directiveProblems(directive: { permission: string; action: string; type: string; resource: string }, index: number): Problem[] {
  const { permission, action, type, resource } = directive;
  const at = (key: string) => ['policy', index, key];
  return [
    ...problemUnless(
      permission === 'allow' || permission === 'deny',
      at('permission'),
      "Invalid permission, must be either 'allow' or 'deny'.",
    ),
    ...problemUnless(ACTIONS.includes(action), at('action'), `Invalid action, must be one of [${ACTIONS.join(', ')}].`),
    ...problemUnless(type === '*' || TYPES.includes(type), at('type'), `Invalid type, must be one of [${TYPES.join(', ')}].`),
    ...problemUnless(resource.trim() !== '', at('resource'), 'Resource cannot be blank.'),
    ...problemUnless(
      type === 'elastic_agent_profile' || !resource.includes(':'),
      at('resource'),
      `Invalid resource, ${type} permissions can not contain ':' separator.`,
    ),
  ];
}
