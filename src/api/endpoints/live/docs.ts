// The messages and the documentation of the routes of live notices.
import { NOTICE_KINDS, TOPICS } from '../../../events/live/notice.ts';
import type { Json } from '../../../shape/json/json.ts';
import { described, FLAG, LINKS, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export const LIVE_PATH = '/api/live';
export const LIVE_CHAPTER = 'live';
export const STREAM_TYPE = 'text/event-stream';
export const MAX_PIPELINES = 1000;
export const MAX_AT_ONCE = 1000;
export const NOT_YET = 'The server cannot tell what changes now. Try again in a moment.';
export const TOO_MANY = 'Too many pages are open now. Try again later.';
export const tooManyOfUser = (max: number): string =>
  `You have ${max} open streams already, which is the most for one user. Close some, or share one between tabs.`;
export const unknownTopic = (topic: string): string =>
  `Value \`${topic.slice(0, 100)}\` is not allowed for query parameter named \`topics\`. Valid values are ${TOPICS.join(', ')}.`;
export const TOO_MANY_PIPELINES = `Give ${MAX_PIPELINES} pipelines at most, or none for all of them.`;

const NOTICE = objectSchema(
  {
    event: { enum: Object.keys(NOTICE_KINDS), description: 'What kind of thing has changed.' },
    data: { type: 'object', additionalProperties: true, description: 'Its members, as in the table.' },
  },
  { title: 'Notice' },
);
const FILTERS = {
  pipelines: { ...TEXTS, description: 'For notices about pipelines: only those about these pipelines, separated by commas. Default: all.' },
  topics: {
    type: 'array',
    items: { enum: [...TOPICS] },
    description: 'Only notices of these topics, separated by commas. Default: all.',
  },
  since: { ...TEXT, description: 'The id of the last notice that the client has. `Last-Event-ID` takes precedence.' },
};
const KINDS = [
  '| Notice | Data | Topic | When |',
  '|---|---|---|---|',
  '| `pipeline` | `name` | dashboard | a run, stage or job of it changed its state; it was paused, unpaused, locked, unlocked; a run got a comment |',
  '| `stage` | `pipeline`, `counter`, `stage`, `stage_counter`, `result` | dashboard | it was scheduled (`Unknown`) or has ended |',
  '| `job` | `pipeline`, `counter`, `stage`, `stage_counter`, `job`, `state`, `result` | jobs | its state has changed |',
  '| `agent` | `uuid` | agents | it was registered, changed, deleted or lost, or has received or ended a job |',
  '| `material` | `fingerprint` | materials | something new was found in it; polling it fails, or works again; a poll that a user or a webhook requested has ended |',
  '| `health` | | health | the health messages have changed |',
  '| `maintenance` | `enabled` | health | maintenance mode was switched |',
  '| `config` | `kind`, `name` | config | its configuration has changed; `kind` as in addresses, such as `environments`; without `name`: many have changed, or there is only one |',
].join('\n');
const example: Json = {
  _links: links(EXAMPLE_BASE, { doc: docLink(LIVE_CHAPTER), self: LIVE_PATH }),
  id: '6f1d2c3b-42',
  reload: false,
  notices: [],
};

export const NOTICES: Omit<RouteDescription, 'chapter'> = {
  summary: 'Follow what changes, as far as the caller may see it',
  details: [
    `For pages. Each notice names something to read again; there is at most one for the same thing in 250 milliseconds. With \`Accept: ${STREAM_TYPE}\` the answer does not end: it is a stream of server-sent events, whose types are the kinds of notices. Without it, the answer has the notices since \`since\`, ${MAX_AT_ONCE} at most.`,
    KINDS,
    'There are three more events. `ready` comes first and has the id from which to continue, so that a page can open the stream and then read. `reload`: the server does not know what has changed since the id that the client has (the server was restarted, it was away for too long, or its rights have changed), so the page must read everything again. `end`, with `status` 401: the user is no longer logged in; do not reconnect without a login.',
  ].join('\n\n'),
  callers: 'every user; each is notified of what they may see',
  query: FILTERS,
  headers: { 'Last-Event-ID': { ...TEXT, description: 'The id of the last notice that the client has.' } },
  response: objectSchema(
    {
      _links: LINKS,
      id: described(TEXT, 'The value for `since` in the next request.'),
      reload: described(FLAG, 'Whether the server does not know what has changed, so that everything must be read again.'),
      notices: { type: 'array', items: NOTICE, description: 'What has changed, oldest first.' },
    },
    { title: 'Notices' },
  ),
  example,
  alsoAs: { [STREAM_TYPE]: TEXT },
  failures: {
    400: { when: 'There is no such parameter or topic, or there are too many pipelines.' },
    429: { when: 'The user has too many open streams.', example: { message: tooManyOfUser(20) } },
    503: { when: 'The source that knows the user of an access token cannot be asked now, or too many pages are open.' },
  },
};

export const STREAM: Omit<RouteDescription, 'chapter'> = {
  summary: 'What changes, as it changes',
  details: 'Every 15 seconds a comment is sent. A client that does not read for a minute is cut off.',
  callers: NOTICES.callers!,
  query: FILTERS,
  headers: NOTICES.headers!,
  type: STREAM_TYPE,
  response: TEXT,
};
