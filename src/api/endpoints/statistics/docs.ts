// The documentation of the statistics of a pipeline.
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { PAGE_FAILURES } from '../runs/pages.ts';
import { EXAMPLE_MS, EXAMPLE_PIPELINE, EXAMPLE_STAGE, MILLISECONDS, RESULTS } from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';

export const MIN_RUNS = 1;
export const MAX_RUNS = 100;
const COUNT: JsonSchema = { type: 'integer' };
const DURATION: JsonSchema = { type: 'integer', description: 'How long it took, in milliseconds.' };
const WAITING: JsonSchema = { type: 'integer', description: 'The longest that a job of a stage waited for an agent, in milliseconds.' };

function spread(description: string): JsonSchema {
  const values = objectSchema({
    median: described(COUNT, 'The median, in milliseconds.'),
    p90: described(COUNT, 'The 90th percentile, in milliseconds.'),
  });
  return { oneOf: [values, { type: 'null' }], description };
}

const SUMMARY: Readonly<Record<string, JsonSchema>> = {
  runs: described(COUNT, 'How many have ended.'),
  passed: described(COUNT, 'How many of them passed.'),
  failed: described(COUNT, 'How many failed.'),
  cancelled: described(COUNT, 'How many were cancelled.'),
  success_rate: { type: ['number', 'null'], description: 'The share that passed, from 0 to 1; null: none has ended.' },
  duration_ms: spread('How long those that passed took; null: none passed.'),
  waiting_ms: spread('How long their jobs waited for agents; null: none has ended.'),
};

const RUN = objectSchema(
  {
    counter: described(COUNT, 'The counter of the run.'),
    label: described(TEXT, 'Its label.'),
    scheduled_date: described(MILLISECONDS, 'When it was scheduled, in milliseconds since the beginning of 1970.'),
    result: { enum: RESULTS, description: 'The result of all its stages together; `Unknown` while one is under way.' },
    duration_ms: described(COUNT, 'How long its stages took together, in milliseconds, without the time between them.'),
    waiting_ms: described(
      COUNT,
      'How long its stages waited for agents, in milliseconds: for each stage, the job that waited longest counts.',
    ),
    stages: {
      type: 'array',
      description: 'The last run of each stage that has been run.',
      items: objectSchema({
        name: described(TEXT, 'The name of the stage.'),
        result: { enum: RESULTS, description: '`Unknown` until it has ended.' },
        duration_ms: { ...DURATION, type: ['integer', 'null'] },
        waiting_ms: WAITING,
      }),
    },
  },
  { title: 'Figures of a run' },
);

const EXAMPLE_SUMMARY: JsonOut = {
  runs: 1,
  passed: 1,
  failed: 0,
  cancelled: 0,
  success_rate: 1,
  duration_ms: { median: 5000, p90: 5000 },
  waiting_ms: { median: 1000, p90: 1000 },
};

export const STATISTICS: Omit<RouteDescription, 'chapter'> = {
  summary: 'Show statistics of the last runs of a pipeline',
  details: `For the last ${MAX_RUNS} runs: how long they took, how long they waited for agents, and how many passed; in total, by day, by stage and for each run. A run of which a part was rerun counts with its last results.`,
  callers: VIEWERS,
  parameters: { pipeline_name: PIPELINE_PARAMETER },
  query: { runs: { type: 'integer', minimum: MIN_RUNS, maximum: MAX_RUNS, default: MAX_RUNS, description: 'The number of runs.' } },
  response: objectSchema({
    name: described(TEXT, 'The pipeline.'),
    summary: described(objectSchema(SUMMARY), 'The total.'),
    days: {
      type: 'array',
      description: 'By the day on which they were scheduled, newest first.',
      items: objectSchema({ day: described(TEXT, 'The day in UTC, such as 2026-01-31.'), ...SUMMARY }),
    },
    stages: {
      type: 'array',
      description: 'By stage. A run counts for each stage that was run.',
      items: objectSchema({ name: described(TEXT, 'The name of the stage.'), ...SUMMARY }),
    },
    runs: { type: 'array', items: RUN, description: 'Each run, newest first.' },
  }),
  example: {
    name: EXAMPLE_PIPELINE,
    summary: EXAMPLE_SUMMARY,
    days: [{ day: '2026-01-31', ...EXAMPLE_SUMMARY }],
    stages: [{ name: EXAMPLE_STAGE, ...EXAMPLE_SUMMARY }],
    runs: [
      {
        counter: 1,
        label: '1',
        scheduled_date: EXAMPLE_MS,
        result: 'Passed',
        duration_ms: 5000,
        waiting_ms: 1000,
        stages: [{ name: EXAMPLE_STAGE, result: 'Passed', duration_ms: 5000, waiting_ms: 1000 }],
      },
    ],
  },
  hasEtag: true,
  failures: { ...ACCESS_FAILURES, ...PAGE_FAILURES },
};
