// Runs of stages as JSON.
import { stageStateOf } from '../../../builds/jobs/job-states.ts';
import type { ShownStage } from '../../../builds/runs/shown-stages.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { agentJson, jobJson } from '../jobs/json.ts';
import { estimateJson, THE_SERVER } from '../runs/json.ts';

/** `hostnames`: the names of agents, by their ids; undefined: agents are left out. */
export function stageJson({ run, stageRun, jobs, estimate }: ShownStage, hostnames?: ReadonlyMap<string, string>): JsonOut {
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
    pipeline_label: run.label,
    status: stageStateOf(jobs.map(({ job }) => job)).state,
    completed_at: stageRun.completed_at,
    duration_ms: stageRun.completed_at === null ? null : stageRun.completed_at - stageRun.scheduled_at,
    config_revision: stageRun.configuration,
    is_latest: stageRun.is_latest === 1,
    ...estimateJson(estimate),
    jobs: jobs.map((shown) => ({ ...jobJson(shown), ...(hostnames && { agent: agentJson(shown.job.agent_uuid, hostnames) }) })),
  };
}

function lastOf(jobs: ShownStage['jobs']): number | undefined {
  const times = jobs.flatMap(({ transitions }) => transitions.map(({ at }) => at));
  return times.length === 0 ? undefined : Math.max(...times);
}
