// What the routes of access tokens say: in their answers, and in the documentation.

import type { Token } from '../../../access/users/token.ts';
import { draftToken } from '../../../access/users/tokens.ts';
import { described, embeddedSchema, FLAG, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { FILTERS, type Home, OWN, tokenJson, tokenListJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const ALREADY_REVOKED = 'Access token has already been revoked!';
export const NOT_BY_TOKEN = 'Unsupported operation: Accessing this API using access token is forbidden.';
export const unknownToken = (id: string) => `Access token with id '${id}' was not found!`;

const bodies = {
  create: { schema: objectSchema({ description: described(TEXT, 'What it is for.') }), example: { description: 'for the nightly build' } },
  revoke: {
    schema: { type: 'object', properties: { revoke_cause: described(TEXT, 'Why it is revoked.') } },
    example: { revoke_cause: 'no longer needed' },
    isOptional: true,
  },
};

const members = {
  _links: LINKS,
  id: { type: 'integer', description: 'Stands for it in addresses.' },
  description: described(TEXT, 'What it is for.'),
  username: described(TEXT, 'The user it belongs to.'),
  revoked: described(FLAG, 'Whether it is revoked, and lets nobody in any more.'),
  revoke_cause: described(MAYBE_TEXT, 'Why it was revoked.'),
  revoked_by: described(MAYBE_TEXT, 'Who revoked it.'),
  revoked_at: described(MAYBE_TIME, 'When it was revoked.'),
  created_at: described(TIME, 'When it was created.'),
  last_used_at: described(MAYBE_TIME, 'When it was last used; null: never.'),
};
const schemaOf = ({ isForAll }: Home) =>
  isForAll
    ? objectSchema(
        { ...members, revoked_because_user_deleted: described(FLAG, 'Whether it was revoked because its user was deleted.') },
        { title: 'Access token of somebody' },
      )
    : objectSchema(members, { title: 'Access token' });

/** An own token is shown by the first one, everybody's by the second. */
const idOf = ({ isForAll }: Home) => (isForAll ? 2 : 1);
const exampleOf = (home: Home): Token => ({
  ...draftToken(bodies.create.example.description, 'admin', '', ''),
  id: idOf(home),
  created_at: EXAMPLE_TIME,
});

export function describeList(home: Home): Description {
  return {
    ...commonOf(home),
    summary: 'List of access tokens',
    query: { filter: { enum: FILTERS, default: FILTERS[0], description: 'Which tokens to list.' } },
    response: embeddedSchema('access_tokens', schemaOf(home)),
    example: tokenListJson([exampleOf(home)], home, EXAMPLE_BASE),
    failures: { ...commonOf(home).failures, 400: { when: 'The filter is none of these.' } },
  };
}

export function describeOne(home: Home): Description {
  return {
    ...memberOf(home),
    summary: 'Show an access token',
    response: schemaOf(home),
    example: tokenJson(exampleOf(home), home, EXAMPLE_BASE),
  };
}

export function describeRevocation(home: Home): Description {
  const revoked = { ...exampleOf(home), ...bodies.revoke.example, revoked_at: EXAMPLE_TIME, revoked_by: 'admin' };
  return {
    ...memberOf(home),
    summary: 'Revoke an access token for good',
    ...(!home.isForAll && { who: 'every user, but not with an access token, except with the one that is revoked' }),
    headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Needed when there is no body; `true`.' } },
    request: bodies.revoke,
    response: schemaOf(home),
    example: tokenJson(revoked, home, EXAMPLE_BASE),
    ifMatch: 'optional',
    failures: {
      ...memberOf(home).failures,
      412: STALE_RECORD,
      409: { when: 'It has been revoked already.', example: { message: ALREADY_REVOKED } },
    },
  };
}

export const DESCRIBED_CREATION: Description = {
  ...commonOf(OWN),
  summary: 'Create an access token; its secret is shown only in this answer',
  details: 'It is valid until it is revoked, and has all rights of its user. A body with `expires_at` or `scopes` is refused with 422.',
  request: bodies.create,
  response: objectSchema({ ...members, token: { ...TEXT, description: 'The secret.' } }, { title: 'New access token' }),
  example: { ...tokenJson(exampleOf(OWN), OWN, EXAMPLE_BASE), token: '0123456789abcdef0123456789abcdef01234567' },
};

function commonOf({ isForAll }: Home) {
  return {
    who: isForAll ? 'administrators, but not with an access token' : 'every user, but not with an access token',
    hasEtag: true,
    failures: {
      403: isForAll
        ? { when: 'Not allowed, or asked with an access token.' }
        : { when: 'Asked with an access token.', example: { message: NOT_BY_TOKEN } },
    },
  };
}

function memberOf(home: Home) {
  const { failures, ...common } = commonOf(home);
  return {
    ...common,
    parameters: { id: { description: 'The id of the access token.', example: String(idOf(home)) } },
    failures: { ...failures, 404: { example: { message: unknownToken('unknown') } } },
  };
}
