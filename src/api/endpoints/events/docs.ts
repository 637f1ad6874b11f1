// The messages and the documentation of the routes of events.
import { EVENT_TYPES } from '../../../shape/event-types.ts';
import type { Json, JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, LINKS, MAYBE_TEXT, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_LOGIN, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export const EVENTS_PATH = '/api/admin/events';
export const VERIFICATION_PATH = `${EVENTS_PATH}/verification`;
export const STREAM_TYPE = 'text/event-stream';
export const DEFAULT_PAGE = 100;
const MAX_PAGE_SIZE = 1000;
export const PAGE_SIZE = { min: 1, max: MAX_PAGE_SIZE };
export const BOTH_WAYS = 'Give `after` or `cursor`, not both.';
export const TOO_MANY_STREAMS = 'Too many clients are following the events now. Try again later.';
export const notYet = (after: number, last: number): string =>
  `There is no event ${after} yet, the last one is ${last}. A server that was restored from a backup continues from there: start again after an event that both have.`;
export const unknownType = (type: string): string =>
  `Value \`${type.slice(0, 100)}\` is not allowed for query parameter named \`type\`. Valid values are ${Object.keys(EVENT_TYPES).join(', ')}, with \`*\` and \`?\` as wildcards.`;

const COUNT = { type: 'integer' };
const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

const SUBJECT = objectSchema(
  {
    resource: { ...TEXT, description: 'Their kind, as addresses have it: `environments`.' },
    id: described(TEXT, 'Its id; empty if there is only one of the kind.'),
  },
  {
    title: 'Subject of an event',
    others: {
      operation: { enum: ['create', 'update', 'delete'], description: 'What happened to it in a change of the configuration.' },
      etag: { ...TEXT, description: 'Its new ETag; absent when it was deleted.' },
    },
  },
);
const EVENT = objectSchema(
  {
    number: { ...COUNT, description: '1, 2, 3 … without gaps.' },
    time: described(TIME, 'When it happened.'),
    type: { enum: Object.keys(EVENT_TYPES), description: 'What happened.' },
    actor: { ...MAYBE_TEXT, description: 'Who did it; null: no known user.' },
    about: {
      type: 'array',
      items: SUBJECT,
      description: 'What it is about. For a change of the configuration, the first 100 entities that it touched.',
    },
    data: { type: 'object', additionalProperties: true, description: 'Details that depend on the type of the event.' },
    previous_hash: { ...HASH, description: 'The hash of the event before it.' },
    hash: { ...HASH, description: 'The SHA-256 of all members before this one, in this order, as JSON without blanks.' },
  },
  { title: 'Event' },
);

const EXAMPLE: Json = {
  number: 2,
  time: EXAMPLE_TIME,
  type: 'configuration.changed',
  actor: EXAMPLE_LOGIN,
  about: [{ resource: 'environments', id: 'staging', operation: 'create', etag: 'c5b3f4'.padEnd(64, '0') }],
  data: {
    revision: 2,
    reason: null,
    token: null,
    address: '192.0.2.7',
    touched: { environments: 1 },
    changes_digest: '9f0c2b7e4d1a86f35b0e7c49d2a1f8366e5b9c0d7f42a1835e6d0b9c7a4f1e28',
  },
  previous_hash: '5f1c3a'.padEnd(64, '0'),
  hash: '9b0e42'.padEnd(64, '0'),
};

const types = Object.entries(EVENT_TYPES).map(([type, about]) => `\`${type}\`: ${about}`);
const pattern = (description: string): JsonSchema => ({
  ...TEXTS,
  description: `${description} Separate several with commas, or repeat the parameter; \`*\` and \`?\` are wildcards.`,
});
const FILTERS: Readonly<Record<string, JsonSchema>> = {
  type: pattern('Only events of this type.'),
  actor: pattern('Only events caused by this user.'),
  resource: pattern('Only events about things of this kind, such as `environments`.'),
  id: pattern('Only events about the thing with this id.'),
};
const AFTER = { ...COUNT, minimum: 0, description: 'Only events after this number, oldest first.' };

export const LIST: Omit<RouteDescription, 'chapter'> = {
  summary: 'List events, or follow them as a stream',
  details: [
    `Newest first, unless \`after\` is given. With \`Accept: ${STREAM_TYPE}\` the answer does not end: it is a stream of server-sent events that begins after \`Last-Event-ID\` (or \`after\`), or now. Its ids are the numbers of the events, its data the events as shown here.`,
    ...types,
  ].join('\n\n'),
  query: {
    after: AFTER,
    cursor: { ...COUNT, minimum: 0, description: 'Only events before this number, newest first, as in the link `next`.' },
    page_size: {
      ...COUNT,
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE,
      description: 'The maximum number of events; with a filter a page may have fewer although there is a next one.',
    },
    ...FILTERS,
  },
  headers: { 'Last-Event-ID': { ...COUNT, description: 'For streams: the number of the last event that the client has.' } },
  response: embeddedSchema('events', EVENT),
  example: { _links: links(EXAMPLE_BASE, { doc: docLink('events'), self: EVENTS_PATH }), _embedded: { events: [EXAMPLE] } },
  alsoAs: { [STREAM_TYPE]: TEXT },
  failures: {
    400: {
      when: 'A query parameter or `Last-Event-ID` is not in its range, there is no such parameter, or there is no such type of event.',
    },
    409: { when: 'There is no event with that number yet.', example: { message: notYet(9_000_000_000, 2) } },
    503: { when: 'The source that knows the user of an access token cannot be asked now, or too many clients are following the events.' },
  },
};

export const VERIFICATION: Omit<RouteDescription, 'chapter'> = {
  summary: 'Check the events for tampering',
  details:
    'The server reads all events, computes their hashes again, and compares the configuration with them and with the change log. It only reads, in the background, and takes about a second for every ten thousand events. A caller who asks while a check is under way gets the result of that check. Somebody with write access to the database could compute all hashes again. So note the number and the hash of an event elsewhere now and then, and compare them with `slipway audit verify --expect`.',
  response: objectSchema(
    {
      _links: LINKS,
      is_whole: { type: 'boolean', description: 'Whether nothing was changed after it was written.' },
      message: {
        ...MAYBE_TEXT,
        description: 'How many events there are, from when to when, and the hash of the last one; null: something was changed.',
      },
      faults: { type: 'array', items: TEXT, description: 'What was changed, in sentences.' },
    },
    { title: 'Result of a check of the events' },
  ),
  example: {
    _links: links(EXAMPLE_BASE, { doc: docLink('events'), self: VERIFICATION_PATH }),
    is_whole: true,
    message: `All 2 events are as they were written, from ${EXAMPLE_TIME} to ${EXAMPLE_TIME}.\nThe last one is 2:${'9b0e42'.padEnd(64, '0')}`,
    faults: [],
  },
};

export const STREAM: Omit<RouteDescription, 'chapter'> = {
  summary: 'Events as they happen',
  details:
    'After every 15 seconds without an event, a comment is sent. A client that reads too slowly is cut off with a comment, and can continue after the last id that it has.',
  query: { after: AFTER, ...FILTERS },
  headers: LIST.headers!,
  type: STREAM_TYPE,
  response: TEXT,
};
