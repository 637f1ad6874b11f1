// The users and roles that may administer and see a template.
import { flag, identifier } from '../../shape/fields.ts';
import { messagesOf } from '../../shape/problems/messages.ts';
import { collection } from '../../shape/resource.ts';
import { memberProblems, members, rolesNamed } from '../parts/members.ts';

export const templateAuthorizations = collection({
  title: 'Template authorization',
  about: 'Who may administer and see a template.',
  path: '/api/admin/templates/authorization',
  version: 1,
  permission: 'admin',
  policy: { type: 'template', isCreatedByAdmins: true, isVisibleToAdminsOnly: true },
  doc: 'template-authorization',
  links: [],
  listLinks: [],
  listKey: 'authorizations',
  id: 'template',
  idParameter: 'template_name',
  ignoresCase: true,
  needsIfMatch: true,
  isInternal: true,
  fields: {
    template: identifier(),
    allGroupAdminsAreViewUsers: flag(true, { description: 'Whether every administrator of a pipeline group may see it.' }),
    admin: members('Who may change the template.'),
    view: members('Who may see it.'),
  },
  rules: [({ admin, view }) => [...memberProblems(admin, ['admin']), ...memberProblems(view, ['view'])]],
  refersTo: ({ template, admin, view }) => [
    { kind: 'templates', id: template, at: ['template'], unknown: `Template with name '${template}' was not found!`, isOwner: true },
    ...rolesNamed(admin, ['admin']),
    ...rolesNamed(view, ['view']),
  ],
  messages: messagesOf({ entity: 'template authorization', by: 'name', short: 'template authorization', tag: 'template' }),
  example: {
    template: 'build-and-test',
    all_group_admins_are_view_users: false,
    admin: { users: ['jez'], roles: [] },
    view: { users: [], roles: [] },
  },
});
