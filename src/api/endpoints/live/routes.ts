// Live notices for pages: as a stream, and as a list since an id.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import type { LiveStreams } from '../../../events/live/live-streams.ts';
import { TOPICS, type Topic } from '../../../events/live/notice.ts';
import type { NoticeLog } from '../../../events/live/notice-log.ts';
import type { NoticePublisher } from '../../../events/live/notice-publisher.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { docLink, links } from '../common/links.ts';
import {
  LIVE_CHAPTER,
  LIVE_PATH,
  MAX_AT_ONCE,
  MAX_PIPELINES,
  NOT_YET,
  NOTICES,
  STREAM,
  STREAM_TYPE,
  TOO_MANY,
  TOO_MANY_PIPELINES,
  tooManyOfUser,
  unknownTopic,
} from './docs.ts';
import { type LiveFilter, viewOf } from './view.ts';

export interface LiveRouteParts {
  readonly publisher: NoticePublisher;
  readonly streams: LiveStreams;
  readonly access: Access;
  /** Whether a user who was let in would be let in again. */
  isStillAllowed(identity: Identity): boolean;
  readonly stopping: AbortSignal;
}

const RETRY_SECONDS = 10;
const common = { method: 'GET', path: LIVE_PATH, permission: 'user' } as const;

export function liveRoutes({ publisher, streams, access, isStillAllowed, stopping }: LiveRouteParts): Route[] {
  stopping.addEventListener('abort', () => streams.closeAll(), { once: true });
  return ofKeeper([
    { ...common, version: 1, description: { chapter: LIVE_CHAPTER, ...NOTICES }, handle: list },
    { ...common, version: null, media: STREAM_TYPE, description: { chapter: LIVE_CHAPTER, ...STREAM }, handle: stream },
  ]);

  function list({ query, identity, base }: ApiRequest): Answer {
    const view = viewOf(identity, filterIn(query), access);
    const log = mustHaveLog();
    const since = query.get('since');
    const from = since === null ? log.last : log.numberIn(since);
    const taken = from === undefined ? undefined : log.take(from, (notice) => view.wants(notice), { count: MAX_AT_ONCE });
    return jsonAnswer(
      {
        _links: links(base, { doc: docLink(LIVE_CHAPTER), self: LIVE_PATH }),
        id: log.idOf(taken?.position ?? log.last),
        reload: taken === undefined,
        notices: (taken?.notices ?? []).map(({ kind: event, data }) => ({ event, data })),
      },
      { cacheControl: 'no-store' },
    );
  }

  function stream(request: ApiRequest): Answer {
    const { query, identity } = request;
    const filter = filterIn(query);
    const log = mustHaveLog();
    // An empty one is sent by clients that have none yet.
    const id = request.header('last-event-id')?.trim() || query.get('since');
    const body = streams.open({
      log,
      position: id ? log.numberIn(id) : log.last,
      user: identity.loginName,
      view: viewOf(identity, filter, access),
      isStillAllowed: () => isStillAllowed(identity),
      rights: () => access.rightsText(identity),
    });
    if (body === 'too many of this user') throw new Refusal('tooMany', tooManyOfUser(streams.maxOfUser), { retryAfter: RETRY_SECONDS });
    if (body === 'too many') throw new Refusal('unavailable', TOO_MANY, { retryAfter: RETRY_SECONDS });
    // Proxies must hand on each notice when it comes.
    return { status: 200, body, type: STREAM_TYPE, cacheControl: 'no-store', headers: ['X-Accel-Buffering', 'no'] };
  }

  function mustHaveLog(): NoticeLog {
    if (!publisher.log || stopping.aborted) throw new Refusal('unavailable', NOT_YET, { retryAfter: 1 });
    return publisher.log;
  }
}

function filterIn(query: URLSearchParams): LiveFilter {
  mustBeKnown(query, NOTICES);
  const topics = listed(query, 'topics');
  const pipelines = listed(query, 'pipelines');
  const unknown = topics?.find((topic) => !isTopic(topic));
  if (unknown !== undefined) throw new Refusal('malformed', unknownTopic(unknown));
  if ((pipelines?.length ?? 0) > MAX_PIPELINES) throw new Refusal('malformed', TOO_MANY_PIPELINES);
  return {
    topics: topics && new Set(topics.filter(isTopic)),
    pipelines: pipelines && new Set(pipelines.map((name) => name.toLowerCase())),
  };
}

function isTopic(text: string): text is Topic {
  return (TOPICS as readonly string[]).includes(text);
}

/** undefined: it is not given. */
function listed(query: URLSearchParams, name: string): string[] | undefined {
  const given = query.getAll(name).flatMap((value) => value.split(',').filter((one) => one !== ''));
  return given.length === 0 ? undefined : given;
}
