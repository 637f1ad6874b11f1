// The messages and the documentation of the routes of access tokens.

import { draftToken, plainTokenRequest, type Token } from '../../../access/users/token.ts';
import {
  described,
  embeddedSchema,
  FLAG,
  LINKS,
  MAYBE_TEXT,
  MAYBE_TIME,
  objectSchema,
  TEXT,
  TEXTS,
  TIME,
} from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { ACCOUNT_PARAMETER, EXAMPLE_ACCOUNT, unknownAccount } from '../service-accounts/json.ts';
import { FILTERS, type Home, tokenJson, tokenListJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

const EXAMPLE_SECRET = '0123456789abcdef0123456789abcdef01234567';
const NO_ACCOUNT_IN: Readonly<Record<Home['of'], NonNullable<Description['failures']>>> = {
  oneself: {},
  everybody: {},
  account: { 404: { example: { message: unknownAccount('unknown') } } },
};

export const ALREADY_REVOKED = 'Access token has already been revoked!';
export const NOT_BY_TOKEN = 'Unsupported operation: Accessing this API using access token is forbidden.';
export const EXPIRED = 'Access token has expired: create a new one.';
export const DEFAULT_OVERLAP = 60;
export const MAX_OVERLAP_MINUTES = 30 * 24 * 60;
export const unknownToken = (id: string) => `Access token with id '${id}' was not found!`;

const bodies = {
  create: {
    schema: objectSchema(
      { description: described(TEXT, 'What it is for.') },
      {
        others: {
          expires_at: described(TIME, 'When it ends: in the future, and at most 10 years away. Left out: never.'),
          scopes: {
            ...TEXTS,
            minItems: 1,
            maxItems: 100,
            description: 'What it is limited to, each as `resource:action:pattern`. Left out: all rights of its user.',
          },
          allowed_addresses: {
            ...TEXTS,
            minItems: 1,
            maxItems: 100,
            description: 'The addresses and networks from which it can be used. Left out: from all.',
          },
        },
      },
    ),
    example: { description: 'for the nightly build' },
  },
  rotate: {
    schema: {
      type: 'object',
      properties: {
        overlap_minutes: {
          type: 'integer',
          minimum: 0,
          maximum: MAX_OVERLAP_MINUTES,
          default: DEFAULT_OVERLAP,
          description: 'For how long both can be used.',
        },
      },
    },
    example: { overlap_minutes: 60 },
    isOptional: true,
  },
  revoke: {
    schema: { type: 'object', properties: { revoke_cause: described(TEXT, 'Why it is revoked.') } },
    example: { revoke_cause: 'no longer needed' },
    isOptional: true,
  },
};

const members = {
  _links: LINKS,
  id: { type: 'integer', description: 'Identifies it in addresses.' },
  description: described(TEXT, 'What it is for.'),
  username: described(TEXT, 'The user it belongs to.'),
  revoked: described(FLAG, 'Whether it is revoked, so that the server no longer accepts it.'),
  revoke_cause: described(MAYBE_TEXT, 'Why it was revoked.'),
  revoked_by: described(MAYBE_TEXT, 'Who revoked it.'),
  revoked_at: described(MAYBE_TIME, 'When it was revoked.'),
  created_at: described(TIME, 'When it was created.'),
  last_used_at: described(MAYBE_TIME, 'When it was last used; null: never.'),
};
const LIMITS = {
  expires_at: described(TIME, 'When it ends. Absent: never.'),
  scopes: described(TEXTS, 'What it is limited to. Absent: to nothing but the rights of its user.'),
  allowed_addresses: described(TEXTS, 'The addresses and networks from which it can be used. Absent: from all.'),
};
const USE = {
  used_scopes: described(TEXTS, 'The scopes that would have been enough for what it was used for, up to a minute late. Absent: none yet.'),
  proposed_scopes: described(TEXTS, 'The smallest set of scopes that covers what it was used for. Absent: it was not used yet.'),
};
const TITLES = { oneself: 'Access token', everybody: 'User access token', account: 'Access token of a service account' } as const;
const schemaOf = (home: Home, more: Parameters<typeof objectSchema>[0] = {}) => {
  const deleted = { revoked_because_user_deleted: described(FLAG, 'Whether it was revoked because its user was deleted.') };
  return objectSchema({ ...members, ...(home.of === 'everybody' && deleted) }, { title: TITLES[home.of], others: { ...LIMITS, ...more } });
};

/** The ids of the examples: the user's own token, a token of any user, a token of a service account. */
const idOf = ({ of }: Home) => ({ oneself: 1, everybody: 2, account: 3 })[of];
const ownerOf = ({ of }: Home) => (of === 'account' ? EXAMPLE_ACCOUNT : 'admin');
const exampleOf = (home: Home): Token => ({
  ...draftToken(
    plainTokenRequest(bodies.create.example.description),
    { loginName: ownerOf(home), authConfigId: '' },
    '',
    new Date(EXAMPLE_TIME),
  ),
  id: idOf(home),
  created_at: EXAMPLE_TIME,
});

export function describeList(home: Home): Description {
  return {
    ...commonOf(home),
    summary: 'List of access tokens',
    query: { filter: { enum: FILTERS, default: FILTERS[0], description: 'Which tokens to list.' } },
    response: embeddedSchema('access_tokens', schemaOf(home)),
    example: tokenListJson([exampleOf(home)], home, ownerOf(home), EXAMPLE_BASE),
    failures: { ...commonOf(home).failures, 400: { when: 'The filter is none of these.' } },
  };
}

export function describeOne(home: Home): Description {
  return {
    ...memberOf(home),
    summary: 'Show an access token',
    response: schemaOf(home, USE),
    example: tokenJson(exampleOf(home), home, EXAMPLE_BASE),
  };
}

export function describeRevocation(home: Home): Description {
  const revoked = { ...exampleOf(home), ...bodies.revoke.example, revoked_at: EXAMPLE_TIME, revoked_by: 'admin' };
  return {
    ...memberOf(home),
    summary: 'Revoke an access token for good',
    ...(home.of === 'oneself' && { callers: 'every user, but not with an access token, except with the one that is revoked' }),
    headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' } },
    request: bodies.revoke,
    response: schemaOf(home, USE),
    example: tokenJson(revoked, home, EXAMPLE_BASE),
    ifMatch: 'optional',
    failures: {
      ...memberOf(home).failures,
      412: STALE_RECORD,
      409: { when: 'It has been revoked already.', example: { message: ALREADY_REVOKED } },
    },
  };
}

export function describeCreation(home: Home): Description {
  return {
    ...commonOf(home),
    summary: `Create an access token${home.of === 'account' ? ' of a service account' : ''}; its secret is shown only in this answer`,
    details:
      'It is valid until it is revoked or expires, and has the rights of its user, as far as its scopes go. `GET /api/token_scopes` lists what scopes can be about.',
    request: bodies.create,
    response: newToken(home),
    example: { ...tokenJson(exampleOf(home), home, EXAMPLE_BASE), token: EXAMPLE_SECRET },
  };
}

export function describeRotation(home: Home): Description {
  return {
    ...memberOf(home),
    summary: 'Replace an access token by a new one; the secret is shown only in this answer',
    details:
      'The new one has the same description, scopes, addresses and lifetime. The old one ends after the overlap, so that programs can change over. Until then it can be rotated again, which gives another token with the whole lifetime and does not postpone the end of the old one.',
    headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' } },
    request: bodies.rotate,
    response: newToken(home),
    example: { ...tokenJson({ ...exampleOf(home), id: 4 }, home, EXAMPLE_BASE), token: EXAMPLE_SECRET },
    ifMatch: 'optional',
    failures: {
      ...memberOf(home).failures,
      412: STALE_RECORD,
      409: { when: 'It has been revoked, or has expired.', example: { message: ALREADY_REVOKED } },
      422: { when: 'The overlap is not a number of minutes, or the user has too many tokens.' },
    },
  };
}

function newToken(home: Home) {
  return objectSchema(
    { ...members, token: { ...TEXT, description: 'The secret.' } },
    { title: `New ${TITLES[home.of].toLowerCase()}`, others: LIMITS },
  );
}

function commonOf({ of }: Home): Pick<Description, 'callers' | 'hasEtag' | 'parameters' | 'failures'> {
  return {
    callers: of === 'oneself' ? 'every user, but not with an access token' : 'administrators, but not with an access token',
    hasEtag: true,
    ...(of === 'account' && { parameters: { name: ACCOUNT_PARAMETER } }),
    failures: {
      ...NO_ACCOUNT_IN[of],
      403:
        of === 'oneself'
          ? { when: 'Asked with an access token.', example: { message: NOT_BY_TOKEN } }
          : { when: 'Not allowed, or asked with an access token.' },
    },
  };
}

function memberOf(home: Home) {
  const { failures, parameters, ...common } = commonOf(home);
  return {
    ...common,
    parameters: { ...parameters, id: { description: 'The id of the access token.', example: String(idOf(home)) } },
    failures: { ...failures, 404: { example: { message: unknownToken('unknown') } } },
  };
}
