// The rows of a stage that is scheduled: the stage run, its jobs, their plans and their first states.
import type { CompiledQuery } from 'kysely';
import type { Job } from '../../store/builds/jobs.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { NewEvent } from '../../store/write-with-events.ts';
import type { BuildState } from '../build-state.ts';
import { type ConfiguredStage, keyOfName } from '../configured.ts';
import type { ActiveJob, ActiveStageRun } from '../jobs/active-builds.ts';
import { planText, type StoredPlan } from '../jobs/stored-plan.ts';
import { stageScheduled } from './run-events.ts';

export interface StageToSchedule {
  readonly run: Run;
  readonly stage: ConfiguredStage;
  /** Its place in the pipeline. */
  readonly position: number;
  readonly counter: number;
  readonly approvedBy: string;
  /** The revision of the configuration that it is made by. */
  readonly configuration: number;
  readonly plans: readonly StoredPlan[];
  /** Set when only some jobs are run again: the counter of the stage run before, and the jobs whose results are kept. */
  readonly rerun?: { readonly ofCounter: number; readonly copies: readonly Job[] };
}

export interface NewStageRun {
  readonly statements: readonly CompiledQuery[];
  readonly event: NewEvent;
  readonly stageRun: ActiveStageRun;
}

export function newStageRun(state: BuildState, to: StageToSchedule, now: number): NewStageRun {
  const row = stageRunRow(state, to, now);
  const stageRun: ActiveStageRun = { row, run: to.run, jobs: [], active: new Map(), cancelledBy: null };
  const statements = [...state.stageRuns.add(row)];
  for (const plan of to.plans) statements.push(...addJob(state, stageRun, plan, to.rerun !== undefined, now));
  for (const copied of to.rerun?.copies ?? []) {
    const job: Job = {
      ...copied,
      id: state.ids.next('jobs'),
      stage_run_id: row.id,
      original_id: copied.original_id ?? copied.id,
      is_rerun: 0,
    };
    stageRun.jobs.push(job);
    statements.push(...state.jobs.add(job, undefined));
  }
  return { statements, event: stageScheduled(stageRun), stageRun };
}

function stageRunRow(
  state: BuildState,
  { run, stage, position, counter, approvedBy, configuration, rerun }: StageToSchedule,
  now: number,
): StageRun {
  return {
    id: state.ids.next('stage_runs'),
    run_id: run.id,
    pipeline_key: run.pipeline_key,
    stage_key: keyOfName(stage.name),
    stage: stage.name,
    position,
    counter,
    result: 'Unknown',
    approval: stage.approval.type,
    approved_by: approvedBy,
    scheduled_at: now,
    completed_at: null,
    is_latest: 1,
    rerun_of_counter: rerun?.ofCounter ?? null,
    cancelled_by: null,
    fetch_materials: Number(stage.fetchMaterials),
    clean_working_directory: Number(stage.cleanWorkingDirectory),
    artifacts_deleted: 0,
    configuration,
  };
}

/** Adds a job that waits for an agent to a stage run in memory, and gives the statements that do the same. */
function addJob(state: BuildState, stageRun: ActiveStageRun, plan: StoredPlan, isRerun: boolean, now: number): CompiledQuery[] {
  const { row: inStage } = stageRun;
  const { name, pinnedTo } = plan.job;
  const row: Job = {
    id: state.ids.next('jobs'),
    stage_run_id: inStage.id,
    pipeline_key: inStage.pipeline_key,
    stage_key: inStage.stage_key,
    job_key: keyOfName(name),
    name,
    state: 'Scheduled',
    result: 'Unknown',
    agent_uuid: null,
    pinned_to: pinnedTo,
    scheduled_at: now,
    completed_at: null,
    is_rerun: Number(isRerun),
    original_id: null,
    epoch: 0,
    last_report: 0,
  };
  const job: ActiveJob = { row, stageRun, plan, transitions: 1, activeAt: now };
  stageRun.jobs.push(row);
  stageRun.active.set(row.id, job);
  return [...state.jobs.add(row, planText(plan)), state.jobs.addTransition({ job_id: row.id, position: 0, state: 'Scheduled', at: now })];
}
