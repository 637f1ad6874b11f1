// The messages and the documentation of the routes of runs.
import { noLock } from '../../../builds/runs/unlock.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { Failure, RouteDescription } from '../../engine/route.ts';
import { PAGE_FAILURES, PAGE_LINKS, PAGE_QUERY } from './pages.ts';
import { notConfigured, rejected } from './schedule-order.ts';
import { EXAMPLE_FINGERPRINT, EXAMPLE_MATERIAL, EXAMPLE_PIPELINE, EXAMPLE_REVISION, EXAMPLE_RUN, MAYBE_RUN, RUN } from './schemas.ts';
import { ACCESS_FAILURES, OPERATORS, PIPELINE_PARAMETER, VIEWERS } from './visibility.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const RUNS_CHAPTER = 'runs';
export const MAX_CAUSE_LENGTH = 1000;
export const MAX_COMMENT_LENGTH = 10_000;
export const COMMENTED = 'Comment successfully updated.';
export const CONFIRM: Readonly<Record<string, JsonSchema>> = {
  'X-Svc-Confirm': { ...TEXT, description: 'Needed when there is no body; `true`.' },
};
export const UNCONFIRMED: Partial<Failure> = {
  when: 'The confirm header is missing, or the query parameter `dry_run` is neither true nor false.',
};
const OF_PIPELINE = { pipeline_name: PIPELINE_PARAMETER };
const OF_RUN = { ...OF_PIPELINE, pipeline_counter: { description: 'Which run of the pipeline.', example: '1' } };

/** A request for a run has words of its own for it. */
export function noPipelineToTrigger(name: string): string {
  return `Pipeline '${name}' not found.`;
}

export function runNotFound(pipeline: string, counter: string): string {
  return `Pipeline [${pipeline}/${counter}] not found.`;
}

export function scheduled(pipeline: string): string {
  return `Request to schedule pipeline ${pipeline} accepted`;
}

export function alreadyTriggered(pipeline: string): string {
  return `Failed to trigger pipeline: ${pipeline} { Pipeline already triggered }`;
}

export function alreadyPaused(name: string): string {
  return `Failed to pause pipeline '${name}'. Pipeline '${name}' is already paused.`;
}

export function alreadyUnpaused(name: string): string {
  return `Failed to unpause pipeline '${name}'. Pipeline '${name}' is already unpaused.`;
}

export const PAUSE: Description = {
  summary: 'Pause a pipeline',
  details:
    'Nothing new is scheduled until it is unpaused: no runs, and no stages that start by themselves. What runs goes on. The body can be left out.',
  callers: OPERATORS,
  parameters: OF_PIPELINE,
  headers: CONFIRM,
  request: {
    isOptional: true,
    schema: {
      type: 'object',
      properties: { pause_cause: { ...TEXT, maxLength: MAX_CAUSE_LENGTH, description: 'Why; shown to those who ask.' } },
    },
    example: { pause_cause: 'Investigating a failure' },
  },
  response: MESSAGE,
  example: { message: `Pipeline '${EXAMPLE_PIPELINE}' paused successfully.` },
  failures: { ...ACCESS_FAILURES, 409: { when: 'It is paused already.', example: { message: alreadyPaused(EXAMPLE_PIPELINE) } } },
};

/** Without a body. */
const CONFIRMED_OPERATION = { callers: OPERATORS, parameters: OF_PIPELINE, headers: CONFIRM, response: MESSAGE };

export const UNPAUSE: Description = {
  ...CONFIRMED_OPERATION,
  summary: 'Let a paused pipeline run again',
  details: 'What has changed meanwhile sets it off at once.',
  example: { message: `Pipeline '${EXAMPLE_PIPELINE}' unpaused successfully.` },
  failures: {
    ...ACCESS_FAILURES,
    400: UNCONFIRMED,
    409: { when: 'It is not paused.', example: { message: alreadyUnpaused(EXAMPLE_PIPELINE) } },
  },
};

