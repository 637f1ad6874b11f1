// The messages and the documentation of the routes of jobs.
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, LINKS, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { links } from '../common/links.ts';
import { PAGE_FAILURES, PAGE_LINKS, PAGE_QUERY } from '../runs/pages.ts';
import {
  ESTIMATE,
  EXAMPLE_AGENT_UUID,
  EXAMPLE_JOB,
  EXAMPLE_MS,
  EXAMPLE_PIPELINE,
  EXAMPLE_REVISIONS,
  EXAMPLE_STAGE,
  JOB_STATES,
  MAYBE_MS,
  MILLISECONDS,
  RESULTS,
  REVISION,
} from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const JOBS_CHAPTER = 'jobs';
const NAMES = {
  pipeline_name: PIPELINE_PARAMETER,
  stage_name: { description: 'The name of the stage.', example: EXAMPLE_STAGE },
  job_name: { description: 'The name of the job, as in the run.', example: EXAMPLE_JOB },
};
export const OF_JOB = {
  ...NAMES,
  pipeline_counter: { description: 'The counter of the run.', example: '1' },
  stage_counter: { description: 'The counter of the stage run.', example: '1' },
};

export function jobNotFound(locator: string): string {
  return `No job instance was found for '${locator}'.`;
}

const MEMBERS: Readonly<Record<string, JsonSchema>> = {
  name: described(TEXT, 'The name of the job.'),
  state: { enum: JOB_STATES, description: 'Its state.' },
  result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
  original_job_id: {
    type: ['integer', 'null'],
    description: 'The job whose result this one repeats, because only others were run again.',
  },
  scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
  completed_date: described(MAYBE_MS, 'When it ended; null: it has not ended.'),
  waiting_ms: described(MAYBE_MS, 'How long it waited for an agent, in milliseconds; null: it has none yet.'),
  duration_ms: described(MAYBE_MS, 'How long an agent had it, in milliseconds; null: it has not ended.'),
  rerun: described(FLAG, 'Whether the server has run it again by itself.'),
  agent_uuid: { ...MAYBE_TEXT, description: 'Its agent; null: none yet.' },
  pipeline_name: described(TEXT, 'The pipeline.'),
  pipeline_counter: { type: 'integer', description: 'The counter of the run.' },
  stage_name: described(TEXT, 'The stage.'),
  stage_counter: described(TEXT, 'The counter of the stage run.'),
  job_state_transitions: {
    type: 'array',
    description: 'Its states so far, in order.',
    items: objectSchema({
      state: described(TEXT, 'The state.'),
      state_change_time: described(MILLISECONDS, 'Since when, in milliseconds since the beginning of 1970.'),
    }),
  },
};

const AGENT: JsonSchema = {
  oneOf: [
    objectSchema({
      uuid: described(TEXT, 'The agent.'),
      hostname: { ...MAYBE_TEXT, description: 'The name of its machine; null: the agent was deleted.' },
    }),
    { type: 'null' },
  ],
  description: 'Its agent; null: none yet.',
};

/** Its agent is named where all jobs of one stage run are shown, not in lists of many. */
export const JOB = objectSchema(MEMBERS, { title: 'Job', others: { ...ESTIMATE, agent: AGENT } });
const TABS: JsonSchema = {
  type: 'array',
  description: 'Artifacts that the configuration shows as tabs.',
  items: objectSchema({
    name: described(TEXT, 'The title.'),
    path: described(TEXT, 'The file as named in the configuration.'),
    url: { ...MAYBE_TEXT, description: 'The address of the file; null: the job has not published it, or it was deleted.' },
  }),
};

export const EXAMPLE_JOB_JSON: JsonOut = {
  name: EXAMPLE_JOB,
  state: 'Completed',
  result: 'Passed',
  original_job_id: null,
  scheduled_date: EXAMPLE_MS,
  completed_date: EXAMPLE_MS + 5000,
  waiting_ms: 1000,
  duration_ms: 4000,
  rerun: false,
  agent_uuid: EXAMPLE_AGENT_UUID,
  pipeline_name: EXAMPLE_PIPELINE,
  pipeline_counter: 1,
  stage_name: EXAMPLE_STAGE,
  stage_counter: '1',
  estimated_duration_ms: 4000,
  job_state_transitions: JOB_STATES.map((state, index) => ({ state, state_change_time: EXAMPLE_MS + 1000 * index })),
};

const EXAMPLE_TAB = {
  name: 'report',
  path: 'reports/index.html',
  url: `https://ci.example.com/files/${EXAMPLE_PIPELINE}/1/${EXAMPLE_STAGE}/1/${EXAMPLE_JOB}/reports/index.html`,
};

const JOB_DETAILS = objectSchema(
  {
    ...MEMBERS,
    _links: described(LINKS, 'The addresses of its console, artifacts and tests, and of jobs with the same name.'),
    pipeline_label: described(TEXT, 'The label of the run.'),
    agent: AGENT,
    environment: { ...MAYBE_TEXT, description: 'The environment that the pipeline is in now; null: none.' },
    material_revisions: { type: 'array', items: REVISION, description: 'The revisions of the materials of the run.' },
    tabs: TABS,
  },
  { title: 'Job and what belongs to it', others: ESTIMATE },
);

const AT = `${EXAMPLE_PIPELINE}/1/${EXAMPLE_STAGE}/1`;
const EXAMPLE_DETAILS: JsonOut = {
  ...EXAMPLE_JOB_JSON,
  _links: links(EXAMPLE_BASE, {
    self: `/api/jobs/${AT}/${EXAMPLE_JOB}`,
    console: `/files/${AT}/${EXAMPLE_JOB}/cruise-output/console.log`,
    console_stream: `/api/jobs/${AT}/${EXAMPLE_JOB}/console`,
    artifacts: `/files/${AT}/${EXAMPLE_JOB}.json`,
    tests: `/api/jobs/${AT}/${EXAMPLE_JOB}/tests`,
    history: `/api/jobs/${EXAMPLE_PIPELINE}/${EXAMPLE_STAGE}/${EXAMPLE_JOB}/history`,
    stage: `/api/stages/${AT}`,
    pipeline: `/api/pipelines/${EXAMPLE_PIPELINE}/1/instance`,
  }),
  pipeline_label: '1',
  agent: { uuid: EXAMPLE_AGENT_UUID, hostname: 'agent-01.example.com' },
  environment: null,
  material_revisions: EXAMPLE_REVISIONS,
  tabs: [EXAMPLE_TAB],
};

export const INSTANCE: Description = {
  summary: 'Show a job of a run',
  callers: VIEWERS,
  parameters: OF_JOB,
  response: JOB_DETAILS,
  example: EXAMPLE_DETAILS,
  failures: {
    ...ACCESS_FAILURES,
    400: {
      when: 'A counter is not a whole number above 0.',
      example: { message: "The params 'pipeline_counter' must be a number greater than 0." },
    },
  },
};

export const HISTORY: Description = {
  summary: 'List the runs of a job, newest first',
  callers: VIEWERS,
  parameters: NAMES,
  query: PAGE_QUERY,
  response: objectSchema({ _links: PAGE_LINKS, jobs: { type: 'array', items: JOB, description: 'The jobs.' } }),
  example: { _links: {}, jobs: [EXAMPLE_JOB_JSON] },
  failures: { ...ACCESS_FAILURES, ...PAGE_FAILURES },
};
