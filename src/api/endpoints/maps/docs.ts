// The documentation of the routes of value stream maps.
import { MAX_NODES } from '../../../builds/maps/value-stream-map.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import { MAX_RUNS } from '../../../store/builds/run-links.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { MATERIAL_NOT_VISIBLE, UNKNOWN } from '../materials/modifications.ts';
import {
  EXAMPLE_FINGERPRINT,
  EXAMPLE_MATERIAL,
  EXAMPLE_MS,
  EXAMPLE_PIPELINE,
  EXAMPLE_REVISION,
  EXAMPLE_STAGE,
  MILLISECONDS,
  STAGE_STATES,
} from '../runs/schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, VIEWERS } from '../runs/visibility.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export function noRevision(revision: string): string {
  return `Not Found { Revision '${revision}' of the material not found }`;
}

const STAGE = objectSchema(
  {
    name: described(TEXT, 'The name of the stage.'),
    status: { enum: STAGE_STATES, description: 'Its state; `Unknown`: it has not been run.' },
    duration: { type: ['integer', 'null'], description: 'How long it took, in seconds; null: it has not ended.' },
    locator: described(TEXT, 'Its page; empty: it has not been run.'),
  },
  { title: 'Stage in a map' },
);
const INSTANCE = objectSchema(
  {
    counter: { type: 'integer', description: 'The counter of the run; 0: it has not run yet.' },
    label: described(TEXT, 'Its label.'),
    locator: described(TEXT, 'Its own map; empty: it has not run yet.'),
    stages: { type: 'array', items: STAGE, description: 'Its stages, in order.' },
  },
  { title: 'Run in a map', others: { scheduled_date: MILLISECONDS } },
);
const MODIFICATION = objectSchema(
  {
    revision: described(TEXT, 'The revision in the repository.'),
    user: { ...MAYBE_TEXT, description: 'Who made it.' },
    email_address: { ...MAYBE_TEXT, description: 'The mail address of its author.' },
    comment: { ...MAYBE_TEXT, description: 'Its comment.' },
    modified_time: described(MILLISECONDS, 'When it was made, in milliseconds since the beginning of 1970.'),
    locator: described(TEXT, 'Its own map.'),
  },
  { title: 'Revision in a map' },
);
const NODE = objectSchema(
  {
    id: described(TEXT, 'Its id: the name of the pipeline, or the fingerprint of the material.'),
    name: described(TEXT, 'The name of the pipeline, or the address of the material; empty when you may not see it.'),
    node_type: described(TEXT, '`PIPELINE`, or the type of a material, such as `GIT`. `MATERIAL`: one that you may not see.'),
    depth: { type: 'integer', description: 'Its row in the column.' },
    parents: described(TEXTS, 'The ids of the nodes it depends on.'),
    dependents: described(TEXTS, 'The ids of the nodes that depend on it.'),
    can_view: described(FLAG, 'Whether you may see it. If not, nothing but its existence is shown.'),
    view_type: {
      enum: [null, 'NO_PERMISSION', 'DELETED'],
      description: '`DELETED`: the pipeline has been deleted from the configuration.',
    },
    locator: described(TEXT, 'The page of the pipeline.'),
    instances: { type: 'array', items: INSTANCE, description: `The runs, newest first; at most ${MAX_RUNS} for a pipeline downstream.` },
  },
  {
    title: 'Node of a map',
    others: {
      message: described(TEXT, 'Why nothing more is shown.'),
      has_more_instances: described(FLAG, 'For a pipeline: whether older runs are left out.'),
      material_names: described(TEXTS, 'For a material: the names that pipelines give it.'),
      modifications: { type: 'array', items: MODIFICATION, description: 'For a material: the revisions that were used, newest first.' },
    },
  },
);
const LEVELS: JsonSchema = {
  type: 'array',
  description: 'The columns, from left to right. A link may span several of them, without nodes in between.',
  items: objectSchema({ nodes: { type: 'array', items: NODE, description: 'The nodes of the column.' } }),
};
const TRUNCATED = described(FLAG, `Whether nodes were left out because there are more than ${MAX_NODES}.`);

