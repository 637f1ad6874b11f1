// The schemas of runs, and the run that examples show.
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_TIME } from '../../engine/answer-example.ts';

export const EXAMPLE_PIPELINE = 'web';
export const EXAMPLE_STAGE = 'build';
export const EXAMPLE_JOB = 'compile';
export const EXAMPLE_MATERIAL = 'URL: https://scm.example.org/web.git, Branch: main';
export const EXAMPLE_MS = Date.parse(EXAMPLE_TIME);
export const EXAMPLE_REVISION = 'a788f1876e2e1f6e5a1e91006e75cd1d467a0edb';
export const EXAMPLE_FINGERPRINT = 'f6e7a3899c55e1682ffb00383bdf8f882bcee2141e79a8728254190a1fddcf4f';

export const EXAMPLE_AGENT_UUID = 'adb9540a-b954-4571-9d9b-2f330739d4da';

const COUNT: JsonSchema = { type: 'integer' };
export const MILLISECONDS: JsonSchema = { type: 'integer', description: 'Milliseconds since 1970 began.' };
/** Null: not yet. */
export const MAYBE_MS: JsonSchema = { type: ['integer', 'null'] };
export const STAGE_STATES = ['Unknown', 'Building', 'Failing', 'Passed', 'Failed', 'Cancelled'];
export const RESULTS = ['Unknown', 'Passed', 'Failed', 'Cancelled'];
export const JOB_STATES = ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing', 'Completed'];

/** Of stages and jobs. */
export const ESTIMATE: Readonly<Record<string, JsonSchema>> = {
  estimated_duration_ms: {
    type: 'integer',
    description:
      'How long it usually takes: the median of the last ten that passed; of a stage from being scheduled on, of a job from being given to an agent on. Absent when none has passed.',
  },
  estimated_end: {
    type: 'integer',
    description:
      'When one that is under way should end, in milliseconds since the beginning of 1970. Absent once it has ended, and for a job that waits for an agent.',
  },
};

const MODIFICATION = objectSchema(
  {
    revision: described(TEXT, 'The revision in the repository; of an upstream pipeline, the run of its stage.'),
    modified_time: described(MILLISECONDS, 'When it was made, in milliseconds since the beginning of 1970.'),
    user_name: described(MAYBE_TEXT, 'Who made it.'),
    comment: described(MAYBE_TEXT, 'Its comment.'),
    email_address: described(MAYBE_TEXT, 'The mail address of its author.'),
  },
  { title: 'Modification in a run' },
);
const MATERIAL = objectSchema(
  {
    name: described(TEXT, 'Its name, or where it is.'),
    fingerprint: described(TEXT, 'Its fingerprint.'),
    type: described(TEXT, 'Its type in words, such as `Git` or `Pipeline`.'),
    description: described(TEXT, 'Where it is.'),
  },
  { title: 'Material of a run' },
);
export const REVISION = objectSchema(
  {
    changed: described(FLAG, 'Whether it is new to the pipeline.'),
    material: described(MATERIAL, 'The material.'),
    modifications: { type: 'array', items: MODIFICATION, description: 'What is new in it, the newest first; at most 100.' },
  },
  {
    title: 'Revision in a run',
    others: {
      since_previous_run: {
        enum: ['newer', 'same', 'older'],
        description:
          'How the revision compares with that of the run before. Absent where that run was not made from this material, and for a job.',
      },
    },
  },
);
const JOB_IN_RUN = objectSchema(
  {
    name: described(TEXT, 'The name of the job.'),
    state: { enum: JOB_STATES, description: 'Its state.' },
    result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
    scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
    completed_date: described(MAYBE_MS, 'When it ended; null: it has not ended.'),
    agent_uuid: { ...MAYBE_TEXT, description: 'Its agent; null: none yet.' },
  },
  { title: 'Job in a run', others: ESTIMATE },
);
const STAGE_IN_RUN = objectSchema(
  {
    name: described(TEXT, 'The name of the stage.'),
    counter: described(TEXT, 'Which run of the stage this is; `1` for one that has not been run.'),
    scheduled: described(FLAG, 'Whether it has been run.'),
    status: { enum: STAGE_STATES, description: 'Its state.' },
    result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
    approval_type: { enum: ['success', 'manual', null], description: 'Whether it starts by itself.' },
    approved_by: { ...MAYBE_TEXT, description: 'Who started it; `changes` when it started by itself.' },
    rerun_of_counter: { type: ['integer', 'null'], description: 'The run of the stage some of whose jobs were run again.' },
    operate_permission: described(FLAG, 'Whether you may operate it.'),
    can_run: described(FLAG, 'Whether you could run it now, or run it again.'),
    allow_only_on_success: described(FLAG, 'Whether users can start it only when the stage before it has passed.'),
    awaits_approval: described(FLAG, 'Whether it waits for a user to start it, and could be started now.'),
    can_rerun_jobs: described(FLAG, 'Whether you could run some of its jobs again now.'),
    can_rerun_failed_jobs: described(FLAG, 'Whether you could run its failed and cancelled jobs again now.'),
    scheduled_date: described(MAYBE_MS, 'When it was scheduled; null: it has not been run.'),
    completed_date: described(MAYBE_MS, 'When it ended; null: it has not ended.'),
    config_revision: {
      type: ['integer', 'null'],
      description: 'The revision of the configuration that it was made by; null: it has not been run.',
    },
    jobs: { type: 'array', items: JOB_IN_RUN, description: 'Its jobs. Estimates are included while they are under way.' },
  },
  {
    title: 'Stage in a run',
    others: {
      cancelled_by: described(TEXT, 'The user who cancelled it, or `Slipway` for the server. Absent unless it was cancelled.'),
      ...ESTIMATE,
    },
  },
);

