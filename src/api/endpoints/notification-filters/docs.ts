// The messages and the documentation of the routes of notification filters.
import { ANY_PIPELINE, ANY_STAGE, EVENTS, type Filter } from '../../../notifications/filters.ts';
import { embeddedSchema, FLAG, LINKS, MESSAGE, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { contentJson, filterJson, filterListJson } from './json.ts';

export const NO_SMTP = 'SMTP settings are currently not configured. Ask your administrator to configure SMTP settings.';
export const DELETED = 'Notification filter is successfully deleted!';
export const unknownFilter = (id: string) => `Notification filter with id '${id}' was not found!`;

const example: Filter = { id: 1, pipeline: ANY_PIPELINE, stage: ANY_STAGE, event: 'Breaks', matchCommits: true };
const members = {
  pipeline: { ...TEXT, description: `Name of a pipeline, or ${ANY_PIPELINE}.` },
  stage: { ...TEXT, description: `Name of a stage, or ${ANY_STAGE}.` },
  event: { enum: EVENTS, description: 'What happened to the stage.' },
};
const matchCommits = { ...FLAG, default: false, description: 'Whether only runs with a commit of yours count.' };
const request = { schema: objectSchema(members, { others: { match_commits: matchCommits } }), example: contentJson(example) };
const filterSchema = objectSchema(
  { _links: LINKS, id: { type: 'integer', description: 'Identifies it in addresses.' }, ...members, match_commits: matchCommits },
  { title: 'Notification filter' },
);
const shown = { response: filterSchema, example: filterJson(example, EXAMPLE_BASE), hasEtag: true };
const parameters = { id: { description: 'The id of the filter.', example: String(example.id) } };
const memberFailures = {
  400: { when: 'No mail server is configured, or the id is not a number.' },
  404: { example: { message: unknownFilter('999') } },
};

export const DESCRIPTIONS = {
  list: {
    summary: 'List of your notification filters',
    response: embeddedSchema('filters', filterSchema),
    example: filterListJson([example], EXAMPLE_BASE),
    hasEtag: true,
    failures: { 400: { when: 'No mail server is configured.' } },
  },
  create: {
    ...shown,
    summary: 'Create a notification filter',
    request,
    failures: { 400: { when: 'No mail server is configured, or the body is not JSON.' } },
  },
  show: { ...shown, summary: 'Show a notification filter', parameters, failures: memberFailures },
  replace: {
    ...shown,
    summary: 'Replace a notification filter',
    parameters,
    request,
    ifMatch: 'optional',
    failures: { ...memberFailures, 412: STALE_RECORD },
  },
  remove: {
    summary: 'Delete a notification filter',
    details: 'The ETag is that of the deleted filter.',
    parameters,
    response: MESSAGE,
    example: { message: DELETED },
    hasEtag: true,
    ifMatch: 'optional',
    failures: { ...memberFailures, 412: STALE_RECORD },
  },
} satisfies Readonly<Record<string, Omit<RouteDescription, 'chapter'>>>;
