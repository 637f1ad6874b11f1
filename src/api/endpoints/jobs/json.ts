// Jobs as JSON.
import type { ShownJob } from '../../../builds/runs/shown-stages.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { estimateJson } from '../runs/json.ts';

export function jobJson({ job, run, stageRun, transitions, estimate }: ShownJob): JsonOut {
  return {
    name: job.name,
    state: job.state,
    result: job.result,
    original_job_id: job.original_id,
    scheduled_date: job.scheduled_at,
    rerun: job.is_rerun === 1,
    agent_uuid: job.agent_uuid,
    pipeline_name: run.pipeline,
    pipeline_counter: run.counter,
    stage_name: stageRun.stage,
    stage_counter: String(stageRun.counter),
    ...estimateJson(estimate),
    job_state_transitions: transitions.map(({ state, at }) => ({ state, state_change_time: at })),
  };
}
