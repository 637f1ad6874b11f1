// The messages and the documentation of the routes of logins at providers.
import type { JsonOut } from '../../../shape/json/json.ts';
import { described, embedded, FLAG, LINKS, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';
import { addressFor, SOURCES_PATH, START_PATH } from './addresses.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const SESSIONS_ENDED = 'The sessions that the token names have ended.';
export const NO_LOGOUT_TOKEN = 'A logout needs a form with the field `logout_token`.';
export const BAD_LOGOUT_TOKEN =
  'The logout token was not made by the provider of this authorization configuration, or not for this server.';
export const USED_LOGOUT_TOKEN = 'The logout token was used before.';

const EXAMPLE_ID = 'staff';
const PARAMETERS = { auth_config_id: { description: 'The id of the authorization configuration.', example: EXAMPLE_ID } };
const REDIRECTS = {
  protocol: 'openid',
  status: 302,
  answerHeaders: {
    Location: { ...TEXT, description: 'Where the browser continues.' },
    'Set-Cookie': described(TEXT, 'The cookies of the login and of the session.'),
  },
} as const;
const UNAVAILABLE = { 503: { when: 'The server is starting.' } };

export function sourcesJson(
  sources: readonly { readonly id: string; readonly label: string }[],
  takesPasswords: boolean,
  base: string,
): JsonOut {
  return {
    _links: links(base, { self: SOURCES_PATH, doc: docLink('sessions') }),
    takes_passwords: takesPasswords,
    _embedded: {
      login_sources: sources.map(({ id, label }) => ({
        _links: links(base, { login: addressFor(START_PATH, id), doc: docLink('sessions') }),
        id,
        label,
      })),
    },
  };
}

export const DESCRIPTIONS = {
  sources: {
    summary: 'List the ways to log in',
    details: 'For the login page: whether there is a source of users with passwords, and the providers at whose pages people can log in.',
    response: objectSchema({
      _links: LINKS,
      takes_passwords: described(FLAG, 'Whether any source of users takes passwords.'),
      _embedded: embedded({
        login_sources: {
          type: 'array',
          description: 'The providers, in the order of their authorization configurations.',
          items: objectSchema({
            _links: LINKS,
            id: described(TEXT, 'The id of the authorization configuration.'),
            label: described(TEXT, 'The name of the provider, for people.'),
          }),
        },
      }),
    }),
    example: sourcesJson([], true, EXAMPLE_BASE),
    failures: UNAVAILABLE,
  },
  start: {
    ...REDIRECTS,
    summary: 'Start a login at a provider',
    details:
      'For browsers: redirects to the provider, and from there back to the callback. It is the authorization code flow with PKCE (S256), state and nonce. Every failure redirects to the login page, with `failure` and `source` in its address.',
    parameters: PARAMETERS,
    query: {
      return_to: described(TEXT, 'The page to show after the login: a path of this server. Anything else is ignored.'),
      moved: described(FLAG, 'Set by the server when it first redirects the browser to its site URL.'),
    },
    failures: UNAVAILABLE,
  },
  callback: {
    ...REDIRECTS,
    summary: 'Complete a login at a provider',
    details:
      'The redirect address to register with the provider. A session begins, and the browser is redirected to the page it came from. Only the browser that started the login can complete it, once and within 10 minutes. Failed attempts are throttled like those with passwords (`failure=too_many`).',
    parameters: PARAMETERS,
    query: {
      code: described(TEXT, 'The authorization code of the provider.'),
      state: described(TEXT, 'The state with which the login was started.'),
      iss: described(TEXT, 'The provider.'),
      error: described(TEXT, 'The error code of the provider.'),
      error_description: described(TEXT, 'The description of the error, which is not shown.'),
    },
    failures: UNAVAILABLE,
  },
  backchannel: {
    summary: 'Receive a logout from a provider',
    details:
      'OpenID Connect Back-Channel Logout 1.0: the address to register with the provider. It ends the session or the sessions of the user that the token names.',
    callers: 'anyone with a logout token that the provider has signed for this server, without a login',
    parameters: PARAMETERS,
    protocol: 'openid',
    // A token counts once, so it cannot be tried out.
    changes: 'nothing',
    failures: {
      400: {
        when: 'The token is missing, used already, or not one of this provider for this server.',
        example: { message: NO_LOGOUT_TOKEN },
      },
      ...UNAVAILABLE,
    },
  },
} satisfies Readonly<Record<string, Description>>;
