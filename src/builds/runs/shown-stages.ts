// Stage runs and jobs with all that is shown of them, read in as many statements whether there is one or a page of them.
import type { Job, JobTransition } from '../../store/builds/jobs.ts';
import type { Run } from '../../store/builds/runs.ts';
import type { StageRun } from '../../store/builds/stage-runs.ts';
import type { BuildTables } from './build-tables.ts';
import { type Estimate, Estimates } from './estimates.ts';

export interface ShownJob {
  readonly job: Job;
  readonly run: Run;
  readonly stageRun: StageRun;
  readonly transitions: readonly JobTransition[];
  readonly estimate: Estimate | undefined;
}

export interface ShownStage {
  readonly run: Run;
  readonly stageRun: StageRun;
  readonly jobs: readonly ShownJob[];
  readonly estimate: Estimate | undefined;
}

/** All of one pipeline. */
export async function shownStages(tables: BuildTables, stageRuns: readonly StageRun[]): Promise<ShownStage[]> {
  const runs = await runsOf(tables, stageRuns);
  const all = await tables.jobs.ofStageRuns(stageRuns.map(({ id }) => id));
  const jobs = all.filter(({ state }) => state !== 'Rescheduled');
  const shown = await withTransitions(tables, stageRuns, jobs);
  return stageRuns.map((stageRun) => {
    const run = runs.get(stageRun.run_id)!;
    const own = jobs.filter(({ stage_run_id: id }) => id === stageRun.id);
    return {
      run,
      stageRun,
      jobs: own.map((job) => ({ job, run, stageRun, ...shown.ofJob(job) })),
      estimate: shown.estimates.ofStage(stageRun),
    };
  });
}

/** All of one pipeline. */
export async function shownJobs(tables: BuildTables, jobs: readonly Job[]): Promise<ShownJob[]> {
  const stageRuns = await tables.stageRuns.byIds([...new Set(jobs.map(({ stage_run_id: id }) => id))]);
  const byId = new Map(stageRuns.map((stageRun) => [stageRun.id, stageRun]));
  const runs = await runsOf(tables, stageRuns);
  const shown = await withTransitions(tables, [], jobs);
  return jobs.map((job) => {
    const stageRun = byId.get(job.stage_run_id)!;
    return { job, stageRun, run: runs.get(stageRun.run_id)!, ...shown.ofJob(job) };
  });
}

async function runsOf(tables: BuildTables, stageRuns: readonly StageRun[]): Promise<Map<number, Run>> {
  const runs = await tables.runs.byIds([...new Set(stageRuns.map(({ run_id: id }) => id))]);
  return new Map(runs.map((run) => [run.id, run]));
}

async function withTransitions(tables: BuildTables, stageRuns: readonly StageRun[], jobs: readonly Job[]) {
  const pipelineKey = stageRuns[0]?.pipeline_key ?? jobs[0]?.pipeline_key ?? '';
  const estimates = await Estimates.read(tables.durations, pipelineKey, stageRuns, jobs);
  // One that stands for an earlier job went through the states of that one.
  const rows = await tables.jobs.transitionsOf([...new Set(jobs.map(({ id, original_id: original }) => original ?? id))]);
  const byJob = Map.groupBy(rows, ({ job_id: id }) => id);
  return {
    estimates,
    ofJob: (job: Job) => {
      const transitions = byJob.get(job.original_id ?? job.id) ?? [];
      return { transitions, estimate: estimates.ofJob(job, transitions) };
    },
  };
}
