// Templates: the list with who uses them, their parameters, and their rights.
import { Draft } from '../../config/draft.ts';
import { sha256 } from '../../kit/hash.ts';
import { readEntity, writeEntity } from '../../shape/entity-json.ts';
import { etagOf } from '../../shape/etag.ts';
import type { Collection, Entity, Kind } from '../../shape/resource.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { requestSchema } from '../resource-schemas.ts';
import { type Answer, jsonAnswer, type Route } from '../route.ts';
import { mustExist } from '../verbs/must-exist.ts';
import { mustBeCurrent } from '../verbs/precondition.ts';
import { docLink, links } from './links.ts';

export interface TemplateKinds {
  readonly templates: Kind & Collection;
  readonly authorizations: Kind & Collection;
}

export function templateRoutes(
  { templates, authorizations }: TemplateKinds,
  parts: ResourceParts,
  parametersUsed: (stages: unknown) => Iterable<string>,
): Route[] {
  const { access, config, changes, tools } = parts;
  const { path, version, doc: chapter } = templates;
  const find = (name: string) => mustExist(templates, name, config.of(templates.name).find(name));
  const rightsOf = (name: string): Entity => config.of(authorizations.name).find(name)?.value ?? unsetRights(name);
  const guard = (action: 'view' | 'administer') =>
    ({
      type: 'template',
      action,
      on: ({ params }: { params: { template_name?: string } }) => ({ resource: params.template_name ?? '' }),
    }) as const;
  const showRights = (rights: Entity, base: string): Answer => {
    const { template, ...body } = writeEntity(authorizations, rights);
    const self = `${path}/${encodeURIComponent(String(template))}/authorization`;
    return jsonAnswer(
      { _links: links(base, { self, doc: docLink(chapter), find: `${path}/:template_name/authorization` }), ...body },
      { etag: etagOf(rights) },
    );
  };

  return [
    {
      method: 'GET',
      path,
      version,
      permission: 'admin',
      guard: { type: 'template', action: 'view' },
      description: { chapter, summary: 'List of templates with the pipelines that use them', response: LIST_SCHEMA, hasEtag: true },
      handle: ({ identity, base }) => {
        const draft = new Draft(config);
        const listed = [...config.of(templates.name).all()].flatMap(({ key, value }) => {
          const ask = (action: 'view' | 'administer') => access.may(identity, 'admin', { type: 'template', action, resource: key });
          if (!ask('view')) return [];
          const name = String(value.name);
          const users = draft.referrers(templates.name, key).filter((user) => user.kind !== authorizations.name);
          const self = `${path}/${encodeURIComponent(name)}`;
          return [
            {
              _links: links(base, { self, doc: docLink(chapter), find: `${path}/:template_name` }),
              name,
              can_edit: ask('administer'),
              can_administer: access.isAdmin(identity),
              _embedded: { pipelines: users.map(({ kind, id }) => ({ name: id, can_administer: mayAdminister(kind, id, draft) })) },
            },
          ];

          function mayAdminister(kindName: string, id: string, seen: Draft): boolean {
            const within = String(seen.find(seen.kindNamed(kindName)!, id)?.value.group ?? '');
            return access.may(identity, 'groupAdmin', { type: 'pipeline', action: 'administer', resource: id, within });
          }
        });
        const body = { _links: links(base, { self: path, doc: docLink(chapter) }), _embedded: { templates: listed } };
        return jsonAnswer(body, { etag: sha256(JSON.stringify(listed)) });
      },
    },
    {
      method: 'GET',
      path: `${path}/:template_name/parameters`,
      version,
      permission: 'admin',
      guard: guard('view'),
      description: {
        chapter,
        summary: 'The parameters a template uses',
        response: { type: 'object', properties: { name: { type: 'string' }, parameters: { type: 'array', items: { type: 'string' } } } },
        hasEtag: true,
      },
      handle: ({ params: { template_name: name = '' } }) => {
        const { value, etag } = find(name);
        return jsonAnswer({ name: String(value.name), parameters: [...parametersUsed(value.stages)] }, { etag });
      },
    },
    {
      method: 'GET',
      path: `${path}/:template_name/authorization`,
      version: authorizations.version,
      permission: 'admin',
      guard: guard('administer'),
      description: { chapter, summary: 'Who may administer and see a template', response: requestSchema(authorizations), hasEtag: true },
      handle: ({ params: { template_name: name = '' }, base }) => showRights(rightsOf(String(find(name).value.name)), base),
    },
    {
      method: 'PUT',
      path: `${path}/:template_name/authorization`,
      version: authorizations.version,
      permission: 'admin',
      guard: guard('administer'),
      description: {
        chapter,
        summary: 'Set who may administer and see a template',
        request: {
          schema: requestSchema(authorizations),
          example: { all_group_admins_are_view_users: false, admin: { users: ['jez'], roles: [] }, view: { users: [], roles: [] } },
        },
        response: requestSchema(authorizations),
        hasEtag: true,
        needsIfMatch: true,
      },
      handle: async (request) => {
        const name = String(find(request.params.template_name ?? '').value.name);
        const { entity, problems } = readEntity(
          authorizations,
          { ...request.body, template: name },
          { seen: new Draft(config).seen },
          tools,
        );
        const entry = await changes.apply(
          request.author,
          (draft) => {
            mustExist(templates, name, draft.find(templates, name));
            const value = unsetRights(name);
            const current = draft.find(authorizations, name) ?? { key: name, value, etag: etagOf(value), revision: 0, created: 0 };
            mustBeCurrent(templates, name, current, draft, request, true);
            return draft.put(authorizations, name, entity, problems);
          },
          { dryRun: request.isDryRun },
        );
        return { ...showRights(entry.value, request.base), revision: entry.revision };
      },
    },
  ];
}

/** Before anything was set, administrators of pipeline groups may see a template. */
function unsetRights(template: string): Entity {
  const nobody = { users: [], roles: [] };
  return { template, allGroupAdminsAreViewUsers: true, admin: nobody, view: nobody };
}

const LIST_SCHEMA = {
  type: 'object',
  properties: { _embedded: { type: 'object', properties: { templates: { type: 'array', items: { type: 'object' } } } } },
};
