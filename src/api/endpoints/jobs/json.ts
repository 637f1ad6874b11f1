// Jobs as JSON.
import type { ShownRevision } from '../../../builds/runs/shown-runs.ts';
import type { ShownJob } from '../../../builds/runs/shown-stages.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Job, JobTransition } from '../../../store/builds/jobs.ts';
import { links } from '../common/links.ts';
import { estimateJson, revisionJson } from '../runs/json.ts';

export function jobJson({ job, run, stageRun, transitions, estimate }: ShownJob): JsonOut {
  return {
    name: job.name,
    state: job.state,
    result: job.result,
    original_job_id: job.original_id,
    scheduled_date: job.scheduled_at,
    completed_date: job.completed_at,
    ...durationsJson(job, transitions),
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

/** The facts for the members that only the page of a job shows. */
export interface JobDetails {
  readonly hostname: string | undefined;
  readonly environment: string | null;
  readonly revisions: readonly ShownRevision[];
  readonly base: string;
}

export function jobDetailsJson(shown: ShownJob, { hostname, environment, revisions, base }: JobDetails): JsonOut {
  const { job, run } = shown;
  return {
    _links: jobLinks(shown, base),
    ...jobJson(shown),
    pipeline_label: run.label,
    agent: agentJson(job.agent_uuid, new Map(hostname === undefined ? [] : [[job.agent_uuid ?? '', hostname]])),
    environment,
    material_revisions: revisions.map(revisionJson),
  };
}

/** `hostnames`: by the ids of agents. An agent that is gone is not in it. */
export function agentJson(uuid: string | null, hostnames: ReadonlyMap<string, string>): JsonOut | null {
  return uuid === null ? null : { uuid, hostname: hostnames.get(uuid) ?? null };
}

function jobLinks({ job, run, stageRun }: ShownJob, base: string): JsonOut {
  const ofRun = [run.pipeline, run.counter].map(encodeURIComponent).join('/');
  const ofStage = [ofRun, encodeURIComponent(stageRun.stage), stageRun.counter].join('/');
  const ofJob = `${ofStage}/${encodeURIComponent(job.name)}`;
  const named = [run.pipeline, stageRun.stage, job.name].map(encodeURIComponent).join('/');
  return links(base, {
    self: `/api/jobs/${ofJob}`,
    console: `/files/${ofJob}/cruise-output/console.log`,
    console_stream: `/api/jobs/${ofJob}/console`,
    artifacts: `/files/${ofJob}.json`,
    tests: `/api/jobs/${ofJob}/tests`,
    history: `/api/jobs/${named}/history`,
    stage: `/api/stages/${ofStage}`,
    pipeline: `/api/pipelines/${ofRun}/instance`,
  });
}

/** Until an agent has it, it waits; from then on it takes its time. A job that has not ended has no duration yet. */
function durationsJson({ scheduled_at: scheduled, completed_at: completed }: Job, transitions: readonly JobTransition[]): JsonOut {
  const assigned = transitions.find(({ state }) => state === 'Assigned')?.at;
  return {
    waiting_ms: assigned === undefined ? null : assigned - scheduled,
    duration_ms: assigned === undefined || completed === null ? null : completed - assigned,
  };
}
