// The sessions of all users: administrators list them, and end them.
import { expiryOf, idOf, type Session } from '../../../access/sessions/session.ts';
import type { Sessions } from '../../../access/sessions/sessions.ts';
import { keyOf, type Users } from '../../../access/users/users.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';
import { ALL_OF_USER_ENDED, ALL_SESSIONS, NO_USER_NAMED, noSuchSession } from './all-docs.ts';
import { ONE_ENDED } from './docs.ts';
import { ALL_SESSIONS_PATH, allSessionsJson } from './json.ts';

export function allSessionRoutes(sessions: Sessions, users: Pick<Users, 'find'>): Route[] {
  const listed = ({ query }: ApiRequest): Promise<readonly Session[]> => {
    const login = query.get('login_name');
    return login === null ? sessions.all() : sessions.of(keyOf(login));
  };
  return [
    route('GET', ALL_SESSIONS_PATH, ALL_SESSIONS.list, async (request) => {
      mustBeKnown(request.query, ALL_SESSIONS.list);
      const shown = (await listed(request)).map((session) => ({
        session,
        expiresAt: expiryOf(session, sessions.limits),
        isCurrent: session.hash === request.identity.sessionHash,
        loginName: users.find(session.userKey)?.loginName ?? session.userKey,
      }));
      return jsonAnswer(allSessionsJson(shown, request.base), { cacheControl: 'no-store' });
    }),
    route('DELETE', ALL_SESSIONS_PATH, ALL_SESSIONS.endOfUser, async (request) => {
      const { isDryRun, query } = request;
      const login = query.get('login_name') ?? '';
      if (login.trim() === '') throw new Refusal('malformed', NO_USER_NAMED);
      const ended = await sessions.of(keyOf(login));
      if (!isDryRun) await sessions.end(ended.map(({ hash }) => hash));
      return jsonAnswer({ message: ALL_OF_USER_ENDED });
    }),
    route('DELETE', `${ALL_SESSIONS_PATH}/:id`, ALL_SESSIONS.endOne, async (request) => {
      const { isDryRun, params } = request;
      const { id = '' } = params;
      const session = (await sessions.all()).find((one) => idOf(one) === id);
      if (!session) throw new Refusal('notFound', noSuchSession(id));
      if (!isDryRun) await sessions.end([session.hash]);
      return jsonAnswer({ message: ONE_ENDED });
    }),
  ];
}

/** Also in maintenance mode: an administrator may have to log a user out at once. */
function route(method: Route['method'], path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 1,
    permission: 'admin',
    worksInMaintenance: true,
    description: { chapter: 'sessions', ...description },
    handle: (request) => {
      if (request.identity.tokenId !== null) throw new Refusal('forbidden', NOT_BY_TOKEN);
      return handle(request);
    },
  };
}
