// Pipeline groups: pipelines under one set of rights.
import { group, identifier, NAME_RULE } from '../shape/fields.ts';
import { described, LINKS, objectSchema, TEXT } from '../shape/json/schemas.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import { collection, type Lookup, type ReferrersView } from '../shape/resource.ts';
import { linksTo } from './parts/link-to.ts';
import { memberProblems, members, rolesNamed } from './parts/members.ts';
import type { Origin } from './parts/origin.ts';

const RIGHTS = ['view', 'operate', 'admins'] as const;

interface PipelinesView {
  readonly pipelines: Lookup<{ readonly origin: Origin | null }>;
}

export const pipelineGroups = collection({
  title: 'Pipeline group',
  about: 'Pipelines under one set of rights: who may see them, operate them, administer them.',
  path: '/api/admin/pipeline_groups',
  version: 1,
  permission: 'groupAdmin',
  policy: { type: 'pipeline_group', isCreatedByAdmins: true },
  mayBeRenamed: true,
  doc: 'pipeline-group-config',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'groups',
  id: 'name',
  idParameter: 'group_name',
  ignoresCase: true,
  needsIfMatch: true,
  fields: {
    name: identifier((name) => `Invalid group name '${name}'. ${NAME_RULE}`),
    authorization: group(
      {
        view: members('Who sees the pipelines of the group.', 'May view'),
        operate: members('Who starts and pauses them.', 'May operate'),
        admins: members('Who changes them.', 'May administer'),
      },
      {
        label: 'Rights',
        description: 'Who may do what with the pipelines of the group. If no user or role is named, only system administrators.',
      },
    ),
  },
  rules: [({ authorization }) => RIGHTS.flatMap((right) => memberProblems(authorization[right], ['authorization', right]))],
  refersTo: ({ authorization }) => [
    ...RIGHTS.flatMap((right) => rolesNamed(authorization[right], ['authorization', right])),
    { kind: 'systemAdmins', id: '', at: [], unknown: '', mayBeAbsent: true },
  ],
  visibleParts: ({ authorization: { operate, admins } }) => [operate, admins],
  // Members of a role may operate the groups of the role; system administrators may operate everything.
  linkRules: { roles: { problems: () => [], isTransitive: true }, systemAdmins: { problems: () => [], isTransitive: true } },
  shows: {
    kinds: ['pipelines'],
    members: { kind: 'pipelines', field: 'group' },
    isPartOfEtag: true,
    response: {
      pipelines: {
        type: 'array',
        description: 'The pipelines of the group.',
        items: objectSchema({ _links: LINKS, name: described(TEXT, 'The name of the pipeline.') }),
      },
    },
    add: ({ name }, { referrers, pipelines }: ReferrersView & PipelinesView, { base }) => ({
      pipelines: [...referrers('pipelineGroups', name)]
        .filter((referrer) => referrer.kind === 'pipelines')
        .map(({ id }) => ({ id, order: pipelines.get(id)?.origin?.order ?? -1 }))
        .sort((one, other) => one.order - other.order)
        .map(({ id }) => ({ ...linksTo(base, '/api/admin/pipelines', id, 'pipeline-config', 'pipeline_name'), name: id })),
    }),
  },
  messages: {
    ...messagesOf({ entity: 'pipeline group', by: 'name', short: 'pipeline group', tag: 'group' }),
    duplicateId: (name) => `Pipeline group with name '${name}' already exists.`,
    duplicateInFile: (name) => `Group with name '${name}' already exists`,
    inUse: (name) => `Failed to delete group ${name} because it was not empty.`,
  },
  example: {
    name: 'shop',
    authorization: { view: { users: ['jez'], roles: [] }, operate: { users: [], roles: [] }, admins: { users: ['admin'], roles: [] } },
  },
});
