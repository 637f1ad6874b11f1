// Pipelines: created inside a group, maybe paused.
import { rememberPause } from '../../../builds/pause-housekeeping.ts';
import type { Pause, Pauses } from '../../../builds/pauses.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isObject, type JsonObject } from '../../../shape/json/json.ts';
import { described, FLAG, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { answerExample, exampleOf } from '../../engine/answer-example.ts';
import { neededObject } from '../../engine/plain-reading.ts';
import { memberFailures } from '../../engine/resource-failures.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { versionsOf } from '../../engine/resource-route.ts';
import { requestSchema, responseSchema } from '../../engine/resource-schemas.ts';
import type { ApiRequest, Route } from '../../engine/route.ts';
import { create } from '../../engine/verbs/create.ts';
import { headerText } from '../../http/headers/header-text.ts';
import { type PipelineKinds, pipelineListRoute } from './list.ts';

const NO_CAUSE = 'No pause cause was specified when pipeline was created via API';
const NO_GROUP = 'Pipeline group must be specified for creating a pipeline.';

export function pipelineRoutes({ pipelines, groups }: PipelineKinds, parts: ResourceParts, pauses: Pauses): Route[] {
  const { config } = parts;
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
  ];
}

function creationOf(wrapped: JsonObject) {
  const group = textIn(wrapped, 'group');
  const { group: _, ...pipeline } = neededObject(wrapped, 'pipeline');
  return { body: group === '' ? pipeline : { ...pipeline, group } };
}

function pauseOf(pipeline: string, request: ApiRequest): Pause {
  const cause = headerText(request.header('x-pause-cause')) ?? NO_CAUSE;
  return { key: pipeline.toLowerCase(), cause, by: request.identity.loginName, at: new Date().toISOString() };
}

/** The pipeline in the body, before it has been checked. */
function pipelineIn(body: JsonObject): JsonObject {
  return isObject(body.pipeline) ? body.pipeline : {};
}

function textIn(body: JsonObject, name: string): string {
  const value = body[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
