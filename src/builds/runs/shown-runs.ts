// Runs with all that is shown of them, read in as many statements whether there is one or a page of them.
import type { Job } from '../../store/builds/jobs.ts';
import type { RunModification } from '../../store/builds/run-modifications.ts';
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import { type ConfiguredStage, keyOfName, type PipelineDefinition } from '../configured.ts';
import { type StageState, stageStateOf } from '../jobs/job-states.ts';
import type { BuildTables } from './build-tables.ts';
import { type Estimate, Estimates } from './estimates.ts';
import { flowRun } from './flow-facts.ts';
import { mayRunStage } from './run-stage.ts';
import type { FlowPipeline, FlowRun } from './stage-flow.ts';

/** From the revision that the run before had. */
export type RevisionStep = 'newer' | 'same' | 'older';

export interface ShownRevision {
  readonly revision: RunRevision;
  /** The newest first. */
  readonly modifications: readonly RunModification[];
  /** Undefined: the run before was not made from this material, or it is not looked at. */
  readonly sincePrevious?: RevisionStep | undefined;
}

export interface ShownRunStage {
  readonly name: string;
  /** As the configuration has it now; undefined: the stage is gone from it. */
  readonly configured: ConfiguredStage | undefined;
  /** Its last run; undefined: it has not been run. */
  readonly stageRun: StageRun | undefined;
  readonly state: StageState;
  readonly jobs: readonly { readonly job: Job; readonly estimate: Estimate | undefined }[];
  /** Whether it could be run now by a user who may operate it. */
  readonly isRunnable: boolean;
  /** While it is under way. */
  readonly estimate: Estimate | undefined;
}

export interface ShownRun {
  readonly run: Run;
  readonly revisions: readonly ShownRevision[];
  readonly stages: readonly ShownRunStage[];
}

/** Consecutive ones of one pipeline. */
export async function shownRuns(
  tables: BuildTables,
  pipeline: PipelineDefinition,
  isPaused: boolean,
  runs: readonly Run[],
): Promise<ShownRun[]> {
  const ids = runs.map(({ id }) => id);
  const stageRuns = await tables.stageRuns.ofRuns(ids);
  const latest = stageRuns.filter(({ is_latest: isLatest }) => isLatest === 1);
  const jobs = (await tables.jobs.ofStageRuns(latest.map(({ id }) => id))).filter(({ state }) => state !== 'Rescheduled');
  const revisions = await stepsIn(tables, runs, await shownRevisions(tables, ids));
  const underWay = await readUnderWay(tables, pipeline, latest, jobs);
  const active = await activeRuns(tables, pipeline.key);
  const { name, stages, lockBehavior } = pipeline;
  const flow: FlowPipeline = { name, stages, lockBehavior, isPaused, lockedBy: (await tables.pipelines.lockOf(pipeline.key)) ?? null };
  const jobsOf = Map.groupBy(jobs, ({ stage_run_id: id }) => id);
  return runs.map((run) => {
    const own = latest.filter(({ run_id: id }) => id === run.id);
    const isRunnable = (stage: string) => mayRunStage(flow, flowRun(run, own), stage, othersThan(run, active)).isAllowed;
    return {
      run,
      revisions: revisions.get(run.id) ?? [],
      stages: stagesOf(pipeline, own).map(({ configured, stageRun }) => {
        const named = stageRun ?? { stage: configured!.name };
        const ofStage = (stageRun && jobsOf.get(stageRun.id)) ?? [];
        return {
          name: named.stage,
          configured,
          stageRun,
          state: stageStateOf(ofStage).state,
          jobs: ofStage.map((job) => ({ job, estimate: underWay.ofJob(job) })),
          isRunnable: isRunnable(named.stage),
          estimate: stageRun && underWay.ofStage(stageRun),
        };
      }),
    };
  });
}

