// Which run of a stage a fetch task takes its artifacts from.
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { Modifications } from '../../store/materials/modifications.ts';
import type { BuildState } from '../build-state.ts';
import { keyOfName } from '../configured.ts';
import type { ActiveStageRun } from './active-builds.ts';
import type { FetchSource } from './work-tasks.ts';

export interface SourceParts {
  readonly state: Pick<BuildState, 'runs' | 'stageRuns'>;
  readonly modifications: Pick<Modifications, 'byIds'>;
}

export interface FoundSource {
  readonly run: Run;
  readonly stageRun: StageRun;
}

/** As the task names it. */
export function fetchSource(attributes: { readonly pipeline: string | null; readonly stage: string; readonly job: string }): FetchSource {
  const { pipeline, stage, job } = attributes;
  return { pipelines: pipeline ? pipeline.split('/') : [], stage, job };
}

/**
 * The run of the stage that this run was made from. Of another stage of that run, or of this run, it is the latest one.
 * `revisions`: the revisions of this run.
 */
export async function findSource(
  { pipelines, stage }: FetchSource,
  own: ActiveStageRun,
  revisions: readonly RunRevision[],
  parts: SourceParts,
): Promise<FoundSource | undefined> {
  const source = isOwnName(pipelines, own.run.pipeline) ? { run: own.run, locators: [] } : await upstreamRun(pipelines, revisions, parts);
  if (!source) return undefined;
  const { run, locators } = source;
  const stageRuns = await parts.state.stageRuns.ofRuns([run.id]);
  const ofStage = stageRuns.filter((one) => one.stage_key === keyOfName(stage) && one.id !== own.row.id);
  const isRecorded = ({ counter }: StageRun) => locators.includes(keyOfName(`${run.pipeline}/${run.counter}/${stage}/${counter}`));
  const stageRun = ofStage.find(isRecorded) ?? ofStage.findLast(({ is_latest: isLatest }) => isLatest === 1);
  return stageRun && { run, stageRun };
}

/** A task may name its own pipeline, or leave the name out. */
function isOwnName(pipelines: readonly string[], own: string): boolean {
  return pipelines.length === 0 || (pipelines.length === 1 && keyOfName(pipelines[0]!) === keyOfName(own));
}

interface UpstreamRun {
  readonly run: Run;
  /** Its stage runs that the run below it was made from, in lower case. */
  readonly locators: readonly string[];
}

/** Through the runs that this one was made from: the last of the pipelines is a material of this one. */
async function upstreamRun(
  path: readonly string[],
  revisions: readonly RunRevision[],
  parts: SourceParts,
): Promise<UpstreamRun | undefined> {
  let found: UpstreamRun | undefined;
  let from = revisions;
  for (const name of path.toReversed()) {
    const dependencies = from.filter(({ type }) => type === 'dependency');
    const used = await parts.modifications.byIds(dependencies.map(({ last }) => last));
    const upstream = used.filter(({ revision }) => keyOfName(revision.split('/')[0]!) === keyOfName(name));
    const id = upstream[0]?.pipelineId;
    const run = id === undefined ? undefined : await parts.state.runs.byId(id);
    if (!run) return undefined;
    found = { run, locators: upstream.map(({ revision }) => keyOfName(revision)) };
    from = await parts.state.runs.revisionsOf([run.id]);
  }
  return found;
}
