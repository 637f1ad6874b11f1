// The operations on stages: run one, run it or some of its jobs again, cancel it.
import type { Identity } from '../../../access/identity.ts';
import { keyOfName } from '../../../builds/configured.ts';
import type { ConfigurationChoice } from '../../../builds/runs/stage-operations.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { readNeeded, readText, readTexts } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { StageRun } from '../../../store/builds/stage-runs.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { counterIn } from '../runs/counters.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { RETRY_WHEN_FULL } from '../runs/schedule.ts';
import { mayOperateStage, requireOperableStage } from '../runs/visibility.ts';
import {
  CANCEL,
  CANCELLED,
  jobsAccepted,
  mayNotCancel,
  NO_ROOM,
  NOT_ACTIVE,
  noRun,
  noStageRun,
  notOperator,
  RERUN_FAILED,
  RERUN_SELECTED,
  RUN_STAGE,
  STAGES_CHAPTER,
  stageAccepted,
} from './docs.ts';

const STAGE_PATH = '/api/stages/:pipeline_name/:pipeline_counter/:stage_name';
export const STAGE_RUN_PATH = `${STAGE_PATH}/:stage_counter`;
const LATEST = 'latest';
const CONFIGURATIONS: readonly ConfigurationChoice[] = ['current', 'original'];
const common = { method: 'POST', permission: 'user' } as const;

export function stageOperationRoutes(parts: BuildRouteParts): Route[] {
  return [
    {
      ...common,
      path: `${STAGE_PATH}/run`,
      version: 2,
      description: { chapter: STAGES_CHAPTER, ...RUN_STAGE },
      handle: async (request) => {
        const { pipeline, stage, counter } = named(request);
        const { isDryRun } = request;
        const { group } = await requireOperableStage(parts, { pipeline, stage }, request.identity, notOperator(stage, pipeline));
        const configuration = configurationIn(request);
        const run = counter === LATEST ? await lastRunOf(parts, pipeline) : await runNamed(parts, pipeline, counter);
        if (configuration === 'original') await mustOperateThen(parts, run, stage, group, request.identity);
        parts.engine.mustBeStarted();
        mustHaveRoom(parts);
        await parts.engine.stages.runStage(run, stage, request.identity.loginName, configuration, { isDryRun });
        return jsonAnswer({ message: stageAccepted(`${pipeline}/${counter}/${stage}`) }, { status: 202 });
      },
    },
    {
      ...common,
      path: `${STAGE_RUN_PATH}/cancel`,
      version: 3,
      worksInMaintenance: true,
      description: { chapter: STAGES_CHAPTER, ...CANCEL },
      handle: async (request) => {
        const { pipeline, stage } = named(request);
        const { isDryRun } = request;
        await requireOperableStage(parts, { pipeline, stage }, request.identity, mayNotCancel(stage));
        const { stageRun } = await stageRunNamed(parts, request);
        parts.engine.mustBeStarted();
        const { stages, state } = parts.engine;
        const isCancelled = isDryRun
          ? state.active.stageRun(stageRun.id) !== undefined
          : await stages.cancelStage(stageRun, request.identity.loginName);
        return jsonAnswer({ message: isCancelled ? CANCELLED : NOT_ACTIVE });
      },
    },
    {
      ...common,
      path: `${STAGE_RUN_PATH}/run-failed-jobs`,
      version: 3,
      description: { chapter: STAGES_CHAPTER, ...RERUN_FAILED },
      handle: (request) => rerun(parts, request, () => 'failed'),
    },
    {
      ...common,
      path: `${STAGE_RUN_PATH}/run-selected-jobs`,
      version: 3,
      description: { chapter: STAGES_CHAPTER, ...RERUN_SELECTED },
      handle: (request) => rerun(parts, request, () => jobsIn(request)),
    },
  ];
}

