// The users and roles that may administer or see a template.
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import { describeFields } from '../../../shape/field.ts';
import { readEntity, writeEntity } from '../../../shape/json/entity-json.ts';
import { etagOf } from '../../../shape/json/etag.ts';
import type { JsonObject, JsonOut } from '../../../shape/json/json.ts';
import { MERGE_PATCH, mergePatched, mergePatchSchema } from '../../../shape/json/merge-patch.ts';
import { LINKS, objectSchema } from '../../../shape/json/schemas.ts';
import type { Collection, Entity, Kind } from '../../../shape/resource.ts';
import { EXAMPLE_BASE, exampleId, exampleOf } from '../../engine/answer-example.ts';
import { atAnyTime } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type Answer, type ApiRequest, type Guard, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { change } from '../../engine/verbs/change.ts';
import { explaining } from '../../engine/verbs/conflict.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { checkIfMatch, mustSendIfMatch } from '../../engine/verbs/precondition.ts';
import { docLink, links } from '../common/links.ts';

type Rights = EntityNamed<'templateAuthorizations'>;

interface Kinds {
  readonly templates: Kind<'templates'> & Collection;
  readonly authorizations: Kind<'templateAuthorizations'> & Collection;
}

export function templateAuthorizationRoutes({ templates, authorizations }: Kinds, parts: ResourceParts): Route[] {
  const { config, tools } = parts;
  const { doc: chapter } = templates;
  const path = `${templates.path}/:template_name/authorization`;
  const find = (name: string) => mustExist(templates, name, config.of(templates.name).find(name));
  const rightsOf = (name: string, entry: Entry<Rights> | undefined): Rights => entry?.value ?? unsetRights(name);
  const json = (rights: Entity, base: string): JsonOut => {
    const { template, ...body } = writeEntity(authorizations, rights, config.secrets);
    const self = path.replace(':template_name', () => encodeURIComponent(String(template)));
    return { _links: links(base, { self, doc: docLink(chapter), find: path }), ...body };
  };
  const show = (rights: Entity, base: string): Answer => jsonAnswer(json(rights, base), { etag: etagOf(rights) });

  const template = exampleId(templates);
  const { template: _, ...requestExample } = authorizations.example;
  const { template: __, ...members } = describeFields(authorizations.fields).response.properties ?? {};
  const description = {
    chapter,
    ...oneTemplate(templates),
    response: objectSchema({ _links: LINKS, ...members }, { title: authorizations.title }),
    hasEtag: true,
  };
  const common = { path, version: authorizations.version, permission: 'admin', guard: templateGuard('administer') } as const;

  const showing = (route: Route) =>
    atAnyTime(route, parts, async (at, { params: { template_name: given = '' }, base }) => {
      const { name } = mustExist(templates, given, await parts.past.entry(templates, given, at)).value;
      return show(rightsOf(name, await parts.past.entry(authorizations, name, at)), base);
    });

  /** Sets the rights that a body makes of the present ones. */
  const set = async (request: ApiRequest, bodyOf: (rights: Entity) => JsonObject): Promise<Answer> => {
    const { name } = find(request.params.template_name ?? '').value;
    const { ruleView } = new Draft(config);
    const read = (rights: Entity) => readEntity(authorizations, { ...bodyOf(rights), template: name }, { ruleView }, tools);
    const unset = unsetRights(name);
    const current = (draft: Draft): Entry<Rights> => {
      mustExist(templates, name, draft.find(templates, name));
      return draft.find(authorizations, name) ?? { key: name, value: unset, etag: etagOf(unset), revision: 0, created: 0 };
    };
    const target = { kind: authorizations, id: name, reportedAs: templates, unset, parts, request, find: current };
    const write = (draft: Draft) => {
      const now = current(draft);
      checkIfMatch(templates, name, now, draft, request, true);
      const { entity, problems } = read(now.value);
      return draft.put(authorizations, name, entity, problems);
    };
    const entry = await explaining(
      target,
      () => change(parts, request, write),
      (base) => base && read(base).entity,
    );
    return { ...show(entry.value, request.base), revision: entry.revision };
  };
  const whole = { title: `${authorizations.title} request`, type: 'object', properties: members };
  const merge = { schema: mergePatchSchema(whole), example: { all_group_admins_are_view_users: false } };
  const writing: Omit<RouteDescription, 'summary'> = {
    ...description,
    example: () => json(exampleOf(authorizations, parts), EXAMPLE_BASE),
    changes: 'configuration',
    ifMatch: 'required',
    failures: { ...description.failures, 412: { example: { message: templates.messages.stale(template) } } },
  };

  return [
    showing({
      ...common,
      method: 'GET',
      description: {
        ...description,
        summary: 'Who may administer and see a template',
        example: json(unsetRights(template), EXAMPLE_BASE),
      },
      handle: ({ params: { template_name: given = '' }, base }) => {
        const { name } = find(given).value;
        return show(rightsOf(name, config.of(authorizations.name).find(name)), base);
      },
    }),
    {
      ...common,
      method: 'PUT',
      description: {
        ...writing,
        summary: 'Set who may administer and see a template',
        request: { schema: whole, example: requestExample },
      },
      handle: (request) => set(request, () => request.body),
    },
    {
      ...common,
      method: 'PATCH',
      description: {
        ...writing,
        summary: 'Change some of who may administer and see a template',
        details: 'As a JSON merge patch (RFC 7396). Lists are replaced whole.',
        request: merge,
        bodies: { 'application/json': merge, [MERGE_PATCH]: merge },
      },
      takesMergePatch: true,
      handle: (request) => {
        find(request.params.template_name ?? '');
        mustSendIfMatch(request);
        return set(request, (rights) => mergePatched(writeEntity(authorizations, rights, config.secrets), request.body));
      },
    },
  ];
}

/** How the documentation speaks of the one template an address is about. */
export function oneTemplate(templates: Kind & Collection) {
  return {
    parameters: { template_name: { description: 'The name of the template, case-insensitive.', example: exampleId(templates) } },
    failures: { 404: { example: { message: templates.messages.notFound('unknown') } } },
  };
}

export function templateGuard(action: Guard['action']): Guard {
  return { type: 'template', action, on: ({ params }) => ({ resource: params.template_name ?? '' }) };
}

/** Before anything was set, administrators of pipeline groups may see a template. */
export function unsetRights(template: string): Rights {
  const noMembers = { users: [], roles: [] };
  return { template, allGroupAdminsAreViewUsers: true, admin: noMembers, view: noMembers };
}
