// The documentation of the comparison of runs.
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, LINKS, MAYBE_TEXT, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { RUNS_CHAPTER } from '../runs/docs.ts';
import { PAGE_FAILURES } from '../runs/pages.ts';
import { EXAMPLE_PIPELINE } from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';

export const MIN_PAGE_SIZE = 10;
export const DEFAULT_PAGE = 100;
export const MAX_PAGE_SIZE = 1000;
/** Of all materials together. */
export const MAX_AT_ONCE = 1000;
const COUNT: JsonSchema = { type: 'integer' };

const MATERIAL = objectSchema({
  type: described(TEXT, 'Its type, such as `git` or `dependency`.'),
  fingerprint: described(TEXT, 'Its fingerprint.'),
  attributes: described(
    objectSchema(
      {
        name: { ...MAYBE_TEXT, description: 'Its name.' },
        display_type: described(TEXT, 'Its type in words.'),
        description: described(TEXT, 'Its address.'),
      },
      { others: { pipeline: described(TEXT, 'For a dependency: the pipeline.'), stage: described(TEXT, 'For a dependency: the stage.') } },
    ),
    'Its attributes.',
  ),
});

const REVISION: JsonSchema = {
  oneOf: [
    objectSchema(
      {
        revision_sha: described(TEXT, 'The revision in the repository.'),
        modified_by: { ...MAYBE_TEXT, description: 'Who made it.' },
        modified_at: described(TIME, 'When it was made.'),
        commit_message: { ...MAYBE_TEXT, description: 'Its comment.' },
      },
      { title: 'Revision of a repository' },
    ),
    objectSchema(
      {
        revision: described(TEXT, 'The run of the stage above.'),
        pipeline_counter: described(TEXT, 'Which run of the pipeline above.'),
        pipeline_label: described(TEXT, 'Its label.'),
        completed_at: described(TIME, 'When the stage passed.'),
      },
      { title: 'Run above' },
    ),
  ],
};

const CHANGE = objectSchema(
  {
    material: described(MATERIAL, 'The material.'),
    total: described(COUNT, 'How many modifications of it are new, or are taken back.'),
    offset: described(COUNT, 'How many newer ones are skipped here.'),
    revision: { type: 'array', items: REVISION, description: 'Some or all of them, newest first.' },
  },
  { title: 'Changes of a material' },
);

export const COMPARE: Omit<RouteDescription, 'chapter'> = {
  summary: 'Show everything that changed between two runs',
  details: `Covers the materials of the pipeline and those of all runs upstream. When the later run was made from an older revision, or without a material of the earlier one, \`removed\` lists what it takes back. The two runs can be given in any order. At most ${DEFAULT_PAGE} changes of each material are listed, newest first, and at most ${MAX_AT_ONCE} in total; read the others with \`fingerprint\` and \`offset\`.`,
  callers: VIEWERS,
  parameters: {
    pipeline_name: PIPELINE_PARAMETER,
    from_counter: { description: 'The one run.', example: '1' },
    to_counter: { description: 'The other run.', example: '1' },
  },
  query: {
    fingerprint: { ...TEXT, description: 'Only changes of this material.' },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'How many of the newest to skip, for each material.' },
    page_size: {
      type: 'integer',
      minimum: MIN_PAGE_SIZE,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE,
      description: 'How many to list for each material.',
    },
  },
  response: objectSchema({
    _links: LINKS,
    pipeline_name: described(TEXT, 'The pipeline.'),
    from_counter: described(COUNT, 'The earlier run.'),
    to_counter: described(COUNT, 'The later run.'),
    is_bisect: { ...FLAG, description: 'Always false.' },
    is_complete: described(FLAG, 'Whether nothing is left out. Changes of pipelines that you may not see are.'),
    total: described(COUNT, 'The total number of new modifications.'),
    changes: { type: 'array', items: CHANGE, description: 'The materials with modifications that are new in the later run.' },
    removed_total: described(COUNT, 'The total number of modifications that the later run takes back.'),
    removed: {
      type: 'array',
      items: CHANGE,
      description:
        'The materials of which the later run has an older revision than the earlier one, with the modifications that it takes back.',
    },
  }),
  example: {
    _links: links(EXAMPLE_BASE, { self: `/api/pipelines/${EXAMPLE_PIPELINE}/compare/1/1`, doc: docLink(RUNS_CHAPTER) }),
    pipeline_name: EXAMPLE_PIPELINE,
    from_counter: 1,
    to_counter: 1,
    is_bisect: false,
    is_complete: true,
    total: 1,
    changes: [
      {
        material: {
          type: 'dependency',
          fingerprint: '3d54bd2c3f2ea7b9e5ab2ca36e8ce7ae0b3d2cd6eac1d5b3a4ad0a5f7c3b7d10',
          attributes: { name: null, display_type: 'Pipeline', description: 'shop [ build ]', pipeline: 'shop', stage: 'build' },
        },
        total: 1,
        offset: 0,
        revision: [{ revision: 'shop/7/build/1', pipeline_counter: '7', pipeline_label: '7', completed_at: EXAMPLE_TIME }],
      },
    ],
    removed_total: 0,
    removed: [],
  },
  failures: {
    ...ACCESS_FAILURES,
    ...PAGE_FAILURES,
    422: { when: 'A counter is not a whole number above 0.', example: { message: 'The pipeline counter should be an integer.' } },
  },
};
