// The runs of a pipeline: all, a page at a time, and one; and the comment of a user on one.

import { keyOfName, type PipelineDefinition } from '../../../builds/configured.ts';
import { shownRuns } from '../../../builds/runs/shown-runs.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Run } from '../../../store/builds/runs.ts';
import { neededText } from '../../engine/plain-reading.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { counterIn } from './counters.ts';
import {
  COMMENT,
  COMMENTED,
  HISTORY,
  INSTANCE,
  INSTANCE_FOR_CLIENTS,
  MAX_COMMENT_LENGTH,
  RUNS_CHAPTER,
  runNotFound,
  STATUS,
} from './docs.ts';
import { runJson, shortRunJson } from './json.ts';
import { pageLinks, wantedPage } from './pages.ts';
import type { BuildRouteParts } from './parts.ts';
import { rightsOf, schedulability } from './rights.ts';
import { mayOperateStage, requireOperable, requireViewable } from './visibility.ts';

const HISTORY_PATH = '/api/pipelines/:pipeline_name/history';
const INSTANCE_PATHS = {
  '/api/pipelines/:pipeline_name/:pipeline_counter/instance': INSTANCE,
  '/api/pipelines/:pipeline_name/:pipeline_counter': INSTANCE_FOR_CLIENTS,
};
const common = { version: 1, permission: 'user' } as const;

/** Any server answers. */
export function runReadingRoutes(parts: BuildRouteParts): Route[] {
  const { tables, pauses } = parts;
  const viewable = async ({ params: { pipeline_name: name = '' }, identity }: ApiRequest) => requireViewable(parts, name, identity);
  const shown = async (pipeline: PipelineDefinition, runs: readonly Run[], { identity }: ApiRequest) => {
    const rights = await rightsOf(parts, pipeline, identity);
    const found = await shownRuns(tables, pipeline, pauses.find(pipeline.key) !== undefined, runs);
    return found.map((run) => runJson(run, rights));
  };
  return [
    {
      ...common,
      method: 'GET',
      path: '/api/pipelines/:pipeline_name/status',
      description: { chapter: RUNS_CHAPTER, ...STATUS },
      handle: async (request) => jsonAnswer(await statusJson(parts, request)),
    },
    {
      ...common,
      method: 'GET',
      path: HISTORY_PATH,
      description: { chapter: RUNS_CHAPTER, ...HISTORY },
      handle: async (request) => {
        const pipeline = await viewable(request);
        const { cursor, size } = wantedPage(request.query);
        const page = await tables.runs.page(pipeline.key, cursor, size);
        const path = HISTORY_PATH.replace(':pipeline_name', () => encodeURIComponent(pipeline.name));
        return jsonAnswer({
          _links: pageLinks(request.base, path, page, size, ({ counter }) => counter),
          pipelines: await shown(pipeline, page.items, request),
        });
      },
    },
    ...Object.entries(INSTANCE_PATHS).map(
      ([path, description]): Route => ({
        ...common,
        method: 'GET',
        path,
        description: { chapter: RUNS_CHAPTER, ...description },
        handle: async (request) => {
          const pipeline = await viewable(request);
          const run = await runOf(parts, pipeline.name, request.params.pipeline_counter ?? '');
          const [found] = await shown(pipeline, [run], request);
          return jsonAnswer(found!);
        },
      }),
    ),
  ];
}

async function statusJson(parts: BuildRouteParts, { params: { pipeline_name: given = '' }, identity }: ApiRequest): Promise<JsonOut> {
  const pipeline = await requireViewable(parts, given, identity);
  const { key, name, group, stages } = pipeline;
  const { lockedBy, isSchedulable } = await schedulability(parts, pipeline);
  const pause = parts.pauses.find(key);
  return {
    name,
    group,
    paused: pause !== undefined,
    paused_cause: pause?.cause ?? '',
    paused_by: pause?.by ?? '',
    paused_at: pause?.at ?? null,
    locked: lockedBy !== undefined,
    locked_by: shortRunJson(lockedBy === undefined ? undefined : await parts.tables.runs.byId(lockedBy)),
    schedulable: isSchedulable,
    can_trigger: mayOperateStage(parts, { group, pipeline: name }, stages[0], identity),
    can_operate: parts.access.mayOperate(identity, { group, pipeline: name }),
    can_administer: parts.access.may(identity, 'groupAdmin', { type: 'pipeline', action: 'administer', resource: name, within: group }),
  };
}

export function commentRoute(parts: BuildRouteParts): Route {
  const { engine } = parts;
  return {
    ...common,
    method: 'POST',
    path: '/api/pipelines/:pipeline_name/:pipeline_counter/comment',
    description: { chapter: RUNS_CHAPTER, ...COMMENT },
    handle: async ({ params: { pipeline_name: given = '', pipeline_counter: counter = '' }, identity, body, isDryRun }) => {
      const { name } = await requireOperable(parts, given, identity);
      const run = await runOf(parts, name, counter);
      const comment = neededText(body, 'comment');
      if (comment.length > MAX_COMMENT_LENGTH)
        throw new Refusal('invalid', `\`comment\` must not be longer than ${MAX_COMMENT_LENGTH} characters.`);
      if (!isProse(comment)) throw new Refusal('invalid', `\`comment\` ${NOT_PROSE}.`);
      engine.mustBeStarted();
      const statement = engine.state.runs.setComment(run.id, comment === '' ? null : comment);
      if (isDryRun) return jsonAnswer({ message: COMMENTED });
      await engine.state.writer.commit({ statements: [statement], events: [] });
      engine.state.changed(name);
      return jsonAnswer({ message: COMMENTED });
    },
  };
}

export async function runOf({ tables }: Pick<BuildRouteParts, 'tables'>, pipeline: string, counter: string): Promise<Run> {
  const run = await tables.runs.find(keyOfName(pipeline), counterIn(counter, 'pipeline'));
  if (!run) throw new Refusal('notFound', runNotFound(pipeline, counter));
  return run;
}
