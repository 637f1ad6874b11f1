// The messages and the documentation of the routes of artifact retention.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, FLAG, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { previewJson, usageJson } from './json.ts';

export const DEFAULT_PAGE = 100;
const MAX_PAGE_SIZE = 1000;
export const PAGE_SIZE = { min: 1, max: MAX_PAGE_SIZE };
export const badCursor = (given: string): string =>
  `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`after\`. Take it from the link \`next\` of the previous page.`;

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'], minimum: 0 };
const MAYBE_FLAG: JsonSchema = { type: ['boolean', 'null'] };
const PAGE_SIZE_QUERY: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_PAGE_SIZE,
  default: DEFAULT_PAGE,
  description: 'How many at most.',
};

const STAGE_RUN = objectSchema(
  {
    pipeline: described(TEXT, 'The name of the pipeline at that time.'),
    pipeline_counter: described(COUNT, 'The counter of its run.'),
    stage: described(TEXT, 'The stage.'),
    stage_counter: described(COUNT, 'The counter of the stage run.'),
    files: described(COUNT, 'How many files would be deleted.'),
    bytes: described(COUNT, 'Their size in bytes.'),
    by: { enum: ['rules', 'space'], description: 'Whether a rule or a lack of disk space is the reason.' },
    reason: described(TEXT, 'The reason in words.'),
  },
  { title: 'Stage run to be purged' },
);

const SPACE = objectSchema(
  {
    free_bytes: described(MAYBE_COUNT, 'How many bytes are free, or `free_bytes` of the request; null: unknown.'),
    start_bytes: described(MAYBE_COUNT, 'Artifacts are deleted when less than this is free; null: never for lack of space.'),
    upto_bytes: described(MAYBE_COUNT, 'Artifacts are deleted until more than this is free; null: never for lack of space.'),
    is_low: described(
      MAYBE_FLAG,
      'Whether anything would be deleted for lack of space after what the rules delete; null: a later page has the answer.',
    ),
    is_enough: described(MAYBE_FLAG, 'Whether there would be enough space in the end; null: a later page has the answer.'),
  },
  { title: 'Disk space of a purge' },
);

const USAGE = objectSchema(
  {
    pipeline: described(TEXT, 'The pipeline.'),
    is_configured: described(FLAG, 'Whether it still exists.'),
    files: described(COUNT, 'How many files its artifacts have.'),
    bytes: described(COUNT, 'Their size in bytes.'),
  },
  { title: 'Artifacts of a pipeline' },
);

const TOTAL = objectSchema(
  {
    pipelines: described(COUNT, 'How many pipelines have artifacts.'),
    files: described(COUNT, 'How many files they have.'),
    bytes: described(COUNT, 'Their size in bytes.'),
  },
  { title: 'All artifacts' },
);

const ETAG = 'The ETag stays the same while only the free space changes.';

type Description = Omit<RouteDescription, 'chapter'>;

const GIGABYTE = 1024 ** 3;

export const PREVIEW: Description = {
  summary: 'Show what would be deleted now',
  details: [
    'Deletes nothing. The list begins with what the rules delete, followed by what is deleted when the disk is low, each with the oldest first, in the order of a real purge.',
    ETAG,
    'With `free_bytes`, the answer shows what would be deleted if that many bytes were free. A page may have fewer stage runs than `page_size`, or none, although there is a next page: only the last page has no link `next`.',
  ].join('\n\n'),
  query: {
    free_bytes: {
      ...COUNT,
      description: 'How many bytes to assume are free on the disk of the artifacts. Default: those that really are.',
    },
    after: { ...TEXT, description: 'Where the page begins, as in the link `next`.' },
    page_size: PAGE_SIZE_QUERY,
  },
  response: embeddedSchema('stage_runs', STAGE_RUN, { space: described(SPACE, 'What is known about the disk of the artifacts.') }),
  example: previewJson(
    EXAMPLE_BASE,
    { size: DEFAULT_PAGE },
    { start: 12.5, upto: 40 },
    {
      items: [],
      free: 64 * GIGABYTE,
      isSet: true,
      isLow: false,
      isEnough: true,
      next: undefined,
    },
  ),
  failures: {
    400: {
      when: '`free_bytes` or `page_size` is not a whole number in its range, `after` is not from a link, or there is no such parameter.',
      example: { message: badCursor('yesterday') },
    },
  },
};

export const USAGE_OF_ALL: Description = {
  summary: 'Show how much space the artifacts of each pipeline take',
  details:
    'Pipelines that take most come first. The figures are kept up to date with each upload and each purge, so the request is cheap. Metadata that plugins report for external artifacts counts, consoles do not. ' +
    ETAG,
  query: {
    offset: { ...COUNT, default: 0, description: 'How many to skip, as in the link `next`.' },
    page_size: PAGE_SIZE_QUERY,
  },
  response: embeddedSchema('pipelines', USAGE, {
    total: described(TOTAL, 'The total of all pipelines.'),
    disk_free_bytes: described(MAYBE_COUNT, 'How many bytes are free on the disk of the artifacts; null: unknown.'),
  }),
  example: usageJson(
    EXAMPLE_BASE,
    { offset: 0, size: DEFAULT_PAGE },
    {
      pipelines: [],
      total: { pipelines: 0, files: 0, bytes: 0 },
      free: 64 * GIGABYTE,
    },
  ),
  failures: {
    400: { when: '`offset` or `page_size` is not a whole number in its range, or there is no such parameter.' },
  },
};
