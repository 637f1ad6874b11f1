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
  'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' },
};
export const UNCONFIRMED: Partial<Failure> = {
  when: 'The confirm header is missing, or the query parameter `dry_run` is neither true nor false.',
};
const OF_PIPELINE = { pipeline_name: PIPELINE_PARAMETER };
const OF_RUN = { ...OF_PIPELINE, pipeline_counter: { description: 'The counter of the run.', example: '1' } };

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
    'Nothing new is scheduled until it is unpaused: no runs, and no stages that start by themselves. What is running goes on. The body is optional.',
  callers: OPERATORS,
  parameters: OF_PIPELINE,
  headers: CONFIRM,
  request: {
    isOptional: true,
    schema: {
      type: 'object',
      properties: { pause_cause: { ...TEXT, maxLength: MAX_CAUSE_LENGTH, description: 'The reason, which is shown to users.' } },
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
  summary: 'Unpause a pipeline',
  details: 'If its materials have changed meanwhile, it is triggered at once.',
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
  summary: 'Show whether a pipeline is paused, locked, and can be triggered',
  details: 'Also shows what you may do with it.',
  callers: VIEWERS,
  parameters: OF_PIPELINE,
  response: objectSchema({
    name: described(TEXT, 'Its name, as written in the configuration.'),
    group: described(TEXT, 'The pipeline group that it is in.'),
    paused: described(FLAG, 'Whether it is paused.'),
    paused_cause: described(TEXT, 'The reason; empty when it is not paused.'),
    paused_by: described(TEXT, 'Who paused it; empty when it is not paused.'),
    paused_at: { ...MAYBE_TEXT, description: 'When it was paused; null: it is not paused.' },
    locked: described(FLAG, 'Whether a run holds its lock, so that no other run can start.'),
    locked_by: { ...MAYBE_RUN, description: 'The run that holds the lock; null: none does.' },
    schedulable: described(FLAG, 'Whether a user could trigger it now.'),
    can_trigger: described(FLAG, 'Whether you may trigger it.'),
    can_operate: described(FLAG, 'Whether you may pause and unlock it, and comment on its runs.'),
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
  summary: 'Show what can be chosen when a pipeline is triggered',
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
              date: { ...MAYBE_TEXT, description: 'When the newest known revision was made.' },
              user: { ...MAYBE_TEXT, description: 'Who made it.' },
              comment: { ...MAYBE_TEXT, description: 'Its comment.' },
              last_run_revision: { ...MAYBE_TEXT, description: 'The revision that the last run used; null: there was no run.' },
              latest_revision: { ...MAYBE_TEXT, description: 'The newest known revision; null: none yet.' },
            }),
            'The newest known revision.',
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
    'The request is accepted as soon as it is stored. Then the materials are polled, and the run is scheduled. If that fails, a server health message says why. The body is optional.',
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
          description: 'Values for variables of the pipeline, only for this run.',
          items: objectSchema(
            { name: described(TEXT, 'A variable that the pipeline has.'), value: described(TEXT, 'Its value.') },
            {
              others: {
                secure: {
                  ...FLAG,
                  default: false,
                  description: 'Whether it is a secret. A variable that is configured as secret always is.',
                },
              },
            },
          ),
        },
        materials: {
          type: 'array',
          description: 'Revisions to use instead of the newest ones.',
          items: objectSchema({
            fingerprint: described(TEXT, 'The fingerprint of a material of the pipeline.'),
            revision: described(
              TEXT,
              'A known revision of it. Of a git or Mercurial repository, 7 or more digits are enough if no other revision begins with them.',
            ),
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
      when: 'It has no such variable, material or revision. A refused revision stands in `data.errors` by the fingerprint of its material.',
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
  summary: 'List the runs of a pipeline, newest first',
  callers: VIEWERS,
  parameters: OF_PIPELINE,
  query: PAGE_QUERY,
  response: objectSchema({ _links: PAGE_LINKS, pipelines: { type: 'array', items: RUN, description: 'The runs.' } }),
  example: { _links: {}, pipelines: [EXAMPLE_RUN] },
  failures: { ...ACCESS_FAILURES, ...PAGE_FAILURES },
};

export const INSTANCE: Description = {
  summary: 'Show a run of a pipeline',
  callers: VIEWERS,
  parameters: OF_RUN,
  response: RUN,
  example: EXAMPLE_RUN,
  failures: NO_RUN,
};

export const INSTANCE_FOR_CLIENTS: Description = {
  ...INSTANCE,
  summary: 'Show a run of a pipeline, at the address that public clients use',
};

export const COMMENT: Description = {
  summary: 'Comment on a run',
  callers: OPERATORS,
  parameters: OF_RUN,
  request: {
    schema: objectSchema({
      comment: { ...TEXT, maxLength: MAX_COMMENT_LENGTH, description: 'The text; an empty text removes the comment.' },
    }),
    example: { comment: 'Shown to the customer' },
  },
  response: MESSAGE,
  example: { message: COMMENTED },
  failures: { ...ACCESS_FAILURES, 422: { when: 'There is no comment, or the counter is not a whole number above 0.' } },
};
