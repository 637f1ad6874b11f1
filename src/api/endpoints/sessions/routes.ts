// Sessions of browsers: log in, log out, show the current session, and list and end all sessions of the user.
import type { Access } from '../../../access/may.ts';
import { csrfTokenOf, expiryOf, idOf, isSessionToken, type Session } from '../../../access/sessions/session.ts';
import type { SessionLogins } from '../../../access/sessions/session-logins.ts';
import { keyOf } from '../../../access/users/users.ts';
import type { WebLogins } from '../../../access/web-logins/web-logins.ts';
import { systemTimeZone } from '../../../kit/cron/zone.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { missing, readText } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { plainReading } from '../../engine/plain-reading.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { readUntrustedJson } from '../../http/body/body.ts';
import { cookieScope, sessionCookie, sessionTokenIn } from '../../http/login/session-cookie.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';
import { LOGIN_PAGE, publicBase } from '../web-logins/addresses.ts';
import { ALL_ENDED, DESCRIPTIONS, describeLogin, describeShown, LOGGED_OUT, ONE_ENDED, unknownSession } from './docs.ts';
import { OWN_SESSIONS_PATH, ownSessionsJson, rightsOf, SESSION_PATH, sessionJson } from './json.ts';

export interface SessionRouteParts {
  readonly logins: SessionLogins;
  readonly webLogins: Pick<WebLogins, 'logoutAddress'>;
  readonly access: Access;
  readonly version: string;
  readonly contextPath: string;
  /** The address that administrators have given the server first of all. */
  siteUrl(): string | undefined;
  /** The address that people use, if administrators have given it. */
  publicUrl(): string | undefined;
  isInMaintenance(): boolean;
  /** Refuses as long as the server does not know its users yet. */
  refuseWhileStarting(): void;
}

const MAX_LOGIN_BYTES = 64 * 1024;
const NO_STORE = 'no-store';

export function sessionRoutes(parts: SessionRouteParts): Route[] {
  const { logins } = parts;
  const { sessions } = logins;
  return [
    {
      ...route('POST', SESSION_PATH, describeLogin(parts.version), (request) => logIn(parts, request)),
      permission: 'anyone',
      rawBody: { maxBytes: MAX_LOGIN_BYTES },
    },
    route('GET', SESSION_PATH, describeShown(parts.version), (request) => shown(parts, request)),
    route('DELETE', SESSION_PATH, DESCRIPTIONS.logOut, async (request) => {
      const { isDryRun, identity } = request;
      const session = identity.sessionHash === undefined ? undefined : await sessions.find(identity.sessionHash);
      if (session && !isDryRun) await sessions.end([session.hash]);
      const loginPage = publicBase(parts.publicUrl(), request.base, parts.contextPath) + LOGIN_PAGE;
      const logoutUrl = session && !isDryRun ? await parts.webLogins.logoutAddress(session, loginPage) : undefined;
      const headers = ['Set-Cookie', sessionCookie('', scopeOf(parts, request))];
      return jsonAnswer({ message: LOGGED_OUT, logout_url: logoutUrl ?? null }, { headers });
    }),
    ...ownSessionRoutes(logins),
  ];
}

function ownSessionRoutes({ sessions }: SessionLogins): Route[] {
  const own = ({ identity }: ApiRequest) => {
    if (identity.tokenId !== null) throw new Refusal('forbidden', NOT_BY_TOKEN);
    return sessions.of(keyOf(identity.loginName));
  };
  return [
    route('GET', OWN_SESSIONS_PATH, DESCRIPTIONS.list, async (request) => {
      const { identity, base } = request;
      const listed = (await own(request)).map((session) => ({
        session,
        expiresAt: expiryOf(session, sessions.limits),
        isCurrent: session.hash === identity.sessionHash,
      }));
      return jsonAnswer(ownSessionsJson(listed, base), { cacheControl: NO_STORE });
    }),
    route('DELETE', OWN_SESSIONS_PATH, DESCRIPTIONS.endAll, async (request) => {
      const { isDryRun } = request;
      const ended = await own(request);
      if (!isDryRun) await sessions.end(ended.map(({ hash }) => hash));
      return jsonAnswer({ message: ALL_ENDED });
    }),
    route('DELETE', `${OWN_SESSIONS_PATH}/:id`, DESCRIPTIONS.endOne, async (request) => {
      const { isDryRun, params } = request;
      const { id = '' } = params;
      const session = (await own(request)).find((one) => idOf(one) === id);
      if (!session) throw new Refusal('notFound', unknownSession(id));
      if (!isDryRun) await sessions.end([session.hash]);
      return jsonAnswer({ message: ONE_ENDED });
    }),
  ];
}

