// The messages and the documentation of the routes of tests.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { MAX_PROBLEMS, MAX_SLOWEST } from '../../../test-reports/limits.ts';
import { MAX_SEARCHED_RESULTS } from '../../../test-reports/questions/first-failure.ts';
import { MAX_FAILURES, MAX_FLAKY } from '../../../test-reports/questions/flaky.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { OF_JOB } from '../jobs/docs.ts';
import { PAGE_LINKS, PAGE_QUERY } from '../runs/pages.ts';
import { EXAMPLE_JOB, EXAMPLE_STAGE } from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const TESTS_CHAPTER = 'tests';
/** The newest runs of a pipeline that are looked at for flaky and slow tests. */
export const RECENT_RUNS = 50;

export const noTests = (locator: string): string => `There are no test results of the job '${locator}'.`;
export const notRead = (locator: string): string => `The test results of the job '${locator}' are being read. Try again later.`;
export const noSuchTest = (name: string, className: string, pipeline: string): string =>
  `There are no results of the test '${name}'${className === '' ? '' : ` of '${className}'`} in the pipeline '${pipeline}'.`;
export const noCounter = (name: string): string => `The params '${name}' must be a number greater than 0.`;
export const NAME_MISSING = 'The query parameter `name` is missing.';

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const SECONDS: JsonSchema = { type: 'number', minimum: 0 };
const COUNTER: JsonSchema = { type: 'integer', minimum: 1 };
const NAMES = {
  name: described(TEXT, 'The name of the test.'),
  class: described(TEXT, 'Its class, suite or package, according to the report; empty: the report names none.'),
};
const EXAMPLE_NAMES = { name: 'countsItems', class: 'org.example.CartTest' };
const EXAMPLE_MESSAGE = 'expected: <3> but was: <2>';
const { after: _, before: __, ...SIZE } = PAGE_QUERY;
const after = (description: string): Readonly<Record<string, JsonSchema>> => ({ after: { ...COUNT, description }, ...SIZE });

const FAILURE = objectSchema(
  {
    ...NAMES,
    duration: described(SECONDS, 'How long it took, in seconds.'),
    message: described(MAYBE_TEXT, 'The message of the failure; at most the first 2 kB.'),
    trace: described(MAYBE_TEXT, 'The details of the failure; at most the first 16 kB.'),
    first_failed_in: described(
      COUNTER,
      `The counter of the run since which it fails: it has not passed in the same job since then. At most ${MAX_SEARCHED_RESULTS} earlier results are searched.`,
    ),
  },
  {
    title: 'Failed test',
    others: {
      may_have_failed_earlier: {
        const: true,
        description: 'Whether it failed in all results that were searched, and there are older ones.',
      },
    },
  },
);

export const OF_JOB_TESTS: Description = {
  summary: 'Show how many tests a job had, and those that failed',
  details:
    'XML files among the artifacts of type `test` are read after they are published: JUnit XML, NUnit 3 and TRX. Failed tests alone do not fail a job. Results stay when artifacts are purged.',
  callers: VIEWERS,
  parameters: {
    ...OF_JOB,
    pipeline_counter: { description: 'The counter of the run, or `latest`.', example: '1' },
    stage_counter: { description: 'The counter of the stage run, or `latest`.', example: '1' },
  },
  query: {
    ...after('Only failures after the one with this number, as in `_links.next`.'),
    allow_empty: described(FLAG, '`true`: a job without test results, or one whose results are being read, has no tests instead of 404.'),
  },
  response: objectSchema(
    {
      _links: described(PAGE_LINKS, 'Where more failures are (`next`), if there are any.'),
      total: described(COUNT, 'How many tests there are.'),
      failed: described(COUNT, 'How many of them failed.'),
      skipped: described(COUNT, 'How many were skipped.'),
      duration: described(SECONDS, 'How long all of them took together, in seconds.'),
      failures: { type: 'array', items: FAILURE, description: 'Those that failed, in the order of the reports.' },
      problems: {
        type: 'array',
        description: `Files that could not be read completely; at most ${MAX_PROBLEMS}.`,
        items: objectSchema({
          file: described(TEXT, 'The path among the artifacts of the job.'),
          message: described(TEXT, 'What is wrong with it.'),
        }),
      },
    },
    {
      title: 'Tests of a job',
      others: { message: described(TEXT, 'Why there are no results, where `allow_empty=true` allows that.') },
    },
  ),
  example: {
    _links: {},
    total: 3,
    failed: 1,
    skipped: 1,
    duration: 1.25,
    failures: [
      {
        ...EXAMPLE_NAMES,
        duration: 0.012,
        message: EXAMPLE_MESSAGE,
        trace: 'org.opentest4j.AssertionFailedError: expected: <3> but was: <2>\n\tat org.example.CartTest.countsItems(CartTest.java:27)',
        first_failed_in: 1,
      },
    ],
    problems: [{ file: 'reports/TEST-broken.xml', message: 'The document ends too early. (line 7)' }],
  },
  failures: {
    ...ACCESS_FAILURES,
    400: {
      when: 'A counter is neither a whole number above 0 nor `latest`, or a query parameter is unknown or not in its range.',
      example: { message: noCounter('pipeline_counter') },
    },
    404: {
      ...ACCESS_FAILURES[404],
      when: 'There is no such job; or, without `allow_empty=true`, it has no test results, or they are being read.',
    },
  },
};

