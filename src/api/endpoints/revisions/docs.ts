// The messages and the documentation of the routes of the history.
import { notKept } from '../../../history/stored-value.ts';
import type { Json, JsonObject } from '../../../shape/json/json.ts';
import { embeddedSchema, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { refusalBody } from '../../http/refusal-reply.ts';
import { ENTITIES_PATH, listJson, REVISIONS_PATH, revisionLinks } from './json.ts';
import { unknownRevision } from './parts.ts';
import { CHANGED, DIFFERENCES, FIELD, NUMBER, OPERATION, PAGE, REVISION } from './schemas.ts';

export type Description = Omit<RouteDescription, 'chapter'>;

export const MAX_NAME_LENGTH = 255;
export const unknownResource = (name: string): string => `There is no resource called '${name.slice(0, 100)}'.`;
export const needsId = (name: string): string => `There are several ${name}: the path must also name one of them, /${name}/ID/…`;
export const hasNoId = (name: string): string => `There is only one ${name}: leave the id out of the path.`;

const BAD_QUERY = { 400: { when: 'A query parameter has a value that is not allowed.' } };

/** The examples are about one environment: created by one revision, changed by the next. */
const CREATED = 41;
const EXAMPLE = 42;
const ENVIRONMENT = 'preview';
const REASON = 'The north is full';
const TIMEOUT_REASON = 'They need longer';
const facts = (revision: number, reason: string | null, name: string | null = null): JsonObject => ({
  revision,
  time: EXAMPLE_TIME,
  actor: 'admin',
  token: null,
  address: '127.0.0.1',
  reason,
  name,
  change_count: 1,
});
const UPDATE = { resource: 'environments', id: ENVIRONMENT, operation: 'update' };
const DIFFERENCE = {
  differences: [
    {
      path: '/environment_variables/0/value',
      operation: 'replace',
      field: "environment variable 'REGION', value",
      before: 'north',
      after: 'south',
      words: "environment variable 'REGION', value changed from 'north' to 'south'",
    },
  ],
  patch: [{ op: 'replace', path: '/environment_variables/0/value', value: 'south' }],
};
const ABOUT_EXAMPLE = { _links: revisionLinks(EXAMPLE, EXAMPLE_BASE), ...facts(EXAMPLE, REASON) };

const REVISION_PARAMETER = { revision: { description: 'The number of the revision.', example: String(EXAMPLE) } };
const UNKNOWN_REVISION = { 404: { when: 'There is no such revision.', example: { message: unknownRevision('4711') } } };

export const LIST: Description = {
  summary: 'List the revisions of the configuration',
  details:
    'Newest first. A page may be shorter than requested, or even empty, and still have a link `next`: a search that no index supports looks at a limited number of revisions at a time.',
  query: {
    actor: { ...TEXT, description: 'Only revisions made by this user.' },
    token: { ...NUMBER, description: 'Only revisions made with this access token.' },
    resource: { ...TEXT, description: 'Only revisions that change this kind of configuration, such as `environments`.' },
    id: { ...TEXT, description: 'Only revisions that change the entity with this id: of the kind given by `resource`, or of any kind.' },
    text: {
      ...TEXT,
      description:
        'Part of the reason, of the actor, of the name of the revision, of the id or name of something that was changed, or of a value that was set or removed, if it is still kept. Secrets are not searched. In a revision with more than 2,000 changes, only the values of the first 2,000 are searched.',
    },
    since: { ...TEXT, description: 'Not before this time (ISO 8601).' },
    until: { ...TEXT, description: 'Not after this time (ISO 8601).' },
    ...PAGE,
  },
  response: embeddedSchema(
    'revisions',
    objectSchema(
      { ...REVISION, changes: { type: 'array', description: 'The first ten.', items: objectSchema(CHANGED, { title: 'Changed entity' }) } },
      { title: 'Revision' },
    ),
  ),
  example: listJson(REVISIONS_PATH, 'revisions', [{ ...ABOUT_EXAMPLE, changes: [UPDATE] }], EXAMPLE_BASE),
  hasEtag: true,
  failures: BAD_QUERY,
};

export const SHOW: Description = {
  summary: 'Show what a revision changed',
  details: 'Each entity with the difference, in words and as a JSON Patch. For secrets it only says that they have changed.',
  parameters: REVISION_PARAMETER,
  query: PAGE,
  response: objectSchema(
    {
      ...REVISION,
      changes: {
        type: 'array',
        description: 'What it changed.',
        items: objectSchema({ ...CHANGED, ...DIFFERENCES }, { title: 'Changed entity and its difference' }),
      },
    },
    { title: 'Revision and its differences' },
  ),
  example: { ...ABOUT_EXAMPLE, changes: [{ ...UPDATE, ...DIFFERENCE }] },
  hasEtag: true,
  failures: { ...BAD_QUERY, ...UNKNOWN_REVISION },
};

export const NAME: Description = {
  summary: 'Name a revision, or remove its name',
  details: 'A revision with a name is kept whole, however old it gets.',
  parameters: REVISION_PARAMETER,
  ifMatch: 'optional',
  request: {
    schema: {
      type: 'object',
      required: ['name'],
      properties: { name: { ...MAYBE_TEXT, maxLength: MAX_NAME_LENGTH, description: 'The name; null removes it.' } },
    },
    example: { name: 'before the move' },
  },
  response: objectSchema(REVISION, { title: 'Named revision' }),
  example: { ...ABOUT_EXAMPLE, name: 'before the move' },
  failures: {
    ...UNKNOWN_REVISION,
    410: { when: 'This revision is no longer kept.', example: () => refusalBody(notKept(1, 2)) },
    412: STALE_RECORD,
  },
};

const RESOURCE = (example: string) => ({ description: 'The kind of configuration: the last part of its path.', example });
export const OF_MEMBER = {
  resource: RESOURCE('environments'),
  id: { description: 'Its id in addresses.', example: ENVIRONMENT },
};
export const OF_ONLY = { resource: RESOURCE('default_job_timeout') };
const UNKNOWN_ENTITY = {
  404: { when: 'There is no such kind, or there never was such an entity.', example: { message: unknownResource('unknown') } },
};
const OF_PARTS = 'The parts of an environment that config repos define have histories of their own: follow the links `part:…`.';
const IN_HISTORY = objectSchema({ ...REVISION, operation: OPERATION, ...DIFFERENCES }, { title: 'Revision in the history of an entity' });

const history = (path: string, member: JsonObject): Description => ({
  summary: '',
  details: `Newest first, each with the difference it made. ${OF_PARTS}`,
  query: PAGE,
  response: embeddedSchema('revisions', IN_HISTORY),
  example: listJson(path, 'revisions', [member], EXAMPLE_BASE),
  hasEtag: true,
  failures: { ...BAD_QUERY, ...UNKNOWN_ENTITY },
});

export const HISTORY: Description = {
  ...history(`${ENTITIES_PATH}/environments/${ENVIRONMENT}/history`, {
    ...ABOUT_EXAMPLE,
    operation: 'update',
    ...DIFFERENCE,
  }),
  summary: 'Show the history of an entity',
  parameters: OF_MEMBER,
};

export const HISTORY_ONLY: Description = {
  ...history(`${ENTITIES_PATH}/default_job_timeout/history`, {
    _links: revisionLinks(EXAMPLE, EXAMPLE_BASE),
    ...facts(EXAMPLE, TIMEOUT_REASON),
    operation: 'update',
    differences: [
      {
        path: '/default_job_timeout',
        operation: 'replace',
        field: 'default job timeout',
        before: '30',
        after: '90',
        words: "default job timeout changed from '30' to '90'",
      },
    ],
    patch: [{ op: 'replace', path: '/default_job_timeout', value: '90' }],
  }),
  summary: 'Show the history of a single resource',
  parameters: OF_ONLY,
};

const blamed = (path: string, field: string, value: Json, revision: number, reason: string | null) => ({
  path,
  field,
  value,
  revision,
  time: EXAMPLE_TIME,
  actor: 'admin',
  token: null,
  reason,
});
const blameDescription = (path: string, fields: readonly JsonObject[]): Description => ({
  summary: '',
  details: `For each field: which revision set its current value, who made it, when and why. ${OF_PARTS}`,
  response: embeddedSchema('fields', FIELD),
  example: listJson(path, 'fields', fields, EXAMPLE_BASE),
  hasEtag: true,
  failures: UNKNOWN_ENTITY,
});

export const BLAME: Description = {
  ...blameDescription(`${ENTITIES_PATH}/environments/${ENVIRONMENT}/blame`, [
    blamed('/name', 'name', ENVIRONMENT, CREATED, null),
    blamed('/environment_variables/0/value', "environment variable 'REGION', value", 'south', EXAMPLE, REASON),
  ]),
  summary: 'Show who set each field of an entity',
  parameters: OF_MEMBER,
};

export const BLAME_ONLY: Description = {
  ...blameDescription(`${ENTITIES_PATH}/default_job_timeout/blame`, [
    blamed('/default_job_timeout', 'default job timeout', '90', EXAMPLE, TIMEOUT_REASON),
  ]),
  summary: 'Show who set each field of a single resource',
  parameters: OF_ONLY,
};