async function logIn(parts: SessionRouteParts, request: ApiRequest): Promise<Answer> {
  parts.refuseWhileStarting();
  const isDryRun = request.isDryRun;
  const body = await readUntrustedJson(request);
  const { login, password } = credentialsIn(body);
  const { address } = request.author;
  const checked = await parts.logins.check(login, password, address ?? '');
  if (isDryRun) return sessionAnswer(parts, request, { ...checked, session: undefined, token: undefined });
  const formerToken = tokenIn(parts, request);
  const begun = await parts.logins.begin(checked, {
    address: address ?? '',
    browser: request.header('user-agent') ?? '',
    formerToken: formerToken !== undefined && isSessionToken(formerToken) ? formerToken : undefined,
  });
  const headers = ['Set-Cookie', sessionCookie(begun.token, scopeOf(parts, request))];
  if (isShort(body)) return { status: 204, cacheControl: NO_STORE, headers };
  return sessionAnswer(parts, request, begun, headers);
}

/** A client that sends `login` instead of `login_name` wants only the cookie. */
function isShort(body: JsonObject): boolean {
  return body.login !== undefined && body.login_name === undefined;
}

function shown(parts: SessionRouteParts, request: ApiRequest): Answer {
  const { identity } = request;
  const session = identity.sessionHash === undefined ? undefined : parts.logins.sessions.known(identity.sessionHash);
  return sessionAnswer(parts, request, { identity, session, token: session && tokenIn(parts, request) });
}

interface SessionContext {
  readonly identity: ApiRequest['identity'];
  readonly session: Session | undefined;
  /** The value of the cookie. */
  readonly token: string | undefined;
}

function sessionAnswer(
  parts: SessionRouteParts,
  { base }: ApiRequest,
  { identity, session, token }: SessionContext,
  headers: string[] = [],
): Answer {
  const facts = {
    identity,
    rights: rightsOf(identity, parts.access),
    csrfToken: token === undefined ? null : csrfTokenOf(token),
    expiresAt: session ? expiryOf(session, parts.logins.sessions.limits) : null,
    version: parts.version,
    isInMaintenance: parts.isInMaintenance(),
    timeZone: systemTimeZone(),
  };
  return jsonAnswer(sessionJson(facts, base), { cacheControl: NO_STORE, headers });
}

function tokenIn({ contextPath }: SessionRouteParts, request: ApiRequest): string | undefined {
  return sessionTokenIn(request.header('cookie'), { contextPath, base: request.base });
}

function scopeOf({ contextPath, siteUrl }: SessionRouteParts, { base }: ApiRequest) {
  return cookieScope(contextPath, base, siteUrl());
}

function credentialsIn(body: JsonObject): { readonly login: string; readonly password: string } {
  const problems: Problem[] = [];
  const place = { holder: body, path: [], reading: plainReading(problems) };
  const [login, password] = [isShort(body) ? 'login' : 'login_name', 'password'].map(
    (name) => readText(place, name) ?? missing(place, name) ?? '',
  ) as [string, string];
  // The usual message about a wrong member quotes it, and a password must not be quoted.
  if (problems.length > 0) throw new Refusal('invalid', "A login needs the texts 'login_name' and 'password'.");
  return { login, password };
}

/** People log in, and out, also in maintenance mode. */
function route(method: Route['method'], path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 1,
    permission: 'user',
    worksInMaintenance: true,
    description: { chapter: 'sessions', ...description },
    handle,
  };
}
