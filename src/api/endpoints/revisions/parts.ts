// The common parts of the routes of the history.
import type { Config } from '../../../config/current.ts';
import type { Past } from '../../../history/past.ts';
import type { Retention } from '../../../history/retention.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { addressOf, type Kind } from '../../../shape/resource.ts';
import type { LoggedRevision, RevisionLog } from '../../../store/revisions/revision-log.ts';
import type { RevisionNames } from '../../../store/revisions/revision-names.ts';
import type { Method, Route, RouteDescription } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { CHAPTER } from './json.ts';

export interface HistoryRouteParts {
  readonly config: Config;
  readonly past: Past;
  readonly log: RevisionLog;
  readonly names: RevisionNames;
  readonly retention: Retention;
}

/** Behind every revision. */
export const END = Number.MAX_SAFE_INTEGER;

export const unknownRevision = (given: string): string => `There is no revision '${given}'.`;

export function historyRoute(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  const looking: Route['handle'] = (request) => {
    mustBeKnown(request.query, description);
    return handle(request);
  };
  return {
    method,
    path,
    version: 1,
    permission: 'admin',
    description: { chapter: CHAPTER, ...description },
    handle: method === 'GET' ? looking : handle,
  };
}

/** The id as it is written now; of an entity that is gone the key is left, in which letter case may not count. */
export function idIn(config: Config, kind: Kind, key: string): string {
  const entry = config.of(kind.name).find(key);
  return entry && kind.shape === 'collection' ? addressOf(kind, entry.value) : key;
}

export async function findRevision(log: RevisionLog, given: string): Promise<LoggedRevision | undefined> {
  return /^\d{1,15}$/.test(given) ? log.find(Number(given)) : undefined;
}

export async function revisionNamed(log: RevisionLog, given = ''): Promise<LoggedRevision> {
  const found = await findRevision(log, given);
  if (!found) throw new Refusal('notFound', unknownRevision(given));
  return found;
}
