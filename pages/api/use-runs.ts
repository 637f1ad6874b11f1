// Reads runs and stages, and again when they change.
import { path } from './address.ts';
import { type ReadState, useApi } from './queries.ts';
import { isAboutPipeline, isAboutStage, type RunAnswer, type StageLocator, type StageRunAnswer } from './run-answers.ts';

const RUN_VERSION = 1;
const STAGE_VERSION = 3;

export function useRun(pipeline: string, counter: number): ReadState<RunAnswer> {
  return useApi(path`/api/pipelines/${pipeline}/${counter}/instance`, RUN_VERSION, { changedBy: isAboutPipeline(pipeline) });
}

export function useStageRun(at: StageLocator): ReadState<StageRunAnswer> {
  return useApi(path`/api/stages/${at.pipeline}/${at.counter}/${at.stage}/${at.stageCounter}`, STAGE_VERSION, {
    changedBy: isAboutStage(at),
  });
}
