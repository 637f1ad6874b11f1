// The messages and the documentation of the routes of stages.
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, FLAG, MESSAGE, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import type { Failure, RouteDescription } from '../../engine/route.ts';
import { EXAMPLE_JOB_JSON, JOB } from '../jobs/docs.ts';
import { CONFIRM, UNCONFIRMED } from '../runs/docs.ts';
import { PAGE_FAILURES, PAGE_LINKS, PAGE_QUERY } from '../runs/pages.ts';
import {
  ESTIMATE,
  EXAMPLE_JOB,
  EXAMPLE_MS,
  EXAMPLE_PIPELINE,
  EXAMPLE_STAGE,
  MAYBE_MS,
  MILLISECONDS,
  RESULTS,
  STAGE_STATES,
} from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, pipelineNotFound, VIEWERS } from '../runs/visibility.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const STAGES_CHAPTER = 'stages';
export const CANCELLED = 'Stage cancelled successfully.';
export const NOT_ACTIVE = 'Stage is not active. Cancellation Ignored.';
const OPERATORS = 'users who may operate the stage: those it names itself, or else those who may operate its pipeline group';
const NAMES = { pipeline_name: PIPELINE_PARAMETER, stage_name: { description: 'The name of the stage.', example: EXAMPLE_STAGE } };
const OF_STAGE_RUN = {
  ...NAMES,
  pipeline_counter: { description: 'The counter of the run.', example: '1' },
  stage_counter: { description: 'The counter of the stage run.', example: '1' },
};
const EXAMPLE_LOCATOR = `${EXAMPLE_PIPELINE}/1/${EXAMPLE_STAGE}`;

export function notOperator(stage: string, pipeline: string): string {
  return `User does not have operate permissions for stage [${stage}] of pipeline [${pipeline}]`;
}

export function mayNotCancel(stage: string): string {
  return `Unauthorized to operate stage named ${stage}`;
}

export function noRun(pipeline: string, counter: string): string {
  return `Not Found { Pipeline '${pipeline}' with counter '${counter}' not found }`;
}

export function noStageRun(stage: string, counter: string): string {
  return `Stage '${stage}' with counter '${counter}' not found. Please make sure specified stage or stage run with specified counter exists.`;
}

export function stageAccepted(locator: string): string {
  return `Request to schedule stage ${locator} accepted`;
}

export function jobsAccepted(locator: string): string {
  return `Request to rerun jobs for ${locator} accepted`;
}

export const STAGE = objectSchema(
  {
    name: described(TEXT, 'The name of the stage.'),
    counter: { type: 'integer', description: 'The counter of the stage run.' },
    approval_type: { enum: ['success', 'manual'], description: 'Whether it starts by itself.' },
    approved_by: { ...TEXT, description: 'Who started it; `changes` when it started by itself.' },
    scheduled_at: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
    last_transitioned_time: described(MILLISECONDS, 'When anything last happened in it, in milliseconds since the beginning of 1970.'),
    result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
    rerun_of_counter: { type: ['integer', 'null'], description: 'The stage run of which some jobs were run again.' },
    fetch_materials: described(FLAG, 'Whether its jobs get the materials.'),
    clean_working_directory: described(FLAG, 'Whether its jobs begin with an empty directory.'),
    artifacts_deleted: described(FLAG, 'Whether its artifacts have been deleted.'),
    pipeline_name: described(TEXT, 'The pipeline.'),
    pipeline_counter: { type: 'integer', description: 'The counter of the run.' },
    pipeline_label: described(TEXT, 'The label of the run.'),
    status: { enum: STAGE_STATES, description: 'Its state.' },
    completed_at: described(MAYBE_MS, 'When it ended; null: it has not ended.'),
    duration_ms: described(MAYBE_MS, 'How long it took, in milliseconds; null: it has not ended.'),
    config_revision: { type: 'integer', description: 'The revision of the configuration that it used.' },
    is_latest: described(FLAG, 'Whether the stage was not run again in this run of the pipeline.'),
    jobs: { type: 'array', items: JOB, description: 'Its jobs.' },
  },
  {
    title: 'Stage run',
    others: {
      cancelled_by: described(TEXT, 'The user who cancelled it, or `Slipway` for the server. Absent unless it was cancelled.'),
      ...ESTIMATE,
    },
  },
);

const EXAMPLE_STAGE_JSON: JsonOut = {
  name: EXAMPLE_STAGE,
  counter: 1,
  approval_type: 'success',
  approved_by: 'admin',
  scheduled_at: EXAMPLE_MS,
  last_transitioned_time: EXAMPLE_MS,
  result: 'Passed',
  rerun_of_counter: null,
  fetch_materials: true,
  clean_working_directory: false,
  artifacts_deleted: false,
  pipeline_name: EXAMPLE_PIPELINE,
  pipeline_counter: 1,
  pipeline_label: '1',
  status: 'Passed',
  completed_at: EXAMPLE_MS + 5000,
  duration_ms: 5000,
  config_revision: 7,
  is_latest: true,
  estimated_duration_ms: 5000,
  jobs: [EXAMPLE_JOB_JSON],
};

