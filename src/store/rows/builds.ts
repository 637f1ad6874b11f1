// The rows of builds: runs of pipelines, of their stages, their jobs, and the agents that work on them. Times are milliseconds.
/** A job goes through them in this order; `Rescheduled` is the end of one that another one replaces. */
export type JobState = 'Scheduled' | 'Assigned' | 'Preparing' | 'Building' | 'Completing' | 'Completed' | 'Rescheduled';
/** Of a job, and of a stage run. `Unknown` until it is completed. */
export type JobResult = 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';

/** The last counter of a pipeline. It outlives the pipeline: a counter is never used twice. */
export interface PipelineCounterRow {
  /** The name in lower case. */
  key: string;
  last: number;
}

export interface RunRow {
  id: number;
  pipeline_key: string;
  /** The name as it was written then. */
  pipeline: string;
  counter: number;
  label: string;
  /** The kind of trigger: `changes`, `timer` or `manual`. */
  trigger: string;
  /** The build cause in words. */
  message: string;
  approver: string;
  comment: string | null;
  scheduled_at: number;
  /** JSON: variables that were given with a manual trigger, secure ones sealed. */
  variables: string;
  /** The revision of the configuration that it was made by. */
  configuration: number;
}

/** The revisions that a run was made from, one row for each material. */
export interface RunRevisionRow {
  run_id: number;
  position: number;
  pipeline_key: string;
  fingerprint: string;
  type: string;
  name: string | null;
  folder: string | null;
  /** For people, without secrets. */
  description: string;
  is_changed: number;
  /** The ids of the oldest and the newest modification in it. */
  first: number;
  last: number;
}

export interface StageRunRow {
  id: number;
  run_id: number;
  pipeline_key: string;
  stage_key: string;
  stage: string;
  /** Its place in the pipeline, from 0. */
  position: number;
  counter: number;
  result: JobResult;
  approval: string;
  approved_by: string;
  scheduled_at: number;
  completed_at: number | null;
  is_latest: number;
  rerun_of_counter: number | null;
  cancelled_by: string | null;
  fetch_materials: number;
  clean_working_directory: number;
  artifacts_deleted: number;
  configuration: number;
}

/** The figures of a stage run, counted when it is completed. */
export interface StageStatisticsRow {
  stage_run_id: number;
  /** The longest that one of its jobs waited for an agent. */
  waiting_ms: number;
}

export interface JobRow {
  id: number;
  stage_run_id: number;
  pipeline_key: string;
  stage_key: string;
  job_key: string;
  name: string;
  state: JobState;
  result: JobResult;
  agent_uuid: string | null;
  /** Only this agent may run it. */
  pinned_to: string | null;
  scheduled_at: number;
  completed_at: number | null;
  is_rerun: number;
  /** The job whose result this one stands for, where only others were run again. */
  original_id: number | null;
  /** Grows with each assignment: reports of an earlier one do not count. */
  epoch: number;
  /** The number of the last report of the agent. */
  last_report: number;
}

/** All that an agent needs, as JSON with sealed secrets. It goes when the job is completed. */
export interface JobPlanRow {
  job_id: number;
  plan: string;
}

export interface JobTransitionRow {
  job_id: number;
  position: number;
  state: JobState;
  at: number;
}

export interface AgentRow {
  uuid: string;
  hostname: string;
  ip_address: string;
  sandbox: string;
  operating_system: string;
  version: string;
  /** `Pending`, `Enabled` or `Disabled`. */
  config_state: string;
  /** JSON lists, as is `environments`. */
  resources: string;
  environments: string;
  elastic_agent_id: string | null;
  elastic_plugin_id: string | null;
  /** SHA-256 of its token, in hex. */
  token_hash: string;
  /** It was started by the server itself. */
  is_local: number;
  registered_at: number;
  free_space: number | null;
}

/** A pipeline that only one run may be active in, and which one. */
export interface PipelineLockRow {
  key: string;
  run_id: number;
}

/** A run that a user or a timer has requested, and that is not scheduled yet. At most one for each pipeline. */
export interface TriggerRequestRow {
  key: string;
  /** JSON. */
  content: string;
  requested_at: number;
}

/** A timer that has fired, so that no other server fires it again. */
export interface TimerFiringRow {
  key: string;
  instant: number;
}
