// Turns the stages of a pipeline into a template that the pipeline then uses.
import { withoutScopes } from '../../../access/identity.ts';
import type { Draft } from '../../../config/draft.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isName, NAME_RULE } from '../../../shape/fields.ts';
import { objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { Collection, Kind } from '../../../shape/resource.ts';
import { answerExample, exampleId, exampleOf } from '../../engine/answer-example.ts';
import { guardsOf, scopeResource } from '../../engine/guards.ts';
import { neededText } from '../../engine/plain-reading.ts';
import { memberFailures } from '../../engine/resource-failures.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { resourceRoute } from '../../engine/resource-route.ts';
import { responseSchema } from '../../engine/resource-schemas.ts';
import type { ApiRequest, Route } from '../../engine/route.ts';
import { mustBeInScope } from '../../engine/route-scope.ts';
import { change } from '../../engine/verbs/change.ts';
import { explaining } from '../../engine/verbs/conflict.ts';
import { mustExist } from '../../engine/verbs/must-exist.ts';
import { checkIfMatch } from '../../engine/verbs/precondition.ts';
import { unsetRights } from '../templates/authorization.ts';

interface Kinds {
  readonly pipelines: Kind<'pipelines'> & Collection;
  readonly templates: Kind<'templates'> & Collection;
  readonly authorizations: Kind<'templateAuthorizations'> & Collection;
}

const usesTemplate = (pipeline: string) => `Pipeline with name '${pipeline}' already uses a template.`;
const exists = (template: string) => `Template with name '${template}' already exists!`;
const badName = (template: string) => `Invalid template name '${template}'. ${NAME_RULE}`;

export function extractTemplateRoute({ pipelines, templates, authorizations }: Kinds, parts: ResourceParts): Route {
  const { access, config } = parts;
  const name = exampleId(pipelines);

  const extract = (draft: Draft, id: string, template: string, { identity }: ApiRequest) => {
    const { value } = mustExist(pipelines, id, draft.find(pipelines, id));
    const { stages } = value;
    if (value.template || !stages) throw new Refusal('conflict', usesTemplate(value.name));
    if (draft.find(templates, template)) throw new Refusal('conflict', exists(template));
    draft.put(templates, template, { name: template, stages });
    // The user may still change the stages of the pipeline afterwards.
    if (!access.isAdmin(withoutScopes(identity))) {
      draft.put(authorizations, template, { ...unsetRights(template), admin: { users: [identity.loginName], roles: [] } });
    }
    return draft.put(pipelines, id, { ...value, template, stages: null });
  };

  return resourceRoute(pipelines, 'PUT', {
    path: `${pipelines.path}/:id/extract_to_template`,
    summary: 'Turn the stages of a pipeline into a template that it uses from then on',
    details: 'A user who does so without being a system administrator becomes the administrator of the template.',
    parameters: { id: { description: 'The `name` of the pipeline.', example: name } },
    request: {
      schema: objectSchema({ template_name: { ...TEXT, description: 'The name of the new template.' } }),
      example: { template_name: 'web-stages' },
    },
    response: () => responseSchema(pipelines),
    example: () => ({ ...answerExample(pipelines, parts), template: 'web-stages', stages: null }),
    hasEtag: true,
    ifMatch: 'optional',
    failures: {
      ...memberFailures(pipelines, () => exampleOf(pipelines, parts)).change,
      400: { when: 'The body is not a JSON object, the name is not acceptable, or `dry_run` is neither true nor false.' },
      409: { when: 'The pipeline uses a template, or there is one of that name.', example: { message: usesTemplate(name) } },
      422: { example: { message: "Json `{}` does not contain property 'template_name'" } },
    },
    guard: guardsOf(pipelines, config).administer,
    handle: async (request) => {
      const id = request.params.id ?? '';
      const template = neededText(request.body, 'template_name');
      if (!isName(template)) throw new Refusal('malformed', badName(template));
      // Users who may change the pipeline may do this. A token that is limited to pipelines creates no templates.
      mustBeInScope(access, request.identity, { resource: scopeResource(templates), action: 'administer', name: template });
      const find = (draft: Draft) => mustExist(pipelines, id, draft.find(pipelines, id));
      const write = (draft: Draft) => {
        checkIfMatch(pipelines, id, find(draft), draft, request, false);
        return extract(draft, id, template, request);
      };
      const entry = await explaining({ kind: pipelines, id, parts, request, find }, () => change(parts, request, write));
      return { ...parts.renderer.once(pipelines, entry, request.base), revision: entry.revision };
    },
  });
}
