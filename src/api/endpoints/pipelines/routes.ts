// Pipelines: created inside a group, maybe paused, and whether they are.
import { rememberPause } from '../../../builds/pause-upkeep.ts';
import type { Pause, Pauses } from '../../../builds/pauses.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isObject, type JsonObject, type JsonOut } from '../../../shape/json/json.ts';
import { described, FLAG, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { answerExample, exampleId, exampleOf } from '../../engine/answer-example.ts';
import { memberFailures } from '../../engine/resource-failures.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { versionsOf } from '../../engine/resource-route.ts';
import { requestSchema, responseSchema } from '../../engine/resource-schemas.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { create } from '../../engine/verbs/create.ts';
import { headerText } from '../../http/header-text.ts';
import { neededObject } from '../common/plain-reading.ts';
import { type PipelineKinds, pipelineListRoute } from './list.ts';

const NO_CAUSE = 'No pause cause was specified when pipeline was created via API';
const NO_GROUP = 'Pipeline group must be specified for creating a pipeline.';
const NOT_YOURS = 'You are not authorized to perform this action.';

export function pipelineRoutes({ pipelines, groups }: PipelineKinds, parts: ResourceParts, pauses: Pauses): Route[] {
  const { access, config } = parts;
  const { path, doc: chapter } = pipelines;
  return [
    {
      method: 'POST',
      path,
      ...versionsOf(pipelines),
      permission: 'groupAdmin',
      guard: {
        type: 'pipeline',
        action: 'administer',
        isInBody: true,
        on: ({ body }) => {
          const within = textIn(body, 'group');
          if (within.trim() === '') throw new Refusal('invalid', NO_GROUP);
          return { resource: textIn(pipelineIn(body), 'name'), within };
        },
      },
      description: {
        chapter,
        summary: 'Create a pipeline in a group; a group that does not exist is created too',
        headers: {
          'X-pause-pipeline': { ...FLAG, default: false, description: 'Whether to create it paused.' },
          'X-pause-cause': { ...TEXT, default: NO_CAUSE, description: 'Why it is paused.' },
        },
        request: {
          schema: () =>
            objectSchema({
              group: described(TEXT, 'The pipeline group; created when there is none of this name.'),
              pipeline: described(requestSchema(pipelines), 'The pipeline.'),
            }),
          example: { group: String(pipelines.example.group), pipeline: pipelines.example },
        },
        response: () => responseSchema(pipelines),
        example: () => answerExample(pipelines, parts),
        hasEtag: true,
        changes: 'configuration',
        failures: memberFailures(pipelines, () => exampleOf(pipelines, parts)).create,
      },
      creation: creationOf,
      handle: async (request) => {
        const creation = creationOf(request.body);
        const pause = request.header('x-pause-pipeline')?.toLowerCase() === 'true' && pauseOf(textIn(creation.body, 'name'), request);
        const answer = await create(pipelines, parts, request, {
          ...creation,
          ...(pause && { extraStatements: [pauses.statementFor(pause)] }),
        });
        if (pause && !request.isDryRun) await rememberPause(pauses, config, pause);
        return answer;
      },
    },
    pipelineListRoute({ pipelines, groups }, parts),
    {
      method: 'GET',
      path: '/api/pipelines/:pipeline_name/status',
      version: 1,
      permission: 'user',
      description: {
        chapter,
        summary: 'Whether a pipeline is paused',
        who: 'users who may see its pipeline group',
        parameters: {
          pipeline_name: { description: 'The name of the pipeline, whatever the letter case.', example: exampleId(pipelines) },
        },
        response: objectSchema({
          paused: described(FLAG, 'Whether it is paused.'),
          paused_cause: described(TEXT, 'Why; empty when it is not.'),
          paused_by: described(TEXT, 'Who paused it; empty when nobody did.'),
        }),
        example: statusJson(undefined),
        hasEtag: true,
        failures: {
          403: { when: 'Not allowed.', example: { message: NOT_YOURS } },
          404: { example: { message: pipelines.messages.notFound('unknown') } },
        },
      },
      handle: ({ params: { pipeline_name: name = '' }, identity }) => {
        const entry = config.entriesOf(pipelines.name).find(name);
        // Who may create pipelines can tell by trying which names are taken; others are not told what exists.
        if (!entry && access.passes(identity, 'groupAdmin')) throw new Refusal('notFound', pipelines.messages.notFound(name));
        if (!entry || !access.mayView(identity, String(entry.value.group))) throw new Refusal('forbidden', NOT_YOURS);
        return jsonAnswer(statusJson(pauses.find(name)));
      },
    },
  ];
}

function creationOf(wrapped: JsonObject) {
  const group = textIn(wrapped, 'group');
  const { group: _, ...pipeline } = neededObject(wrapped, 'pipeline');
  return { body: group === '' ? pipeline : { ...pipeline, group } };
}

function statusJson(pause: Pause | undefined): JsonOut {
  return { paused: pause !== undefined, paused_cause: pause?.cause ?? '', paused_by: pause?.by ?? '' };
}

function pauseOf(pipeline: string, request: ApiRequest): Pause {
  const cause = headerText(request.header('x-pause-cause')) ?? NO_CAUSE;
  return { key: pipeline.toLowerCase(), cause, by: request.identity.loginName, at: new Date().toISOString() };
}

/** What the body is about, before it has been checked. */
function pipelineIn(body: JsonObject): JsonObject {
  return isObject(body.pipeline) ? body.pipeline : {};
}

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
