// Authenticates a request: by the header Authorization, or by the cookie of a session.
import type { IncomingMessage } from 'node:http';
import type { Identity } from '../../../access/identity.ts';
import type { Authenticate } from '../../../access/login/authenticate.ts';
import { unauthenticated } from '../../../access/login/refusals.ts';
import type { SessionLogins } from '../../../access/sessions/session-logins.ts';
import { refuseForgery } from './csrf.ts';
import { AMBIGUOUS, type CookieOrigin, sessionTokenIn } from './session-cookie.ts';

export type Identify = (request: IncomingMessage, address: string) => Identity | Promise<Identity>;

export const TWO_COOKIES =
  'Your browser sends two different cookies named slipway_session: another server of this domain may have set one. Delete both and log in again.';

/** When a request has both, the header counts: no page can make a browser add one. */
export function identifier(
  authenticate: Authenticate,
  sessions: Pick<SessionLogins, 'authenticate'>,
  originOf: (request: IncomingMessage) => CookieOrigin,
): Identify {
  return (request, address) => {
    const { authorization, cookie } = request.headers;
    const token = authorization === undefined && cookie !== undefined ? sessionTokenIn(cookie, originOf(request)) : undefined;
    if (token === undefined) return authenticate(authorization, address, request.socket);
    if (token === AMBIGUOUS) throw unauthenticated(TWO_COOKIES);
    refuseForgery(request, token);
    return sessions.authenticate(token);
  };
}
