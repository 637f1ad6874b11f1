// The documentation of the routes of plans.

import { MOVED } from '../../../history/plan/apply-plan.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { PRUNE } from '../../engine/batch/read-desired.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { MAX_BODY_BYTES, WRONG_TYPE } from '../../http/body/body.ts';
import { PLANS_CHAPTER } from '../batch/routes.ts';
import { CHANGED_SCHEMA, ID, RESOURCE } from '../common/changed-json.ts';
import { FILE_EXAMPLE } from '../config-xml/json.ts';
import { MAX_FILE_BYTES } from '../config-xml/posted-file.ts';

const EXAMPLE_PLAN = '0b5e5f6a-2c43-4f0e-9f53-0d7c1a7e9d11';
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
    description: 'Entities that have changed since.',
    items: objectSchema(
      { resource: RESOURCE, id: ID, what: { enum: ['created', 'changed', 'deleted'], description: 'What happened to it.' } },
      {
        title: 'Moved entity',
        others: {
          revision: { type: 'integer', description: 'The revision of the change.' },
          actor: described(TEXT, 'Who did it.'),
          time: described(TIME, 'When.'),
        },
      },
    ),
  },
  lists: { ...TEXTS, description: 'Resources whose complete list was sent, and in which something was created or deleted since.' },
});
const MOVED_SCHEMA = objectSchema(
  { message: described(TEXT, 'What is wrong, in words.') },
  { others: { data: described(MOVED_DATA, 'What has changed since.') } },
);

const ERROR = objectSchema(
  {
    resource: described(MAYBE_TEXT, 'The kind of configuration; null: the mistake belongs to none.'),
    id: described(MAYBE_TEXT, 'The entity; null: the mistake belongs to none.'),
    path: { ...TEXT, description: 'A JSON pointer into the entity, or into the body if no entity is named; for a file, the line.' },
    message: described(TEXT, 'What is wrong, in words.'),
  },
  { title: 'Mistake in the desired state' },
);

export const MAKE: RouteDescription = {
  chapter: PLANS_CHAPTER,
  summary: 'Plan how to reach a desired state',
  details: [
    'Takes some or all resources by name, as `GET` shows them, or a configuration file as XML. What is in it is created or changed; everything else stays. With `prune`, each list that is sent is the complete list of its kind, and a file is the complete configuration.',
    'The answer says what would be done, in order, and lists all mistakes in `errors`: each with the entity and a path into it, a path into the body, or the line of a file. The plan is kept for a day. If there is nothing to do or there are mistakes, there is no plan to apply, and `id` is null.',
  ].join('\n\n'),
  bodies: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { [PRUNE]: { ...FLAG, default: false, description: 'Whether everything that is not in the lists is deleted.' } },
        additionalProperties: {
          description: 'By the name of the resource: a list of entities, or one object if there can be only one.',
          anyOf: [
            { type: 'array', items: { type: 'object', additionalProperties: true } },
            { type: 'object', additionalProperties: true },
          ],
        },
      },
      example: { environments: [{ name: 'planned' }] },
    },
    'text/xml': { schema: TEXT, example: FILE_EXAMPLE },
  },
  query: { [PRUNE]: { ...FLAG, default: false, description: 'For a file: whether everything that is not in it is deleted.' } },
  response: objectSchema(
    {
      id: described(MAYBE_TEXT, 'Identifies it, to apply it; null: there is nothing to apply.'),
      expires_at: described(MAYBE_TIME, 'Until when it can be applied.'),
      based_on: { type: 'integer', description: 'The revision of the configuration for which it was made.' },
      changes: CHANGES,
      errors: { type: 'array', description: 'The mistakes in the desired state.', items: ERROR },
      affected: {
        type: 'array',
        description: 'Entities that refer to something that changes.',
        items: objectSchema({ resource: RESOURCE, id: ID }),
      },
      ignored: {
        type: 'array',
        description: 'What is ignored: members that the resource does not have, parts of a file.',
        items: objectSchema({ what: described(TEXT, 'What it is.'), why: described(TEXT, 'Why it is ignored.') }),
      },
      warnings: {
        type: 'array',
        description: 'Parts of a file that are accepted although a plugin does not accept their settings.',
        items: objectSchema({ path: { ...TEXT, description: 'The line of the file.' }, message: described(TEXT, 'What the plugin says.') }),
      },
    },
    { title: 'Plan' },
  ),
  example: {
    id: EXAMPLE_PLAN,
    expires_at: EXAMPLE_TIME,
    based_on: 42,
    changes: [EXAMPLE_CHANGE],
    errors: [],
    affected: [],
    ignored: [],
    warnings: [],
  },
  failures: {
    400: {
      when: 'The body is neither a JSON object nor well-formed XML, or `dry_run` or `prune` is neither true nor false, or `prune` is a parameter beside a JSON body.',
      example: { message: 'Payload data is not valid JSON: the top level must be an object' },
    },
    413: {
      when: `The body is larger than ${MAX_BODY_BYTES} bytes, or ${MAX_FILE_BYTES} bytes of XML; or the plan is too large to be kept.`,
    },
    415: {
      when: 'The body is neither JSON nor XML, or is compressed JSON.',
      example: { message: WRONG_TYPE },
    },
  },
};

export const APPLY: RouteDescription = {
  chapter: PLANS_CHAPTER,
  summary: 'Apply a plan',
  details:
    'Does exactly what the plan says, as one revision, and forgets it. It is refused if anything it covers has changed since: `data.moved` says what, by whom and in which revision, and `data.lists` in which resources something was created or deleted.',
  parameters: { id: { description: 'The id of the plan.', example: EXAMPLE_PLAN } },
  request: { schema: { type: 'object', properties: {}, additionalProperties: false }, example: {} },
  response: objectSchema({ id: described(TEXT, 'The id of the plan.'), changes: CHANGES }, { title: 'Applied plan' }),
  example: { id: EXAMPLE_PLAN, changes: [EXAMPLE_CHANGE] },
  changes: 'configuration',
  failures: {
    404: { when: 'There is no such plan, or it has expired.', example: { message: unknownPlan('unknown') } },
    409: { when: 'Something that the plan covers has changed; `data` says what.', example: { message: MOVED }, schema: MOVED_SCHEMA },
    422: { when: 'The plan no longer fits the configuration. Make a new one.' },
  },
};
