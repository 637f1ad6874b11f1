// The messages and the documentation of the routes of sessions.
import { BAD_CREDENTIALS } from '../../../access/login/password-logins.ts';
import {
  described,
  embeddedSchema,
  FLAG,
  LINKS,
  MAYBE_TEXT,
  MAYBE_TIME,
  MESSAGE,
  objectSchema,
  TEXT,
  TIME,
} from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { NOT_BY_TOKEN } from '../access-tokens/docs.ts';
import { ownSessionsJson, type Rights, sessionJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const LOGGED_OUT = 'No session of this browser is left.';
export const ALL_ENDED = 'All your sessions have ended.';
export const ONE_ENDED = 'The session has ended.';
export const unknownSession = (id: string) => `You have no session with the id '${id}'.`;

const EVERYTHING: Rights = {
  isAdmin: true,
  isGroupAdmin: true,
  can: {
    view_admin: true,
    administer_server: true,
    administer_pipelines: true,
    view_templates: true,
    view_environments: true,
    view_config_repos: true,
    view_cluster_profiles: true,
    view_elastic_agent_profiles: true,
    list_member_names: true,
    manage_access_tokens: true,
  },
};
const SCHEMA = objectSchema(
  {
    _links: LINKS,
    login_name: described(TEXT, 'The login name of the current user.'),
    display_name: described(TEXT, 'Their display name.'),
    is_admin: described(FLAG, 'Whether they administer the server.'),
    is_group_admin: described(FLAG, 'Whether they administer a pipeline group, or everything.'),
    anonymous: described(FLAG, 'Whether callers may see something without a login; here always false.'),
    security_enabled: described(FLAG, 'Whether users have to log in; here always true.'),
    csrf_token: described(MAYBE_TEXT, 'To be sent as `X-CSRF-Token` with every change; null: not logged in by a session.'),
    expires_at: described(MAYBE_TIME, 'When the session ends without a further request; null: not logged in by a session.'),
    server: described(
      objectSchema({
        name: described(TEXT, 'The name of the server.'),
        version: described(TEXT, 'Its version.'),
        maintenance_mode: described(FLAG, 'Whether it is in maintenance mode, and refuses changes.'),
        time_zone: described(TEXT, 'The time zone of its clock, which timers follow.'),
      }),
      'Which server this is.',
    ),
    can: {
      type: 'object',
      additionalProperties: FLAG,
      description: 'Which pages have something for the caller to see: `view_admin` is true if there is any below `/admin`.',
    },
  },
  { title: 'Session' },
);
const ADMIN = { loginName: 'admin', displayName: 'admin' };
const exampleOf = (version: string, csrfToken: string | null) =>
  sessionJson(
    {
      identity: ADMIN,
      rights: EVERYTHING,
      csrfToken,
      expiresAt: csrfToken === null ? null : Date.parse(EXAMPLE_TIME),
      version,
      isInMaintenance: false,
      timeZone: 'Europe/Berlin',
    },
    EXAMPLE_BASE,
  );
const LOGIN = {
  schema: objectSchema(
    { login_name: described(TEXT, 'The login name.'), password: described(TEXT, 'The password.') },
    { others: { login: described(TEXT, 'Instead of `login_name`: the answer is then 204 without a body.') } },
  ),
  example: { login_name: 'admin', password: 'correct horse battery staple' },
};
export const EXAMPLE_ID = '0123456789abcdef';
export const SESSION_MEMBERS = {
  _links: LINKS,
  id: described(TEXT, 'Identifies it in addresses.'),
  current: described(FLAG, 'Whether this request uses it.'),
  address: described(TEXT, 'The address of the browser when it logged in.'),
  browser: described(TEXT, 'The `User-Agent` of the browser.'),
  auth_config_id: described(TEXT, 'The authorization configuration of the login.'),
  created_at: described(TIME, 'When it began.'),
  last_used_at: described(TIME, 'When it was last used; up to a minute late.'),
  expires_at: described(TIME, 'When it ends without a further request.'),
};
const noTokens = {
  callers: 'every user, but not with an access token',
  failures: { 403: { when: 'Asked with an access token.', example: { message: NOT_BY_TOKEN } } },
};

export function describeLogin(version: string): Description {
  return {
    summary: 'Log in, and get the cookie of a session',
    details:
      'For browsers. The cookie is `slipway_session`, or with HTTPS `__Host-slipway_session` and the context path; scripts cannot read it. Every change made with it needs the header `X-CSRF-Token` with the `csrf_token` of the answer; or the header `Origin` of this server, with a JSON body or the header `X-Svc-Confirm`. An earlier session of the browser ends.',
    request: LOGIN,
    response: SCHEMA,
    example: exampleOf(version, 'f'.repeat(64)),
    answerHeaders: { 'Set-Cookie': described(TEXT, 'The cookie.') },
    failures: {
      400: { when: 'The body is not a JSON object, or `dry_run` is neither true nor false.' },
      401: { when: 'There is no such user with this password, or the user is disabled.', example: { message: BAD_CREDENTIALS } },
      422: { when: 'The login name or the password is missing.' },
      429: { when: 'Too many failed logins.', example: { message: 'Too many failed logins. Try again in 1 second.' } },
      503: { when: 'The server is starting, or passwords were changed at the same moment.' },
    },
  };
}

export function describeShown(version: string): Description {
  return {
    summary: 'Show who is logged in, and what pages need to know about them',
    details: 'Answers every kind of login. A caller who is not logged in gets 401.',
    response: SCHEMA,
    example: exampleOf(version, null),
  };
}

export const DESCRIPTIONS = {
  logOut: {
    summary: 'Log out: end the session and delete its cookie',
    details: 'The session also ends on all other servers that share the database. Without a session nothing happens.',
    response: objectSchema({
      message: described(TEXT, 'The result in words.'),
      logout_url: described(
        MAYBE_TEXT,
        'Where the browser has to go to log out at the provider, too; null: the user did not log in at a provider, or it has no such address.',
      ),
    }),
    example: { message: LOGGED_OUT, logout_url: null },
    answerHeaders: { 'Set-Cookie': described(TEXT, 'Deletes the cookie.') },
  },
  list: {
    ...noTokens,
    summary: 'List the sessions of the current user, newest first',
    response: embeddedSchema('sessions', objectSchema(SESSION_MEMBERS)),
    example: ownSessionsJson([exampleSession()], EXAMPLE_BASE),
  },
  endAll: { ...noTokens, summary: 'End all sessions of the current user', response: MESSAGE, example: { message: ALL_ENDED } },
  endOne: {
    ...noTokens,
    summary: 'End a session of the current user',
    parameters: { id: { description: 'The id of the session.', example: EXAMPLE_ID } },
    response: MESSAGE,
    example: { message: ONE_ENDED },
    failures: { ...noTokens.failures, 404: { example: { message: unknownSession('unknown') } } },
  },
} satisfies Readonly<Record<string, Description>>;

export function exampleSession() {
  const at = Date.parse(EXAMPLE_TIME);
  const session = {
    hash: EXAMPLE_ID,
    userKey: 'admin',
    authConfigId: 'password-file',
    passwordVersion: '',
    createdAt: at,
    usedAt: at,
    address: '127.0.0.1',
    browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  return { session, expiresAt: at, isCurrent: false };
}