/** A run may have been made by another pipeline of the same name, with the secrets of another group. */
async function mustOperateThen(parts: BuildRouteParts, run: Run, stage: string, group: string, identity: Identity): Promise<void> {
  const first = await parts.tables.stageRuns.find(run.id, keyOfName(stage), 1);
  const then = first && (await parts.config.at(first.configuration, run.pipeline));
  if (!then || keyOfName(then.group) === keyOfName(group)) return;
  const stageThen = then.stages.find(({ name }) => keyOfName(name) === keyOfName(stage));
  const inGroup = { group: then.group, pipeline: run.pipeline };
  if (!mayOperateStage(parts, inGroup, stageThen, identity)) throw new Refusal('forbidden', notOperator(stage, run.pipeline));
}

async function rerun(parts: BuildRouteParts, request: ApiRequest, wanted: () => 'failed' | readonly string[]) {
  const { pipeline, stage } = named(request);
  const { isDryRun } = request;
  await requireOperableStage(parts, { pipeline, stage }, request.identity, notOperator(stage, pipeline));
  const jobs = wanted();
  const { run, stageRun } = await stageRunNamed(parts, request);
  parts.engine.mustBeStarted();
  mustHaveRoom(parts);
  await parts.engine.stages.rerunJobs(run, stageRun, jobs, request.identity.loginName, { isDryRun });
  return jsonAnswer({ message: jobsAccepted(`${run.pipeline}/${run.counter}/${stageRun.stage}/${stageRun.counter}`) }, { status: 202 });
}

/** A stage that follows by itself is scheduled all the same, and waits: otherwise nothing would start it later. */
function mustHaveRoom({ isDiskFull }: BuildRouteParts): void {
  if (isDiskFull()) throw new Refusal('insufficientStorage', NO_ROOM, { retryAfter: RETRY_WHEN_FULL });
}

/** As the path has them. */
function named({ params }: ApiRequest) {
  const { pipeline_name: pipeline = '', stage_name: stage = '', pipeline_counter: counter = '', stage_counter: stageCounter = '' } = params;
  return { pipeline, stage, counter, stageCounter };
}

/** The run of a stage that a path names. */
export async function stageRunNamed(
  parts: Pick<BuildRouteParts, 'tables'>,
  request: ApiRequest,
): Promise<{ readonly run: Run; readonly stageRun: StageRun }> {
  const { pipeline, stage, counter, stageCounter } = named(request);
  const wanted = counterIn(stageCounter, 'stage');
  const run = await runNamed(parts, pipeline, counter);
  const stageRun = await parts.tables.stageRuns.find(run.id, keyOfName(stage), wanted);
  if (!stageRun) throw new Refusal('notFound', noStageRun(stage, stageCounter));
  return { run, stageRun };
}

async function runNamed({ tables }: Pick<BuildRouteParts, 'tables'>, pipeline: string, counter: string): Promise<Run> {
  const run = await tables.runs.find(keyOfName(pipeline), counterIn(counter, 'pipeline'));
  if (!run) throw new Refusal('notFound', noRun(pipeline, counter));
  return run;
}

async function lastRunOf({ tables }: BuildRouteParts, pipeline: string): Promise<Run> {
  const run = await tables.runs.last(keyOfName(pipeline));
  if (!run) throw new Refusal('notFound', noRun(pipeline, LATEST));
  return run;
}

function configurationIn({ body }: ApiRequest): ConfigurationChoice {
  const problems: Problem[] = [];
  const given = readText({ holder: body, path: [], reading: plainReading(problems) }, 'configuration') ?? 'current';
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  const found = CONFIGURATIONS.find((one) => one === given);
  if (!found) throw new Refusal('invalid', `\`configuration\` must be one of ${CONFIGURATIONS.join(', ')}.`);
  return found;
}

function jobsIn({ body }: ApiRequest): readonly string[] {
  const problems: Problem[] = [];
  const jobs = readNeeded({ holder: body, path: [], reading: plainReading(problems) }, 'jobs', readTexts);
  if (problems[0]) throw new Refusal('invalid', problems[0].message);
  return jobs ?? [];
}
