// Events: page by page, and as a stream.
import type { Identity } from '../../../access/identity.ts';
import { type EventFilter, matcherOf } from '../../../events/event-filter.ts';
import type { EventLog } from '../../../events/event-log.ts';
import type { EventsVerification } from '../../../events/events-verification.ts';
import type { EventStreams } from '../../../events/stream/streams.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { matchesWildcard } from '../../../kit/text/wildcard.ts';
import { EVENT_TYPES } from '../../../shape/event-types.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { docLink, links } from '../common/links.ts';
import { ANY_NUMBER, notInRange, numberIn } from '../common/number-in.ts';
import {
  BOTH_WAYS,
  DEFAULT_PAGE,
  EVENTS_PATH,
  LIST,
  notYet,
  PAGE_SIZE,
  STREAM,
  STREAM_TYPE,
  TOO_MANY_STREAMS,
  unknownType,
  VERIFICATION,
  VERIFICATION_PATH,
} from './docs.ts';
import { pageOf } from './page.ts';

export interface EventRouteParts {
  readonly log: EventLog;
  readonly streams: EventStreams;
  readonly verification: Pick<EventsVerification, 'run'>;
  /** Whether a user who was let in would be let in again. */
  isStillAllowed(identity: Identity): boolean;
}

const RETRY_SECONDS = 10;
const common = { method: 'GET', path: EVENTS_PATH, permission: 'admin' } as const;

export function eventRoutes({ log, streams, verification, isStillAllowed }: EventRouteParts): Route[] {
  return [
    { ...common, version: 1, description: { chapter: 'events', ...LIST }, handle: list },
    { ...common, version: null, media: STREAM_TYPE, description: { chapter: 'events', ...STREAM }, handle: stream },
    { ...common, path: VERIFICATION_PATH, version: 1, description: { chapter: 'events', ...VERIFICATION }, handle: verify },
  ];

  async function list({ query, base }: ApiRequest): Promise<Answer> {
    mustBeKnown(query, LIST);
    const size = numberIn(query, 'page_size', PAGE_SIZE) ?? DEFAULT_PAGE;
    const after = existing(numberIn(query, 'after', ANY_NUMBER));
    const before = numberIn(query, 'cursor', ANY_NUMBER);
    if (after !== undefined && before !== undefined) throw new Refusal('malformed', BOTH_WAYS);
    const from = after === undefined ? { before: before ?? Number.MAX_SAFE_INTEGER } : { after };
    const { events, next } = await pageOf(log, { from, size, wants: matcherOf(filterIn(query)) });
    const address = next === undefined ? undefined : addressWith(query, after === undefined ? 'cursor' : 'after', next);
    const shown = links(base, { doc: docLink('events'), self: EVENTS_PATH, ...(address !== undefined && { next: address }) });
    const text = `{"_links":${JSON.stringify(shown)},"_embedded":{"events":[${events.map(({ json }) => json).join()}]}}`;
    return { status: 200, text, bytes: Buffer.byteLength(text), cacheControl: 'no-store' };
  }

  function stream(request: ApiRequest): Answer {
    const { query, identity } = request;
    mustBeKnown(query, STREAM);
    const after = existing(lastEventId(request) ?? numberIn(query, 'after', ANY_NUMBER)) ?? log.last.number;
    const body = streams.open({ after, filter: filterIn(query), isStillAllowed: () => isStillAllowed(identity) });
    if (!body) throw new Refusal('unavailable', TOO_MANY_STREAMS, { retryAfter: RETRY_SECONDS });
    // Proxies must hand on each event when it comes.
    return { status: 200, body, type: STREAM_TYPE, cacheControl: 'no-store', headers: ['X-Accel-Buffering', 'no'] };
  }

  async function verify({ base }: ApiRequest): Promise<Answer> {
    const { events, faults } = await verification.run();
    const _links = links(base, { doc: docLink('events'), self: VERIFICATION_PATH });
    return jsonAnswer({ _links, is_whole: faults.length === 0, message: events ?? null, faults: [...faults] });
  }

  function existing(number: number | undefined): number | undefined {
    if (number !== undefined && number > log.last.number) throw new Refusal('conflict', notYet(number, log.last.number));
    return number;
  }
}

/** An empty one is sent by clients that have no event yet. */
function lastEventId(request: ApiRequest): number | undefined {
  const given = request.header('last-event-id')?.trim();
  if (!given) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) <= ANY_NUMBER.max) return Number(given);
  throw new Refusal('malformed', notInRange(given, 'Last-Event-ID', ANY_NUMBER));
}

function filterIn(query: URLSearchParams): EventFilter {
  const patterns = (name: string) => query.getAll(name).flatMap((value) => value.split(',').filter((one) => one !== ''));
  const types = patterns('type');
  const unknown = types.find((type) => !Object.keys(EVENT_TYPES).some((one) => matchesWildcard(type, one)));
  if (unknown !== undefined) throw new Refusal('malformed', unknownType(unknown));
  return { types, actors: patterns('actor'), resources: patterns('resource'), ids: patterns('id') };
}

function addressWith(query: URLSearchParams, name: string, value: number): string {
  const next = new URLSearchParams(query);
  next.set(name, String(value));
  return `${EVENTS_PATH}?${next}`;
}
