// Runs of stages as JSON.
import type { ShownStage } from '../../../builds/runs/shown-stages.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { jobJson } from '../jobs/json.ts';
import { estimateJson } from '../runs/json.ts';

/** Whoever cancels what nobody cancelled. */
const THE_SERVER = 'Slipway';

export function stageJson({ run, stageRun, jobs, estimate }: ShownStage): JsonOut {
  return {
    name: stageRun.stage,
    counter: stageRun.counter,
    approval_type: stageRun.approval,
    approved_by: stageRun.approved_by,
    scheduled_at: stageRun.scheduled_at,
    last_transitioned_time: stageRun.completed_at ?? lastOf(jobs) ?? stageRun.scheduled_at,
    result: stageRun.result,
    ...(stageRun.result === 'Cancelled' && { cancelled_by: stageRun.cancelled_by ?? THE_SERVER }),
    rerun_of_counter: stageRun.rerun_of_counter,
    fetch_materials: stageRun.fetch_materials === 1,
    clean_working_directory: stageRun.clean_working_directory === 1,
    artifacts_deleted: stageRun.artifacts_deleted === 1,
    pipeline_name: run.pipeline,
    pipeline_counter: run.counter,
    ...estimateJson(estimate),
    jobs: jobs.map(jobJson),
  };
}

function lastOf(jobs: ShownStage['jobs']): number | undefined {
  const times = jobs.flatMap(({ transitions }) => transitions.map(({ at }) => at));
  return times.length === 0 ? undefined : Math.max(...times);
}