export const UNLOCK: Description = {
  ...CONFIRMED_OPERATION,
  summary: 'Release the lock of a pipeline',
  example: { message: `Pipeline lock released for ${EXAMPLE_PIPELINE}` },
  failures: {
    ...ACCESS_FAILURES,
    400: UNCONFIRMED,
    409: { when: 'It is not locked, or the run that holds the lock is under way.', example: { message: noLock(EXAMPLE_PIPELINE) } },
  },
};

export const STATUS: Description = {
  summary: 'Whether a pipeline is paused, locked, and could be triggered now',
  details: 'And what you may do with it.',
  callers: VIEWERS,
  parameters: OF_PIPELINE,
  response: objectSchema({
    name: described(TEXT, 'Its name, as it is written in the configuration.'),
    group: described(TEXT, 'The pipeline group that it is in.'),
    paused: described(FLAG, 'Whether it is paused.'),
    paused_cause: described(TEXT, 'Why; empty when it is not.'),
    paused_by: described(TEXT, 'Who paused it; empty when it is not paused.'),
    paused_at: { ...MAYBE_TEXT, description: 'When it was paused; null: it is not.' },
    locked: described(FLAG, 'Whether a run holds its lock, so that no other may begin.'),
    locked_by: { ...MAYBE_RUN, description: 'The run that holds the lock; null: none does.' },
    schedulable: described(FLAG, 'Whether nothing stands in the way of a run that a user asks for.'),
    can_trigger: described(FLAG, 'Whether you may trigger it.'),
    can_operate: described(FLAG, 'Whether you may pause and unlock it, and comment its runs.'),
    can_administer: described(FLAG, 'Whether you may change it.'),
  }),
  example: {
    name: EXAMPLE_PIPELINE,
    group: 'shop',
    paused: false,
    paused_cause: '',
    paused_by: '',
    paused_at: null,
    locked: false,
    locked_by: null,
    schedulable: true,
    can_trigger: true,
    can_operate: true,
    can_administer: true,
  },
  failures: ACCESS_FAILURES,
};

export const TRIGGER_OPTIONS: Description = {
  summary: 'What can be said of a run of a pipeline when it is triggered',
  callers: 'users who may start the first stage of the pipeline',
  parameters: OF_PIPELINE,
  response: objectSchema({
    variables: {
      type: 'array',
      description: 'Its environment variables.',
      items: objectSchema(
        { name: described(TEXT, 'The name.'), secure: described(FLAG, 'Whether it is a secret.') },
        { others: { value: described(TEXT, 'Its value, unless it is a secret.') } },
      ),
    },
    materials: {
      type: 'array',
      description: 'Its materials.',
      items: objectSchema(
        {
          type: described(TEXT, 'The type in words, such as `Git` or `Pipeline`.'),
          name: described(TEXT, 'Its name, or where it is.'),
          fingerprint: described(TEXT, 'Its fingerprint.'),
          revision: described(
            objectSchema({
              date: { ...MAYBE_TEXT, description: 'When the newest one that is known was made.' },
              user: { ...MAYBE_TEXT, description: 'Who made it.' },
              comment: { ...MAYBE_TEXT, description: 'What was said of it.' },
              last_run_revision: { ...MAYBE_TEXT, description: 'The revision that the last run was made from; null: there was none.' },
              latest_revision: { ...MAYBE_TEXT, description: 'The newest one that is known; null: none yet.' },
            }),
            'The newest revision that is known.',
          ),
        },
        { others: { folder: described(TEXT, 'Where it is checked out, if not in the working directory itself.') } },
      ),
    },
  }),
  example: {
    variables: [
      { name: 'MODE', secure: false, value: 'test' },
      { name: 'TOKEN', secure: true },
    ],
    materials: [
      {
        type: 'Git',
        name: EXAMPLE_MATERIAL,
        fingerprint: EXAMPLE_FINGERPRINT,
        revision: {
          date: EXAMPLE_TIME,
          user: 'Ann Other <ann@example.org>',
          comment: 'Take the new logo',
          last_run_revision: null,
          latest_revision: EXAMPLE_REVISION,
        },
      },
    ],
  },
  failures: ACCESS_FAILURES,
};

