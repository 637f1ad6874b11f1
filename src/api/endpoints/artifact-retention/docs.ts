// The messages and the documentation of the routes of artifact retention.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, FLAG, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { previewJson, usageJson } from './json.ts';

export const DEFAULT_PAGE = 100;
export const MAX_PAGE_SIZE = 1000;
export const PAGE_SIZE = { min: 1, max: MAX_PAGE_SIZE };
export const ANY_NUMBER = { min: 0, max: Number.MAX_SAFE_INTEGER };
export const badCursor = (given: string): string =>
  `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`after\`. Take it from the link \`next\` of the page before.`;

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
    pipeline: described(TEXT, 'The pipeline, as it was called then.'),
    pipeline_counter: described(COUNT, 'Which run of it.'),
    stage: described(TEXT, 'The stage.'),
    stage_counter: described(COUNT, 'Which run of the stage.'),
    files: described(COUNT, 'How many files would go.'),
    bytes: described(COUNT, 'How many bytes they have.'),
    by: { enum: ['rules', 'space'], description: 'Whether a rule wants it, or the lack of disk space.' },
    reason: described(TEXT, 'Why, in words.'),
  },
  { title: 'Stage run to be purged' },
);

const SPACE = objectSchema(
  {
    free_bytes: described(MAYBE_COUNT, 'How much is free, or `free_bytes` of the request; null: not known.'),
    start_bytes: described(MAYBE_COUNT, 'Below that artifacts are deleted; null: they never are for lack of space.'),
    upto_bytes: described(MAYBE_COUNT, 'Until more than that is free; null: the same.'),
    is_low: described(MAYBE_FLAG, 'Whether anything would go for lack of space, after what rules delete; null: a later page knows.'),
    is_enough: described(MAYBE_FLAG, 'Whether there would be space enough in the end; null: a later page knows.'),
  },
  { title: 'Disk space of a purge' },
);

const USAGE = objectSchema(
  {
    pipeline: described(TEXT, 'The pipeline.'),
    is_configured: described(FLAG, 'Whether it still exists.'),
    files: described(COUNT, 'How many files its artifacts are.'),
    bytes: described(COUNT, 'How many bytes they have.'),
  },
  { title: 'Artifacts of a pipeline' },
);

const TOTAL = objectSchema(
  {
    pipelines: described(COUNT, 'How many pipelines have artifacts.'),
    files: described(COUNT, 'How many files they have.'),
    bytes: described(COUNT, 'How many bytes.'),
  },
  { title: 'All artifacts' },
);

const ETAG = 'The ETag stays the same while only the free space changes.';

type Description = Omit<RouteDescription, 'chapter'>;

const GIGABYTE = 1024 ** 3;

export const PREVIEW: Description = {
  summary: 'What would be deleted now',
  details: [
    'Deletes nothing. First what the rules delete, then what goes when the disk is low, each the oldest first, as it would be done.',
    ETAG,
    'With `free_bytes` the answer is what would go if that many bytes were free. A page may have fewer stage runs than `page_size`, or none, although there is a next one: the last page has no link `next`.',
  ].join('\n\n'),
  query: {
    free_bytes: { ...COUNT, description: 'How many bytes to take for free on the disk of the artifacts; default: those that are.' },
    after: { ...TEXT, description: 'Where the page begins; the link `next` has it.' },
    page_size: PAGE_SIZE_QUERY,
  },
  response: embeddedSchema('stage_runs', STAGE_RUN, { space: described(SPACE, 'What is known of the disk of the artifacts.') }),
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
  summary: 'How much room the artifacts of each pipeline take',
  details:
    'Those that take most first. It is counted with each upload and each purge, so it costs little to ask for. What plugins told of external artifacts counts, consoles do not. ' +
    ETAG,
  query: {
    offset: { ...COUNT, default: 0, description: 'How many to leave out; the link `next` has it.' },
    page_size: PAGE_SIZE_QUERY,
  },
  response: embeddedSchema('pipelines', USAGE, {
    total: described(TOTAL, 'Those of all pipelines together.'),
    disk_free_bytes: described(MAYBE_COUNT, 'How much is free on the disk of the artifacts; null: not known.'),
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