const NOT_NUMBER: Partial<Failure> = {
  when: 'A counter is not a whole number above 0.',
  example: { message: 'The pipeline counter should be an integer.' },
};
const UNKNOWN: Partial<Failure> = { example: { message: pipelineNotFound('unknown') } };

export const NO_ROOM = 'Cannot schedule: The server has run out of disk space';
const DISK_FULL: Partial<Failure> = { when: 'There is too little disk space left.', example: { message: NO_ROOM } };

export const RUN_STAGE: Description = {
  summary: 'Run a stage, or rerun it',
  details:
    'A stage that was run before gets the next counter. It uses the current configuration or, with `original`, the one of its first run; if the pipeline was in another group at that time, the user needs the right to operate there, too. The revisions stay those of the run. The body is optional.',
  callers: OPERATORS,
  parameters: { ...NAMES, pipeline_counter: { description: 'The counter of the run, or `latest` for the newest.', example: '1' } },
  headers: CONFIRM,
  request: {
    isOptional: true,
    schema: {
      type: 'object',
      properties: { configuration: { enum: ['current', 'original'], default: 'current', description: 'The configuration to use.' } },
    },
    example: { configuration: 'current' },
  },
  status: 202,
  response: MESSAGE,
  example: { message: stageAccepted(EXAMPLE_LOCATOR) },
  failures: {
    400: { when: 'The stage before it has not been run, or the body is not a JSON object, or `dry_run` is neither true nor false.' },
    403: { when: 'Not allowed.', example: { message: notOperator(EXAMPLE_STAGE, EXAMPLE_PIPELINE) } },
    404: UNKNOWN,
    409: {
      when: 'The pipeline is paused or locked, something of it is in progress, or the stage before did not pass.',
      example: { message: `Cannot schedule: Pipeline ${EXAMPLE_PIPELINE} is paused` },
    },
    422: { ...NOT_NUMBER, when: 'The counter is neither a whole number above 0 nor `latest`, or there is no such configuration.' },
    507: DISK_FULL,
  },
};

export const CANCEL: Description = {
  summary: 'Cancel a stage that is under way',
  details: 'Its jobs end at once, and agents are notified. This is allowed in maintenance mode, too.',
  callers: OPERATORS,
  parameters: OF_STAGE_RUN,
  headers: CONFIRM,
  response: MESSAGE,
  example: { message: NOT_ACTIVE },
  failures: {
    400: UNCONFIRMED,
    403: { when: 'Not allowed.', example: { message: mayNotCancel(EXAMPLE_STAGE) } },
    404: UNKNOWN,
    422: NOT_NUMBER,
  },
};

export const RERUN_FAILED: Description = {
  summary: 'Rerun the failed and cancelled jobs of a stage',
  details: 'The results of the other jobs are kept. This makes a new run of the stage.',
  callers: OPERATORS,
  parameters: OF_STAGE_RUN,
  headers: CONFIRM,
  status: 202,
  response: MESSAGE,
  example: { message: jobsAccepted(`${EXAMPLE_LOCATOR}/1`) },
  failures: {
    400: { when: `${UNCONFIRMED.when!.slice(0, -1)}, or there are no failed jobs.` },
    403: { when: 'Not allowed.', example: { message: notOperator(EXAMPLE_STAGE, EXAMPLE_PIPELINE) } },
    404: UNKNOWN,
    409: RUN_STAGE.failures![409]!,
    422: NOT_NUMBER,
    507: DISK_FULL,
  },
};

export const RERUN_SELECTED: Description = {
  summary: 'Rerun selected jobs of a stage',
  details: RERUN_FAILED.details!,
  callers: OPERATORS,
  parameters: OF_STAGE_RUN,
  request: { schema: objectSchema({ jobs: { ...TEXTS, description: 'The names of the jobs.' } }), example: { jobs: [EXAMPLE_JOB] } },
  status: 202,
  response: MESSAGE,
  example: { message: jobsAccepted(`${EXAMPLE_LOCATOR}/1`) },
  failures: {
    400: { when: 'No job is named, or the body is not a JSON object, or `dry_run` is neither true nor false.' },
    403: { when: 'Not allowed.', example: { message: notOperator(EXAMPLE_STAGE, EXAMPLE_PIPELINE) } },
    404: UNKNOWN,
    409: RUN_STAGE.failures![409]!,
    422: { when: '`jobs` is missing, or a counter is not a whole number above 0.' },
    507: DISK_FULL,
  },
};

export const INSTANCE: Description = {
  summary: 'Show a run of a stage',
  callers: VIEWERS,
  parameters: OF_STAGE_RUN,
  response: STAGE,
  example: EXAMPLE_STAGE_JSON,
  failures: { ...ACCESS_FAILURES, 422: NOT_NUMBER },
};

export const HISTORY: Description = {
  summary: 'List the runs of a stage, newest first',
  callers: VIEWERS,
  parameters: NAMES,
  query: PAGE_QUERY,
  response: objectSchema({ _links: PAGE_LINKS, stages: { type: 'array', items: STAGE, description: 'The runs of the stage.' } }),
  example: { _links: {}, stages: [EXAMPLE_STAGE_JSON] },
  failures: { ...ACCESS_FAILURES, ...PAGE_FAILURES },
};
