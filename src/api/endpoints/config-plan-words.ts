// What the routes of plans say in the documentation.

import { MOVED } from '../../plan/apply-plan.ts';
import type { JsonObject } from '../../shape/json.ts';
import { MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TEXTS, TIME } from '../../shape/schemas.ts';
import { EXAMPLE_TIME } from '../answer-example.ts';
import type { RouteDescription } from '../route.ts';
import { CHANGED_SCHEMA, ID, RESOURCE } from './changed-json.ts';
import { PLANS_CHAPTER } from './config-batch.ts';

export const EXAMPLE_PLAN = '0b5e5f6a-2c43-4f0e-9f53-0d7c1a7e9d11';
export const unknownPlan = (id: string): string => `There is no plan '${id.slice(0, 100)}', or it has expired.`;

const CHANGES = { type: 'array', description: 'What is created, changed and deleted, in order.', items: CHANGED_SCHEMA };
const EXAMPLE_CHANGE: JsonObject = {
  resource: 'environments',
  id: 'planned',
  operation: 'create',
  etag: '8f0e',
  differences: [
    {
      path: '',
      operation: 'add',
      after: { name: 'planned', pipelines: [], environment_variables: [] },
      words: "Environment config 'planned' created",
    },
  ],
};

const MOVED_DATA = objectSchema({
  moved: {
    type: 'array',
    items: objectSchema(
      { resource: RESOURCE, id: ID, what: { enum: ['created', 'changed', 'deleted'] } },
      { title: 'Moved entity', others: { revision: { type: 'integer' }, actor: TEXT, time: TIME } },
    ),
  },
  lists: { ...TEXTS, description: 'Resources in `delete_absent` in which something came or went.' },
});
const MOVED_SCHEMA = objectSchema({ message: TEXT }, { others: { data: MOVED_DATA } });

export const MAKE: RouteDescription = {
  chapter: PLANS_CHAPTER,
  summary: 'Plan how to come to a desired state',
  details:
    'Takes resources as they are shown by `GET`, all or some of them, or a configuration file as XML. What is wanted is created or changed; what is not mentioned stays, except in the resources that `delete_absent` names. The answer says what would be done, in order; all that is wrong is told at once, with 422. The plan is kept for a day. With nothing to do there is no plan, and `id` is null.',
  request: {
    schema: {
      title: 'Desired state',
      type: 'object',
      properties: {
        resources: {
          type: 'object',
          additionalProperties: true,
          description: 'By resource: a list of entities, or one object where there is only one.',
        },
        delete_absent: { ...TEXTS, description: 'The resources of which all is deleted that is not in the list.' },
        xml: { ...TEXT, description: 'A configuration file, instead of `resources`.' },
        mode: { enum: ['import', 'whole'], default: 'import', description: 'Whether what is not in the file is deleted (`whole`).' },
      },
    },
    example: { resources: { environments: [{ name: 'planned' }] } },
  },
  response: objectSchema(
    {
      id: MAYBE_TEXT,
      expires_at: MAYBE_TIME,
      based_on: { type: 'integer', description: 'The revision of the configuration it was made for.' },
      changes: CHANGES,
      affected: {
        type: 'array',
        description: 'What refers to something that changes.',
        items: objectSchema({ resource: RESOURCE, id: ID }),
      },
      ignored: { type: 'array', description: 'What of a file is not taken over.', items: objectSchema({ what: TEXT, why: TEXT }) },
    },
    { title: 'Plan' },
  ),
  example: { id: EXAMPLE_PLAN, expires_at: EXAMPLE_TIME, based_on: 42, changes: [EXAMPLE_CHANGE], affected: [], ignored: [] },
  failures: { 422: { when: 'Something is wrong with what is wanted; `data.errors` has all of it.' } },
};

export const APPLY: RouteDescription = {
  chapter: PLANS_CHAPTER,
  summary: 'Apply a plan',
  details:
    'Does exactly what the plan says, as one revision, and forgets it. Refused when something it is about has changed since: `data.moved` says what, by whom and in which revision, `data.lists` in which resources something came or went.',
  parameters: { id: { description: 'The id of the plan.', example: EXAMPLE_PLAN } },
  request: { schema: { type: 'object', properties: {}, additionalProperties: false }, example: {} },
  response: objectSchema({ id: TEXT, changes: CHANGES }, { title: 'Applied plan' }),
  example: { id: EXAMPLE_PLAN, changes: [EXAMPLE_CHANGE] },
  changes: 'configuration',
  failures: {
    404: { when: 'There is no such plan, or it has expired.', example: { message: unknownPlan('unknown') } },
    409: { when: 'Something the plan is about has moved; `data` says what.', example: { message: MOVED }, schema: MOVED_SCHEMA },
    422: { when: 'The plan does not fit to the configuration any more.' },
  },
};
