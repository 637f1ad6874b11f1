// What the routes of jobs say: in their answers, and in the documentation.
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { PAGE_FAILURES, PAGE_LINKS, PAGE_QUERY } from '../runs/pages.ts';
import { ESTIMATE, EXAMPLE_JOB, EXAMPLE_MS, EXAMPLE_PIPELINE, EXAMPLE_STAGE, JOB_STATES, MILLISECONDS, RESULTS } from '../runs/schemas.ts';
import { PIPELINE_PARAMETER, SIGHT_FAILURES, VIEWERS } from '../runs/sight.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const JOBS_CHAPTER = 'jobs';
const NAMES = {
  pipeline_name: PIPELINE_PARAMETER,
  stage_name: { description: 'The name of the stage.', example: EXAMPLE_STAGE },
  job_name: { description: 'The name of the job, as the run has it.', example: EXAMPLE_JOB },
};
export const OF_JOB = {
  ...NAMES,
  pipeline_counter: { description: 'Which run of the pipeline.', example: '1' },
  stage_counter: { description: 'Which run of the stage.', example: '1' },
};

export function jobNotFound(locator: string): string {
  return `No job instance was found for '${locator}'.`;
}

export const JOB = objectSchema(
  {
    name: described(TEXT, 'The name of the job.'),
    state: { enum: JOB_STATES, description: 'How far it is.' },
    result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
    original_job_id: {
      type: ['integer', 'null'],
      description: 'The job whose result this one stands for, where only others were run again.',
    },
    scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since 1970 began.'),
    rerun: described(FLAG, 'Whether it was run again by itself.'),
    agent_uuid: { ...MAYBE_TEXT, description: 'The agent that has it; null: none yet.' },
    pipeline_name: described(TEXT, 'The pipeline.'),
    pipeline_counter: { type: 'integer', description: 'Which run of the pipeline.' },
    stage_name: described(TEXT, 'The stage.'),
    stage_counter: described(TEXT, 'Which run of the stage.'),
    job_state_transitions: {
      type: 'array',
      description: 'The states it has had, in this order.',
      items: objectSchema({
        state: described(TEXT, 'The state.'),
        state_change_time: described(MILLISECONDS, 'Since when, in milliseconds since 1970 began.'),
      }),
    },
  },
  { title: 'Job', others: ESTIMATE },
);

export const EXAMPLE_JOB_JSON: JsonOut = {
  name: EXAMPLE_JOB,
  state: 'Completed',
  result: 'Passed',
  original_job_id: null,
  scheduled_date: EXAMPLE_MS,
  rerun: false,
  agent_uuid: 'adb9540a-b954-4571-9d9b-2f330739d4da',
  pipeline_name: EXAMPLE_PIPELINE,
  pipeline_counter: 1,
  stage_name: EXAMPLE_STAGE,
  stage_counter: '1',
  estimated_duration_ms: 4000,
  job_state_transitions: JOB_STATES.map((state, index) => ({ state, state_change_time: EXAMPLE_MS + 1000 * index })),
};

export const INSTANCE: Description = {
  summary: 'A job of a run',
  who: VIEWERS,
  parameters: OF_JOB,
  response: JOB,
  example: EXAMPLE_JOB_JSON,
  failures: {
    ...SIGHT_FAILURES,
    400: {
      when: 'A counter is not a whole number above 0.',
      example: { message: "The params 'pipeline_counter' must be a number greater than 0." },
    },
  },
};

export const HISTORY: Description = {
  summary: 'The runs of a job, newest first',
  who: VIEWERS,
  parameters: NAMES,
  query: PAGE_QUERY,
  response: objectSchema({ _links: PAGE_LINKS, jobs: { type: 'array', items: JOB, description: 'The jobs.' } }),
  example: { _links: {}, jobs: [EXAMPLE_JOB_JSON] },
  failures: { ...SIGHT_FAILURES, ...PAGE_FAILURES },
};