/** The revisions of runs, by the ids of the runs. */
export async function shownRevisions(tables: BuildTables, runIds: readonly number[]): Promise<Map<number, ShownRevision[]>> {
  const modifications = Map.groupBy(await tables.modificationsOf(runIds), ({ run }) => run);
  const shown = (await tables.runs.revisionsOf(runIds)).map((revision) => ({
    revision,
    modifications: (modifications.get(revision.run_id) ?? []).filter(({ position }) => position === revision.position),
  }));
  return Map.groupBy(shown, ({ revision }) => revision.run_id);
}

/** The revisions with the step from those of the run before. */
async function stepsIn(
  tables: Pick<BuildTables, 'runs'>,
  runs: readonly Run[],
  revisions: ReadonlyMap<number, readonly ShownRevision[]>,
): Promise<Map<number, ShownRevision[]>> {
  const ordered = runs.toSorted((one, other) => one.counter - other.counter);
  const [oldest] = ordered;
  if (!oldest) return new Map();
  const [before] = await tables.runs.before(oldest.pipeline_key, oldest.counter, 1);
  let previous = before ? await tables.runs.revisionsOf([before.id]) : [];
  const found = new Map<number, ShownRevision[]>();
  for (const { id } of ordered) {
    const own = revisions.get(id) ?? [];
    found.set(
      id,
      own.map((one) => ({ ...one, sincePrevious: stepOf(one.revision, previous) })),
    );
    previous = own.map(({ revision }) => revision);
  }
  return found;
}

/** The ids of the modifications of a material grow. */
function stepOf({ fingerprint, last }: RunRevision, previous: readonly RunRevision[]): RevisionStep | undefined {
  const known = previous.find((one) => one.fingerprint === fingerprint);
  if (!known) return undefined;
  if (last === known.last) return 'same';
  return last > known.last ? 'newer' : 'older';
}

interface StageInOrder {
  readonly position: number;
  /** Undefined: it is gone from the configuration. */
  readonly configured: ConfiguredStage | undefined;
  /** Undefined: it has not been run. */
  readonly stageRun: StageRun | undefined;
}

/** The stages that have been run and those that have not, in the order of the pipeline. */
function stagesOf({ stages }: PipelineDefinition, latest: readonly StageRun[]): StageInOrder[] {
  const configuredStages = stages.map((configured, position): StageInOrder => {
    const stageRun = latest.find(({ stage_key: key }) => key === keyOfName(configured.name));
    return { position, configured, stageRun };
  });
  const gone = latest.filter(({ stage_key: key }) => !stages.some(({ name }) => keyOfName(name) === key));
  const all = [...gone.map((stageRun) => ({ position: stageRun.position, configured: undefined, stageRun })), ...configuredStages];
  return all.toSorted((one, other) => one.position - other.position);
}

/** The estimates of stage runs and jobs that are not completed; the others need none. */
async function readUnderWay(
  tables: BuildTables,
  { key }: PipelineDefinition,
  stageRuns: readonly StageRun[],
  jobs: readonly Job[],
): Promise<{ ofStage(stageRun: StageRun): Estimate | undefined; ofJob(job: Job): Estimate | undefined }> {
  const isActive = ({ completed_at: at }: { readonly completed_at: number | null }) => at === null;
  const active = jobs.filter(isActive);
  const estimates = await Estimates.read(tables.durations, key, stageRuns.filter(isActive), active);
  const transitions = Map.groupBy(await tables.jobs.transitionsOf(active.map(({ id }) => id)), ({ job_id: id }) => id);
  return {
    ofStage: (stageRun) => (isActive(stageRun) ? estimates.ofStage(stageRun) : undefined),
    ofJob: (job) => (isActive(job) ? estimates.ofJob(job, transitions.get(job.id) ?? []) : undefined),
  };
}

/** The runs with an active stage: other runs have to wait for them. */
async function activeRuns(tables: BuildTables, pipelineKey: string): Promise<FlowRun[]> {
  const stageRuns = await tables.stageRuns.activeOf(pipelineKey);
  const runs = [...new Set(stageRuns.map(({ run_id: id }) => id))];
  // Their counters are not used.
  return runs.map((id) => flowRun({ id, counter: 0 }, stageRuns));
}

function othersThan({ id }: Run, active: readonly FlowRun[]): FlowRun[] {
  return active.filter(({ run }) => run !== id);
}