export const RUN = objectSchema(
  {
    name: described(TEXT, 'The pipeline.'),
    counter: described(COUNT, 'Which run of the pipeline this is.'),
    label: described(TEXT, 'Its label.'),
    natural_order: { type: 'number', description: 'Its place among the runs.' },
    can_run: described(FLAG, 'Whether you could trigger the pipeline now.'),
    preparing_to_schedule: { ...FLAG, description: 'Always false: what is not scheduled yet is no run.' },
    comment: { ...MAYBE_TEXT, description: 'The comment of a user on it.' },
    scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
    config_revision: described(COUNT, 'The revision of the configuration that it was made by.'),
    build_cause: described(
      objectSchema({
        trigger_message: described(TEXT, 'What set it off, in words.'),
        trigger_forced: described(FLAG, 'Whether a user or a timer asked for it.'),
        approver: described(TEXT, '`changes`, `timer`, or who asked for it.'),
        material_revisions: { type: 'array', items: REVISION, description: 'What it was made from.' },
      }),
      'What set it off, and what it was made from.',
    ),
    stages: { type: 'array', items: STAGE_IN_RUN, description: 'Its stages, those that have not been run yet, too.' },
  },
  { title: 'Run' },
);

/** A run in short; null: there is none. */
export const MAYBE_RUN: JsonSchema = {
  oneOf: [
    objectSchema({
      counter: described(COUNT, 'Its counter.'),
      label: described(TEXT, 'Its label.'),
      scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
    }),
    { type: 'null' },
  ],
};

export const EXAMPLE_REVISIONS: JsonOut[] = [
  {
    changed: true,
    material: {
      name: EXAMPLE_MATERIAL,
      fingerprint: EXAMPLE_FINGERPRINT,
      type: 'Git',
      description: EXAMPLE_MATERIAL,
    },
    modifications: [
      {
        revision: EXAMPLE_REVISION,
        modified_time: EXAMPLE_MS,
        user_name: 'Ann Other <ann@example.org>',
        comment: 'Take the new logo',
        email_address: null,
      },
    ],
  },
];

export const EXAMPLE_RUN: JsonOut = {
  name: EXAMPLE_PIPELINE,
  counter: 1,
  label: '1',
  natural_order: 1,
  can_run: true,
  preparing_to_schedule: false,
  comment: null,
  scheduled_date: EXAMPLE_MS,
  config_revision: 7,
  build_cause: {
    trigger_message: 'Forced by admin',
    trigger_forced: true,
    approver: 'admin',
    material_revisions: EXAMPLE_REVISIONS,
  },
  stages: [
    {
      name: EXAMPLE_STAGE,
      counter: '1',
      scheduled: true,
      status: 'Passed',
      result: 'Passed',
      approval_type: 'success',
      approved_by: 'admin',
      rerun_of_counter: null,
      operate_permission: true,
      can_run: true,
      allow_only_on_success: false,
      awaits_approval: false,
      can_rerun_jobs: true,
      can_rerun_failed_jobs: false,
      scheduled_date: EXAMPLE_MS,
      completed_date: EXAMPLE_MS + 5000,
      config_revision: 7,
      jobs: [
        {
          name: EXAMPLE_JOB,
          state: 'Completed',
          result: 'Passed',
          scheduled_date: EXAMPLE_MS,
          completed_date: EXAMPLE_MS + 5000,
          agent_uuid: EXAMPLE_AGENT_UUID,
        },
      ],
    },
  ],
};
