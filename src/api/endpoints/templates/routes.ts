// Templates: the list with the pipelines that use them, and their parameters.
import type { Config } from '../../../config/current.ts';
import { Draft } from '../../../config/draft.ts';
import type { Entry } from '../../../config/entry.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, embedded, embeddedSchema, FLAG, LINKS, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import { EXAMPLE_BASE, exampleId, exampleOf } from '../../engine/answer-example.ts';
import { atAnyTime, fromConfig } from '../../engine/at-time.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { docLink, links } from '../common/links.ts';
import { oneTemplate, templateAuthorizationRoutes, templateGuard } from './authorization.ts';

export interface TemplateKinds {
  readonly templates: Kind<'templates'> & Collection;
  readonly authorizations: Kind<'templateAuthorizations'> & Collection;
}

/** The kind that uses templates. */
const USERS = 'pipelines';

const MEMBER_SCHEMA = objectSchema(
  {
    _links: LINKS,
    name: described(TEXT, 'The name of the template.'),
    can_edit: described(FLAG, 'Whether the caller may change it.'),
    can_administer: described(FLAG, 'Whether the caller may say who may change it.'),
    _embedded: embedded({
      pipelines: {
        type: 'array',
        description: 'The pipelines that use it.',
        items: objectSchema({
          name: described(TEXT, 'The name of the pipeline.'),
          can_administer: described(FLAG, 'Whether the caller may change it.'),
        }),
      },
    }),
  },
  { title: 'Template and its users' },
);

type ParametersUsed = (stages: EntityNamed<'templates'>['stages']) => Iterable<string>;

export function templateRoutes(kinds: TemplateKinds, parts: ResourceParts, parametersUsed: ParametersUsed): Route[] {
  const { templates } = kinds;
  const { access, config } = parts;
  const { path, version, doc: chapter } = templates;
  const parametersJson = ({ name, stages }: EntityNamed<'templates'>): JsonOut => ({ name, parameters: [...parametersUsed(stages)] });
  const listJson = (listed: readonly JsonOut[], base: string): JsonOut => ({
    _links: links(base, { self: path, doc: docLink(chapter) }),
    _embedded: { templates: listed },
  });
  const memberJson = (name: string, members: JsonOut, base: string): JsonOut => ({
    _links: links(base, { self: `${path}/${encodeURIComponent(name)}`, doc: docLink(chapter), find: `${path}/:template_name` }),
    name,
    ...members,
  });
  const exampleMembers = {
    can_edit: true,
    can_administer: true,
    _embedded: { pipelines: [{ name: 'packaging', can_administer: true }] },
  };

  const list = (shown: Config, { identity, base }: ApiRequest) => {
    const draft = new Draft(shown);
    const listed = [...shown.of(templates.name).all()].flatMap(({ key, value }) => {
      const ask = (action: 'view' | 'administer') => access.may(identity, 'admin', { type: 'template', action, resource: key });
      if (!ask('view')) return [];
      const users = draft.referrers(templates.name, key).filter(({ kind }) => kind === USERS);
      const members = {
        can_edit: ask('administer'),
        can_administer: access.isAdmin(identity),
        _embedded: { pipelines: users.map(({ id }) => ({ name: id, can_administer: mayAdminister(id) })) },
      };
      return [memberJson(value.name, members, base)];

      /** By the rights of today. */
      function mayAdminister(id: string): boolean {
        const within = config.of(USERS).find(id)?.value.group ?? '';
        return access.may(identity, 'groupAdmin', { type: 'pipeline', action: 'administer', resource: id, within });
      }
    });
    return jsonAnswer(listJson(listed, base));
  };
  const parameters = (name: string, entry: Entry<EntityNamed<'templates'>> | undefined) => {
    const { value, etag } = mustExist(templates, name, entry);
    return jsonAnswer(parametersJson(value), { etag });
  };
  const showParameters = (route: Route) =>
    atAnyTime(route, parts, async (at, { params: { template_name: name = '' } }) =>
      parameters(name, await parts.past.entry(templates, name, at)),
    );

  return [
    fromConfig(
      {
        method: 'GET',
        path,
        version,
        permission: 'admin',
        guard: { type: 'template', action: 'view' },
        description: {
          chapter,
          summary: 'List of templates with the pipelines that use them',
          response: embeddedSchema('templates', MEMBER_SCHEMA),
          example: listJson([memberJson(exampleId(templates), exampleMembers, EXAMPLE_BASE)], EXAMPLE_BASE),
          hasEtag: true,
        },
      },
      parts,
      [templates.name, USERS],
      list,
    ),
    showParameters({
      method: 'GET',
      path: `${path}/:template_name/parameters`,
      version,
      permission: 'admin',
      guard: templateGuard('view'),
      description: {
        chapter,
        summary: 'The parameters a template uses',
        ...oneTemplate(templates),
        response: objectSchema({
          name: described(TEXT, 'The name of the template.'),
          parameters: described(TEXTS, 'The parameters that it uses.'),
        }),
        example: () => parametersJson(exampleOf(templates, parts)),
        hasEtag: true,
      },
      handle: ({ params: { template_name: name = '' } }) => parameters(name, config.of(templates.name).find(name)),
    }),
    ...templateAuthorizationRoutes(kinds, parts),
  ];
}