const EXAMPLE_LEVELS: JsonOut[] = [
  {
    nodes: [
      {
        id: EXAMPLE_FINGERPRINT,
        name: EXAMPLE_MATERIAL,
        node_type: 'GIT',
        depth: 1,
        parents: [],
        dependents: [EXAMPLE_PIPELINE],
        can_view: true,
        view_type: null,
        locator: '',
        instances: [],
        material_names: [],
        modifications: [
          {
            revision: EXAMPLE_REVISION,
            user: 'Ann Other <ann@example.org>',
            email_address: null,
            comment: 'Take the new logo',
            modified_time: EXAMPLE_MS,
            locator: `/materials/value_stream_map/${EXAMPLE_FINGERPRINT}/${EXAMPLE_REVISION}`,
          },
        ],
      },
    ],
  },
  {
    nodes: [
      {
        id: EXAMPLE_PIPELINE,
        name: EXAMPLE_PIPELINE,
        node_type: 'PIPELINE',
        depth: 1,
        parents: [EXAMPLE_FINGERPRINT],
        dependents: [],
        can_view: true,
        view_type: null,
        locator: `/pipeline/activity/${EXAMPLE_PIPELINE}`,
        has_more_instances: false,
        instances: [
          {
            counter: 1,
            label: '1',
            locator: `/pipelines/value_stream_map/${EXAMPLE_PIPELINE}/1`,
            scheduled_date: EXAMPLE_MS,
            stages: [
              { name: EXAMPLE_STAGE, status: 'Passed', duration: 5, locator: `/pipelines/${EXAMPLE_PIPELINE}/1/${EXAMPLE_STAGE}/1` },
            ],
          },
        ],
      },
    ],
  },
];

export const OF_RUN: Description = {
  summary: 'Show the value stream map of a run',
  details:
    'Shows everything that the run was made from, and everything downstream: the runs that were made from it, and the pipelines that will run after it.',
  callers: VIEWERS,
  parameters: { pipeline_name: PIPELINE_PARAMETER, pipeline_counter: { description: 'The counter of the run.', example: '1' } },
  response: objectSchema({
    current_pipeline: described(TEXT, 'The pipeline of the run.'),
    current_counter: { type: 'integer', description: 'The counter of the run.' },
    is_truncated: TRUNCATED,
    levels: LEVELS,
  }),
  example: { current_pipeline: EXAMPLE_PIPELINE, current_counter: 1, is_truncated: false, levels: EXAMPLE_LEVELS },
  hasEtag: true,
  failures: {
    ...ACCESS_FAILURES,
    422: { when: 'The counter is not a whole number above 0.', example: { message: 'The pipeline counter should be an integer.' } },
  },
};

export const OF_RUN_FOR_CLIENTS: Description = {
  ...OF_RUN,
  summary: 'Show the value stream map of a run, at the address that public clients use',
};

export const OF_MATERIAL: Description = {
  summary: 'Show the value stream map of a revision of a material',
  details: 'Shows the runs in which it was first built, alone or together with newer ones, and everything downstream.',
  callers: 'users who may see a pipeline group that uses the material',
  parameters: {
    fingerprint: { description: 'The fingerprint of the material.', example: EXAMPLE_FINGERPRINT },
    revision: { description: 'A known revision of it.', example: EXAMPLE_REVISION },
  },
  response: objectSchema({
    current_material: described(TEXT, 'The fingerprint of the material.'),
    current_revision: described(TEXT, 'The revision.'),
    is_truncated: TRUNCATED,
    levels: LEVELS,
  }),
  example: {
    current_material: EXAMPLE_FINGERPRINT,
    current_revision: EXAMPLE_REVISION,
    is_truncated: false,
    levels: EXAMPLE_LEVELS,
  },
  hasEtag: true,
  failures: {
    403: { when: 'You may not see any pipeline group that uses it.', example: { message: MATERIAL_NOT_VISIBLE } },
    404: { example: { message: UNKNOWN } },
  },
};