export const OF_PIPELINE_TESTS: Description = {
  summary: 'Show flaky and slow tests of a pipeline',
  details: [
    `The newest ${RECENT_RUNS} runs are searched.`,
    `A test is flaky when it passed and failed in the same job on the same revisions of all materials: in two runs, or in two runs of a stage. The newest ${MAX_FAILURES} failures are searched.`,
    'The slowest tests come from the newest reports of each job.',
  ].join('\n\n'),
  callers: VIEWERS,
  parameters: { pipeline_name: PIPELINE_PARAMETER },
  response: objectSchema(
    {
      flaky: {
        type: 'array',
        description: `Tests that failed most often come first; at most ${MAX_FLAKY}.`,
        items: objectSchema(
          {
            ...NAMES,
            passed: described(COUNT, 'In how many jobs it passed, on revisions on which it also failed.'),
            failed: described(COUNT, 'In how many jobs it failed, on revisions on which it also passed.'),
            last_failed_in: described(COUNTER, 'The counter of the last run it failed in.'),
          },
          { title: 'Flaky test' },
        ),
      },
      is_cut: described(FLAG, 'Whether there are more failures than were searched, or more flaky tests.'),
      slowest: {
        type: 'array',
        description: `Slowest first; at most ${MAX_SLOWEST}.`,
        items: objectSchema(
          {
            ...NAMES,
            duration: described(SECONDS, 'How long it took, in seconds.'),
            counter: described(COUNTER, 'The counter of the run.'),
            stage: described(TEXT, 'The stage, in lower case.'),
            job: described(TEXT, 'The job, in lower case.'),
          },
          { title: 'Slow test' },
        ),
      },
    },
    { title: 'Tests of a pipeline' },
  ),
  example: {
    flaky: [{ ...EXAMPLE_NAMES, passed: 7, failed: 2, last_failed_in: 1 }],
    is_cut: false,
    slowest: [{ ...EXAMPLE_NAMES, duration: 12.5, counter: 1, stage: EXAMPLE_STAGE, job: EXAMPLE_JOB }],
  },
  failures: { ...ACCESS_FAILURES, 400: { when: 'There is no such query parameter.' } },
};

export const HISTORY: Description = {
  summary: 'Show the history of a test in a pipeline, newest first',
  details: 'One entry for each run. If several jobs ran the test, its worst result counts; if a job was rerun, its last one.',
  callers: VIEWERS,
  parameters: { pipeline_name: PIPELINE_PARAMETER },
  query: {
    name: described(TEXT, 'The name of the test, as in the reports. Required.'),
    class: { ...TEXT, default: '', description: 'Its class.' },
    ...after('Only results older than the one with this number, as in `_links.next`.'),
  },
  response: objectSchema(
    {
      _links: described(PAGE_LINKS, 'Where older ones are (`next`), if there are any.'),
      ...NAMES,
      runs: {
        type: 'array',
        description: 'The runs in which it ran.',
        items: objectSchema(
          {
            counter: described(COUNTER, 'The counter of the run.'),
            label: described(TEXT, 'The label of the run.'),
            result: { enum: ['passed', 'failed', 'skipped'], description: 'The result of the test.' },
            duration: described(SECONDS, 'How long it took, in seconds; if it ran more than once, the longest time.'),
            message: described(MAYBE_TEXT, 'The message of the failure, or why it was skipped.'),
          },
          { title: 'Test in a run' },
        ),
      },
    },
    { title: 'History of a test' },
  ),
  example: {
    _links: {},
    ...EXAMPLE_NAMES,
    runs: [
      { counter: 2, label: '2', result: 'passed', duration: 0.011, message: null },
      { counter: 1, label: '1', result: 'failed', duration: 0.012, message: EXAMPLE_MESSAGE },
    ],
  },
  failures: {
    ...ACCESS_FAILURES,
    400: { when: '`name` is missing, or a query parameter is unknown or not in its range.', example: { message: NAME_MISSING } },
    404: { ...ACCESS_FAILURES[404], when: 'There is no such pipeline, or it has no results of such a test.' },
  },
};
