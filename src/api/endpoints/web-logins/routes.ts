// Logins at the pages of providers: start one, come back from it, be notified of logouts there.
import { isSessionToken } from '../../../access/sessions/session.ts';
import { returnPath } from '../../../access/web-logins/return-address.ts';
import { WebLoginRefusal, type WebLogins } from '../../../access/web-logins/web-logins.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route, type RouteDescription } from '../../engine/route.ts';
import { loginCookie, loginIn } from '../../http/login/login-cookie.ts';
import { cookieScope, sessionCookie, sessionTokenIn } from '../../http/login/session-cookie.ts';
import { addressFor, BACKCHANNEL_PATH, CALLBACK_PATH, LOGIN_PAGE, publicBase, SOURCES_PATH, START_PATH } from './addresses.ts';
import { BAD_LOGOUT_TOKEN, DESCRIPTIONS, NO_LOGOUT_TOKEN, SESSIONS_ENDED, sourcesJson, USED_LOGOUT_TOKEN } from './docs.ts';

export interface WebLoginRouteParts {
  readonly webLogins: WebLogins;
  readonly contextPath: string;
  /** The address that administrators have given the server first of all. */
  siteUrl(): string | undefined;
  /** The address that people use, if administrators have given it. */
  publicUrl(): string | undefined;
  /** Refuses as long as the server does not know its users yet. */
  refuseWhileStarting(): void;
}

const MAX_LOGOUT_BYTES = 128 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';
const NO_STORE = 'no-store';

export function webLoginRoutes(parts: WebLoginRouteParts): Route[] {
  const { webLogins } = parts;
  return [
    route('GET', SOURCES_PATH, DESCRIPTIONS.sources, ({ base }) => {
      parts.refuseWhileStarting();
      return jsonAnswer(sourcesJson(webLogins.list(), webLogins.hasPasswords(), base), { cacheControl: NO_STORE });
    }),
    route('GET', START_PATH, DESCRIPTIONS.start, (request) => start(parts, request)),
    route('GET', CALLBACK_PATH, DESCRIPTIONS.callback, (request) => comeBack(parts, request)),
    {
      ...route('POST', BACKCHANNEL_PATH, DESCRIPTIONS.backchannel, (request) => acceptLogout(parts, request)),
      rawBody: { maxBytes: MAX_LOGOUT_BYTES },
    },
  ];
}

async function start(parts: WebLoginRouteParts, request: ApiRequest): Promise<Answer> {
  parts.refuseWhileStarting();
  const { params, query, base } = request;
  const { auth_config_id: id = '' } = params;
  const returnTo = returnPath(query.get('return_to'));
  const site = publicBase(parts.publicUrl(), base, parts.contextPath);
  // The provider leads back to this address. The cookie must be there by then, so the login starts there.
  if (!isSameHost(site, base) && !query.has('moved')) {
    return redirect(`${site}${addressFor(START_PATH, id)}?${new URLSearchParams({ return_to: returnTo, moved: 'true' })}`);
  }
  try {
    const { address, sealed } = await parts.webLogins.begin(id, returnTo, redirectUri(parts, request));
    return redirect(address.href, ['Set-Cookie', loginCookie(sealed, scopeOf(parts, request))]);
  } catch (failure) {
    return toLoginPage(parts, id, failure, returnTo);
  }
}

async function comeBack(parts: WebLoginRouteParts, request: ApiRequest): Promise<Answer> {
  parts.refuseWhileStarting();
  const { params, query, author } = request;
  const { auth_config_id: id = '' } = params;
  const scope = scopeOf(parts, request);
  const cookies = request.header('cookie');
  const callback = new URL(`${redirectUri(parts, request)}?${query}`);
  const former = sessionTokenIn(cookies, { contextPath: parts.contextPath, base: request.base });
  const forgotten = ['Set-Cookie', loginCookie('', scope)];
  try {
    const { token, returnTo } = await parts.webLogins.finish(id, callback, loginIn(cookies, scope), {
      address: author.address ?? '',
      browser: request.header('user-agent') ?? '',
      formerToken: former !== undefined && isSessionToken(former) ? former : undefined,
    });
    const page = loginPage(parts, { from: returnTo, signed_in: 'true' });
    return redirect(page, [...forgotten, 'Set-Cookie', sessionCookie(token, scope)]);
  } catch (failure) {
    return toLoginPage(parts, id, failure, undefined, forgotten);
  }
}

async function acceptLogout(parts: WebLoginRouteParts, { raw, params }: ApiRequest): Promise<Answer> {
  parts.refuseWhileStarting();
  if (raw.type !== FORM_TYPE) throw new Refusal('malformed', NO_LOGOUT_TOKEN);
  const token = new URLSearchParams((await raw.read()).toString('utf8')).get('logout_token');
  if (token === null || token === '') throw new Refusal('malformed', NO_LOGOUT_TOKEN);
  try {
    await parts.webLogins.endByNotice(params.auth_config_id ?? '', token);
    return jsonAnswer({ message: SESSIONS_ENDED }, { cacheControl: NO_STORE });
  } catch (failure) {
    if (!(failure instanceof WebLoginRefusal)) throw failure;
    throw new Refusal('malformed', failure.problem === 'expired' ? USED_LOGOUT_TOKEN : BAD_LOGOUT_TOKEN);
  }
}

/** The link to the page names the failure by a code, never by a text: attackers could make links with texts of their own. */
function toLoginPage(
  parts: WebLoginRouteParts,
  source: string,
  failure: unknown,
  returnTo: string | undefined,
  headers: readonly string[] = [],
): Answer {
  if (!(failure instanceof WebLoginRefusal) && !(failure instanceof Refusal)) throw failure;
  const problem = failure instanceof WebLoginRefusal ? failure.problem : failure.kind === 'tooMany' ? 'too_many' : 'away';
  return redirect(loginPage(parts, { failure: problem, source, ...(returnTo !== undefined && { from: returnTo }) }), headers);
}

function loginPage({ contextPath }: WebLoginRouteParts, query: Readonly<Record<string, string>>): string {
  return `${contextPath}${LOGIN_PAGE}?${new URLSearchParams(query)}`;
}

function redirectUri({ publicUrl, contextPath }: WebLoginRouteParts, { base, params }: ApiRequest): string {
  return publicBase(publicUrl(), base, contextPath) + addressFor(CALLBACK_PATH, params.auth_config_id ?? '');
}

/** The scheme does not count: a proxy that takes the encryption off would lead here again and again. */
function isSameHost(one: string, other: string): boolean {
  return URL.parse(one)?.host === URL.parse(other)?.host;
}

function scopeOf({ contextPath, siteUrl }: WebLoginRouteParts, { base }: ApiRequest) {
  return cookieScope(contextPath, base, siteUrl());
}

function redirect(location: string, headers: readonly string[] = []): Answer {
  return { status: 302, text: '', bytes: 0, cacheControl: NO_STORE, headers: ['Location', location, ...headers] };
}

function route(method: Route['method'], path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: path === SOURCES_PATH ? 1 : null,
    permission: 'anyone',
    worksInMaintenance: true,
    description: { chapter: 'sessions', ...description },
    handle,
  };
}
