// The messages and the documentation of the routes of maintenance mode.
import { ALREADY_ON, NOT_ON } from '../../../maintenance/mode.ts';
import type { Period } from '../../../maintenance/period.ts';
import { described, FLAG, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { drainedJson, infoJson } from './json.ts';
import { MAX_MINUTES, MAX_REASON_LENGTH } from './order.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const NOT_IN_MAINTENANCE = 'Server is not in maintenance mode.';
export const DEFAULT_WAIT_SECONDS = 60;
export const MAX_WAIT_SECONDS = 600;

const BUILD_JOB = objectSchema(
  {
    pipeline_name: described(TEXT, 'The pipeline.'),
    pipeline_counter: { type: 'integer', description: 'The counter of the run.' },
    stage_name: described(TEXT, 'The stage.'),
    stage_counter: described(TEXT, 'The counter of the stage run.'),
    name: described(TEXT, 'The name of the job.'),
    state: described(TEXT, 'Its state.'),
    scheduled_date: described(TIME, 'When it was scheduled.'),
    agent_uuid: described(MAYBE_TEXT, 'Its agent; null: none yet.'),
  },
  { title: 'Job under way' },
);
const MATERIAL_UPDATE = objectSchema(
  {
    type: described(TEXT, 'The type of the material.'),
    attributes: { type: 'object', additionalProperties: true, description: 'The attributes of the material, without secrets.' },
    mdu_start_time: described(TIME, 'When it began.'),
  },
  { title: 'Material update' },
);
const RUNNING_SYSTEMS = objectSchema(
  {
    material_update_in_progress: { type: 'array', items: MATERIAL_UPDATE, description: 'Materials that are being polled.' },
    building_jobs: { type: 'array', items: BUILD_JOB, description: 'Jobs that an agent is working on.' },
    scheduled_jobs: { type: 'array', items: BUILD_JOB, description: 'Jobs that wait for an agent.' },
    other_work: {
      type: 'array',
      items: objectSchema({ name: described(TEXT, 'Its name.'), start_time: described(TIME, 'When it began.') }),
      description: 'Other periodic work.',
    },
  },
  { title: 'Running systems' },
);
const INFO = objectSchema(
  {
    _links: LINKS,
    is_maintenance_mode: described(FLAG, 'Whether it is on.'),
    metadata: described(
      objectSchema({
        updated_by: { ...MAYBE_TEXT, description: 'Who last switched it on or off; null: nobody yet.' },
        updated_on: described(MAYBE_TIME, 'When.'),
      }),
      'The last change.',
    ),
  },
  {
    title: 'Maintenance mode',
    others: {
      attributes: {
        ...objectSchema({
          has_running_systems: { ...FLAG, description: 'Jobs that wait for an agent do not count.' },
          running_systems: described(RUNNING_SYSTEMS, 'What still runs.'),
          reason: described(MAYBE_TEXT, 'Why it is on.'),
          until: { ...MAYBE_TIME, description: 'When it ends by itself.' },
          survive_restart: described(FLAG, 'Whether it stays on after a restart.'),
        }),
        description: 'Only while it is on.',
      },
    },
  },
);
const DRAINED = objectSchema(
  { _links: LINKS, drained: { const: true }, running_systems: described(RUNNING_SYSTEMS, 'Jobs that wait for an agent.') },
  { title: 'Drained server' },
);

const EXAMPLE_ORDER = { reason: 'Moving to a new machine', minutes: 60 };
const EXAMPLE_PERIOD: Period = {
  by: 'admin',
  since: EXAMPLE_TIME,
  reason: EXAMPLE_ORDER.reason,
  until: EXAMPLE_TIME,
  survivesRestart: false,
};
const NOTHING_RUNS = { materialUpdates: [], otherWork: [], building: [], scheduled: [] };
const CONFIRM = { 'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' } };

export const ENABLE: Description = {
  summary: 'Switch maintenance mode on',
  details:
    'Until it is switched off, no periodic work is started, and writes are answered with 503. Reads still work, and so do changes of backups, access tokens and maintenance mode itself. The body is optional.',
  headers: CONFIRM,
  request: {
    isOptional: true,
    schema: {
      type: 'object',
      properties: {
        reason: { ...TEXT, maxLength: MAX_REASON_LENGTH, description: 'The reason, which is shown to users.' },
        minutes: { type: 'number', exclusiveMinimum: 0, maximum: MAX_MINUTES, description: 'After how many minutes it ends by itself.' },
        until: { ...TIME, description: 'When it ends by itself. Without either, it lasts until it is switched off.' },
        survive_restart: { ...FLAG, default: false, description: 'Whether it stays on after a restart of the server.' },
      },
    },
    example: EXAMPLE_ORDER,
  },
  status: 204,
  failures: { 409: { when: 'It is on already.', example: { message: ALREADY_ON } } },
};

export const DISABLE: Description = {
  summary: 'Switch maintenance mode off',
  headers: CONFIRM,
  status: 204,
  failures: {
    400: { when: 'The confirm header is missing, or the query parameter `dry_run` is neither true nor false.' },
    409: { when: 'It is not on.', example: { message: NOT_ON } },
  },
};

export const INFO_OF: Description = {
  summary: 'Show whether maintenance mode is on, and what is still running',
  response: INFO,
  example: infoJson({ period: EXAMPLE_PERIOD, lastChange: { by: 'admin', at: EXAMPLE_TIME }, running: NOTHING_RUNS }, EXAMPLE_BASE),
};

export const WAIT: Description = {
  summary: 'Wait until nothing is running any more',
  details: 'Answers as soon as everything that was started before maintenance mode has ended; at once if nothing is running.',
  query: {
    timeout: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: DEFAULT_WAIT_SECONDS,
      description: 'The longest wait, in seconds.',
    },
  },
  response: DRAINED,
  example: drainedJson(NOTHING_RUNS, EXAMPLE_BASE),
  failures: {
    400: { when: `\`timeout\` is not a whole number from 0 to ${MAX_WAIT_SECONDS}.` },
    409: { when: 'Maintenance mode is not on, or ended during the wait.', example: { message: NOT_IN_MAINTENANCE } },
    503: { when: 'Something is still running after this time; `drained` is false, and `running_systems` says what.' },
  },
};
