// Runs, stages and jobs in answers of the API: the fields that pages use.
import type { Notice } from './live/messages.ts';

export interface EstimatedTimes {
  /** How long it usually takes; absent: not known yet. */
  readonly estimated_duration_ms?: number;
  readonly estimated_end?: number;
}

export interface Modification {
  readonly revision: string;
  readonly modified_time: number | string | null;
  readonly user_name: string | null;
  readonly comment: string | null;
}

export interface MaterialRevision {
  readonly changed: boolean;
  readonly material: { readonly name: string; readonly fingerprint: string; readonly type: string; readonly description: string };
  readonly modifications: readonly Modification[];
}

export interface StageOfRun extends EstimatedTimes {
  readonly name: string;
  readonly counter: string;
  readonly scheduled: boolean;
  readonly status: string;
  readonly approval_type: 'success' | 'manual' | null;
  readonly operate_permission: boolean;
  readonly can_run: boolean;
  readonly can_rerun_jobs: boolean;
  readonly can_rerun_failed_jobs: boolean;
}

export interface RunAnswer {
  readonly name: string;
  readonly counter: number;
  readonly label: string;
  readonly comment: string | null;
  readonly build_cause: {
    readonly trigger_message: string;
    readonly approver: string;
    readonly material_revisions: readonly MaterialRevision[];
  };
  readonly stages: readonly StageOfRun[];
}

export interface AgentOfJob {
  readonly uuid: string;
  readonly hostname: string | null;
}

export interface JobAnswer extends EstimatedTimes {
  readonly name: string;
  readonly state: string;
  readonly result: string;
  readonly scheduled_date: number;
  readonly completed_date: number | null;
  readonly waiting_ms: number | null;
  readonly duration_ms: number | null;
  readonly rerun: boolean;
  readonly original_job_id: number | null;
  readonly agent?: AgentOfJob | null;
  readonly job_state_transitions: readonly { readonly state: string; readonly state_change_time: number }[];
}

export interface StageRunAnswer extends EstimatedTimes {
  readonly name: string;
  readonly counter: number;
  readonly approval_type: string;
  readonly approved_by: string;
  readonly cancelled_by?: string;
  readonly scheduled_at: number;
  readonly completed_at: number | null;
  readonly duration_ms: number | null;
  readonly result: string;
  readonly status: string;
  readonly rerun_of_counter: number | null;
  readonly artifacts_deleted: boolean;
  readonly pipeline_name: string;
  readonly pipeline_counter: number;
  readonly pipeline_label: string;
  readonly jobs: readonly JobAnswer[];
}

/** Which run of which stage. */
export interface StageLocator {
  readonly pipeline: string;
  readonly counter: number;
  readonly stage: string;
  readonly stageCounter: number;
}

/** Whether a notice is about the pipeline: any of its runs may have changed. */
export function isAboutPipeline(pipeline: string): (notice: Notice) => boolean {
  return ({ kind, name }) => kind === 'pipeline' && isSame(name, pipeline);
}

/** Whether a notice is about the stage, or one of its jobs. */
export function isAboutStage(at: StageLocator): (notice: Notice) => boolean {
  return (notice) => (notice.kind === 'stage' || notice.kind === 'job') && isAt(notice, at);
}

function isAt({ pipeline, counter, stage, stage_counter }: Notice, at: StageLocator): boolean {
  return isSame(pipeline, at.pipeline) && counter === at.counter && isSame(stage, at.stage) && stage_counter === at.stageCounter;
}

/** Compares names; letter case does not count. */
export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** The result of a completed job, or the state of a job that is under way. */
export function jobStatus({ state, result }: Pick<JobAnswer, 'state' | 'result'>): string {
  return state === 'Completed' ? result : state;
}

/** Whether nothing goes on until an agent takes one of these jobs. */
export function isWithoutAgent(jobs: readonly Pick<JobAnswer, 'state'>[]): boolean {
  const open = jobs.filter(({ state }) => state !== 'Completed');
  return open.length > 0 && open.every(({ state }) => state === 'Scheduled');
}

/** When an agent got the job; undefined: it waits for an agent. */
export function startOf({ job_state_transitions: transitions }: JobAnswer): number | undefined {
  return transitions.find(({ state }) => state === 'Assigned')?.state_change_time;
}
