// The command that prints events, and follows them across restarts of the server.
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, fetchJson, refusalOf } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { askWithRetries } from '../builds/ask-with-retries.ts';
import { FollowScreen } from '../builds/follow-screen.ts';
import { EventReader } from './event-stream.ts';
import { eventText, type ServerEvent } from './event-text.ts';

const EVENTS_PATH = '/api/admin/events';
const DEFAULT_LIMIT = 20;
const MAX_EVENTS = 1000;
/** Between the end of a stream and the next one: the server may be starting. */
const PAUSE_MS = 500;

interface EventsValues extends ServerValues {
  readonly follow: boolean;
  readonly after: string | undefined;
  readonly limit: string | undefined;
  readonly type: readonly string[];
  readonly actor: readonly string[];
  readonly resource: readonly string[];
  readonly id: readonly string[];
  readonly output: string | undefined;
}

export async function runEvents({ values }: ParsedArguments<EventsValues>, context: Context): Promise<number> {
  const after = numberIn('after', values.after, 0, Number.MAX_SAFE_INTEGER);
  const limit = numberIn('limit', values.limit, 1, values.follow ? Number.MAX_SAFE_INTEGER : MAX_EVENTS);
  const server = serverOf(values, context);
  const print = (event: ServerEvent) => (values.output === 'json' ? `${JSON.stringify(event)}\n` : eventText(event));
  if (values.follow) return follow({ server, query: filterOf(values), after, limit: limit ?? Number.POSITIVE_INFINITY, print }, context);
  const query = filterOf(values);
  query.set('page_size', String(limit ?? DEFAULT_LIMIT));
  if (after !== undefined) query.set('after', String(after));
  const { events } = (await fetchJson<EventPage>(server, `${EVENTS_PATH}?${query}`))._embedded;
  // Without `after` the newest come first; people read downwards.
  context.out.write((after === undefined ? events.toReversed() : events).map(print).join(''));
  return 0;
}

interface EventPage {
  readonly _embedded: { readonly events: readonly ServerEvent[] };
}

interface FollowRequest {
  readonly server: RemoteServer;
  readonly query: URLSearchParams;
  readonly after: number | undefined;
  /** Number of events after which it ends. */
  readonly limit: number;
  readonly print: (event: ServerEvent) => string;
}

async function follow({ server, query, after, limit, print }: FollowRequest, context: Context): Promise<number> {
  const screen = new FollowScreen(context);
  let last = after ?? (await newest(server));
  try {
    for (let left = limit; ; await pause(PAUSE_MS)) {
      for await (const event of streamed(server, query, last, screen)) {
        await screen.write(print(event));
        last = event.number;
        left -= 1;
        if (left === 0) return 0;
      }
    }
  } finally {
    screen.end();
  }
}

/** The number of the last event: the first stream may be cut off before it has brought one. */
async function newest(server: RemoteServer): Promise<number> {
  const { events } = (await fetchJson<EventPage>(server, `${EVENTS_PATH}?page_size=1`))._embedded;
  return events[0]?.number ?? 0;
}

/** The events until the stream ends, as it does when the server stops. */
async function* streamed(server: RemoteServer, query: URLSearchParams, after: number, screen: FollowScreen): AsyncGenerator<ServerEvent> {
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(after) };
  const response = await askWithRetries(server, `${EVENTS_PATH}?${query}`, screen.unavailable, { headers });
  if (!response.ok) throw refusalOf(response, await answerOf(response, server), server);
  const reader = new EventReader();
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const { data } of reader.take(chunk)) yield JSON.parse(data) as ServerEvent;
  } catch (failure) {
    // A stream that is cut off goes on with the next one. `fetch` says so with this type.
    if (!(failure instanceof TypeError)) throw failure;
  }
}

function filterOf({ type, actor, resource, id }: EventsValues): URLSearchParams {
  const given = Object.entries({ type, actor, resource, id });
  return new URLSearchParams(given.flatMap(([name, values]) => values.map((value) => [name, value])));
}

function numberIn(flag: string, given: string | undefined, min: number, max: number): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
  throw new UsageError(`--${flag} must be a number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}, not '${given}'.`);
}
