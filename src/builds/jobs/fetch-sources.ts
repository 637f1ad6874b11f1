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

/** The latest run of the stage, in the run that this one was made from, or in this one. `revisions`: the revisions of this run. */
export async function findSource(
  { pipelines, stage }: FetchSource,
  own: ActiveStageRun,
  revisions: readonly RunRevision[],
  parts: SourceParts,
): Promise<FoundSource | undefined> {
  const run = isOwnName(pipelines, own.run.pipeline) ? own.run : await upstreamRun(pipelines, revisions, parts);
  if (!run) return undefined;
  const isOwn = run.id === own.run.id;
  const stageRuns = await parts.state.stageRuns.ofRuns([run.id]);
  const stageRun = stageRuns
    .filter((one) => one.stage_key === keyOfName(stage) && one.is_latest === 1 && (!isOwn || one.id !== own.row.id))
    .at(-1);
  return stageRun && { run, stageRun };
}

/** A task may name its own pipeline, or leave the name out. */
function isOwnName(pipelines: readonly string[], own: string): boolean {
  return pipelines.length === 0 || (pipelines.length === 1 && keyOfName(pipelines[0]!) === keyOfName(own));
}

/** Through the runs that this one was made from: the last of the pipelines is a material of this one. */
async function upstreamRun(path: readonly string[], revisions: readonly RunRevision[], parts: SourceParts): Promise<Run | undefined> {
  let [run, from] = [undefined as Run | undefined, revisions];
  for (const name of path.toReversed()) {
    const dependencies = from.filter(({ type }) => type === 'dependency');
    const used = await parts.modifications.byIds(dependencies.map(({ last }) => last));
    const upstream = used.find(({ revision }) => keyOfName(revision.split('/')[0]!) === keyOfName(name));
    run = upstream?.pipelineId === undefined ? undefined : await parts.state.runs.byId(upstream.pipelineId);
    if (!run) return undefined;
    from = await parts.state.runs.revisionsOf([run.id]);
  }
  return run;
}