export const SCHEDULE: Description = {
  summary: 'Trigger a pipeline',
  details:
    'Accepted as soon as it is on disk: the materials are polled first, then the run is scheduled. What went wrong then is a message of server health. The body can be left out.',
  callers: 'users who may start the first stage of the pipeline',
  parameters: OF_PIPELINE,
  headers: CONFIRM,
  request: {
    isOptional: true,
    schema: {
      type: 'object',
      properties: {
        update_materials_before_scheduling: { ...FLAG, default: true, description: 'Whether to poll the materials first.' },
        environment_variables: {
          type: 'array',
          description: 'Other values for variables of the pipeline, for this run.',
          items: objectSchema(
            { name: described(TEXT, 'A variable that the pipeline has.'), value: described(TEXT, 'Its value.') },
            { others: { secure: { ...FLAG, default: false, description: 'Whether it is a secret; one that is configured as one is.' } } },
          ),
        },
        materials: {
          type: 'array',
          description: 'Other revisions than the newest.',
          items: objectSchema({
            fingerprint: described(TEXT, 'The fingerprint of a material of the pipeline.'),
            revision: described(TEXT, 'A revision of it that is known.'),
          }),
        },
      },
    },
    example: { update_materials_before_scheduling: false },
  },
  status: 202,
  response: MESSAGE,
  example: { message: scheduled(EXAMPLE_PIPELINE) },
  failures: {
    ...ACCESS_FAILURES,
    404: { example: { message: noPipelineToTrigger('unknown') } },
    409: {
      when: 'It is triggered already, paused or locked, or its first stage is in progress.',
      example: { message: alreadyTriggered(EXAMPLE_PIPELINE) },
    },
    422: {
      when: 'It has no such variable, material or revision.',
      example: { message: rejected(notConfigured('COLOUR', EXAMPLE_PIPELINE)) },
    },
    507: {
      when: 'There is too little disk space left.',
      example: { message: `Failed to trigger pipeline [${EXAMPLE_PIPELINE}] { The server has run out of disk space }` },
    },
  },
};

const NO_RUN: Readonly<Record<number, Partial<Failure>>> = {
  ...ACCESS_FAILURES,
  422: { when: 'The counter is not a whole number above 0.', example: { message: 'The pipeline counter should be an integer.' } },
};

export const HISTORY: Description = {
  summary: 'The runs of a pipeline, newest first',
  callers: VIEWERS,
  parameters: OF_PIPELINE,
  query: PAGE_QUERY,
  response: objectSchema({ _links: PAGE_LINKS, pipelines: { type: 'array', items: RUN, description: 'The runs.' } }),
  example: { _links: {}, pipelines: [EXAMPLE_RUN] },
  failures: { ...ACCESS_FAILURES, ...PAGE_FAILURES },
};

export const INSTANCE: Description = {
  summary: 'A run of a pipeline',
  callers: VIEWERS,
  parameters: OF_RUN,
  response: RUN,
  example: EXAMPLE_RUN,
  failures: NO_RUN,
};

export const INSTANCE_FOR_CLIENTS: Description = {
  ...INSTANCE,
  summary: 'A run of a pipeline, at the address that public clients ask',
};

export const COMMENT: Description = {
  summary: 'Say something of a run',
  callers: OPERATORS,
  parameters: OF_RUN,
  request: {
    schema: objectSchema({ comment: { ...TEXT, maxLength: MAX_COMMENT_LENGTH, description: 'The text; empty: nothing any more.' } }),
    example: { comment: 'Shown to the customer' },
  },
  response: MESSAGE,
  example: { message: COMMENTED },
  failures: { ...ACCESS_FAILURES, 422: { when: 'There is no comment, or the counter is not a whole number above 0.' } },
};
