// Personal access tokens: the user's own, and for administrators everybody's.

import type { Access } from '../../access/may.ts';
import { draftToken, type Token, type Tokens } from '../../access/tokens.ts';
import { sha256 } from '../../kit/hash.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { JsonObject } from '../../shape/json.ts';
import type { Permission } from '../../shape/resource.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../route.ts';
import { docLink, links } from './links.ts';

const FILTERS = ['active', 'all', 'revoked'] as const;
const LONGEST_TEXT = 1024;

interface Home {
  readonly path: string;
  readonly permission: Permission;
  readonly isForAll: boolean;
}

const OWN: Home = { path: '/api/current_user/access_tokens', permission: 'user', isForAll: false };
const EVERYBODYS: Home = { path: '/api/admin/access_tokens', permission: 'admin', isForAll: true };

export function accessTokenRoutes(tokens: Tokens, access: Access): Route[] {
  return [...[OWN, EVERYBODYS].flatMap((home) => commonRoutes(home)), createRoute()];

  function commonRoutes(home: Home): Route[] {
    return [
      route(
        home,
        'GET',
        home.path,
        { summary: 'List of access tokens', response: LIST_SCHEMA, query: { filter: { enum: FILTERS } }, hasEtag: true },
        (request) => {
          const visible = tokens.all().filter((token) => home.isForAll || isOwn(token, request));
          const listed = visible.filter(filterOf(request.query.get('filter')));
          const body = {
            _links: links(request.base, { self: home.path, doc: docLink('access-tokens') }),
            _embedded: { access_tokens: listed.map((token) => tokenJson(token, home, request.base)) },
          };
          return jsonAnswer(body, { etag: sha256(JSON.stringify(listed)) });
        },
      ),
      route(home, 'GET', `${home.path}/:id`, { summary: 'Show an access token', response: TOKEN_SCHEMA, hasEtag: true }, (request) =>
        show(find(request), home, request.base),
      ),
      {
        ...route(
          home,
          'POST',
          `${home.path}/:id/revoke`,
          { summary: 'Revoke an access token for good', request: REVOKE, response: TOKEN_SCHEMA, hasEtag: true },
          async (request) => {
            const token = find(request);
            if (token.revoked_at) throw new Refusal('conflict', 'Access token has already been revoked!');
            const cause = textOf(request.body, 'revoke_cause') ?? null;
            const by = request.identity.loginName;
            const revoked = request.isDryRun
              ? { ...token, revoked_at: new Date().toISOString(), revoked_by: by, revoke_cause: cause }
              : await tokens.revoke(token, by, cause);
            return show(revoked, home, request.base);
          },
        ),
        mayBeEmpty: true,
      },
    ];
  }

  function createRoute(): Route {
    const description = {
      summary: 'Create an access token; its secret is shown only in this answer',
      request: CREATE,
      response: TOKEN_SCHEMA,
    };
    return {
      ...route(OWN, 'POST', OWN.path, description, async (request) => {
        const { identity, base } = request;
        const text = textOf(request.body, 'description') ?? '';
        if (text.trim() === '') throw blankDescription(request);
        if (request.isDryRun) {
          const draft = { ...draftToken(text, identity.loginName, identity.authConfigId, ''), id: 0 };
          return jsonAnswer({ ...tokenJson(draft, OWN, base), token: '0'.repeat(40) });
        }
        const { token, secret } = await tokens.create(text, identity.loginName, identity.authConfigId);
        return jsonAnswer({ ...tokenJson(token, OWN, base), token: secret }, { etag: etagOf(token) });
      }),
      mayBeEmpty: true,
    };
  }

  function find(request: ApiRequest): Token {
    const id = request.params.id ?? '';
    const token = /^\d{1,15}$/.test(id) ? tokens.find(Number(id)) : undefined;
    if (token && (isOwn(token, request) || access.isAdmin(request.identity))) return token;
    throw new Refusal('notFound', `Access token with id '${id}' was not found!`);
  }
}

function route(home: Home, method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 1,
    permission: home.permission,
    description: { chapter: 'access-tokens', ...description },
    handle: (request) => {
      if (request.identity.tokenId !== null)
        throw new Refusal('forbidden', 'Unsupported operation: Accessing this API using access token is forbidden.');
      return handle(request);
    },
  };
}

function isOwn(token: Token, { identity }: ApiRequest): boolean {
  return token.login_name.toLowerCase() === identity.loginName.toLowerCase() && token.revoked_because_user_deleted === 0;
}

function filterOf(value: string | null): (token: Token) => boolean {
  switch (value ?? 'active') {
    case 'active':
      return (token) => token.revoked_at === null;
    case 'revoked':
      return (token) => token.revoked_at !== null;
    case 'all':
      return () => true;
    default:
      throw new Refusal(
        'malformed',
        `Value \`${value?.slice(0, 100)}\` is not allowed for query parameter named \`filter\`. Valid values are ${FILTERS.join(', ')}.`,
      );
  }
}

function show(token: Token, home: Home, base: string): Answer {
  return jsonAnswer(tokenJson(token, home, base), { etag: etagOf(token) });
}

function tokenJson(token: Token, { path, isForAll }: Home, base: string) {
  return {
    _links: links(base, { self: `${path}/${token.id}`, doc: docLink('access-tokens'), find: `${path}/:id` }),
    id: token.id,
    description: token.description,
    username: token.login_name,
    revoked: token.revoked_at !== null,
    revoke_cause: token.revoke_cause,
    revoked_by: token.revoked_by,
    revoked_at: dateOf(token.revoked_at),
    created_at: dateOf(token.created_at),
    last_used_at: dateOf(token.last_used_at),
    ...(isForAll && { revoked_because_user_deleted: token.revoked_because_user_deleted === 1 }),
  };
}

function etagOf(token: Token): string {
  return sha256(JSON.stringify(token));
}

/** Dates in answers have no fractions of seconds. */
function dateOf(time: string | null): string | null {
  return time === null ? null : time.replace(/\.\d+/, '');
}

function textOf(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object')
    throw new Refusal('invalid', `Could not read property '${name}' as a String in json \`${JSON.stringify(body).slice(0, 500)}\` `);
  if (String(value).length > LONGEST_TEXT)
    throw new Refusal('invalid', `The property '${name}' must not be longer than ${LONGEST_TEXT} characters.`);
  return String(value);
}

/** The reference answers with the token itself, not with `data`. */
function blankDescription({ identity, base }: ApiRequest): Refusal {
  const { id: _, _links, ...rest } = tokenJson({ ...draftToken('', identity.loginName, identity.authConfigId, ''), id: 0 }, OWN, base);
  const { self: __, ...otherLinks } = _links;
  const more = { _links: otherLinks, ...rest, errors: { description: ['must not be blank'] } };
  return new Refusal('invalid', 'The description must not be blank.', { more });
}

const TEXT = { type: 'string' };
const MAYBE = { type: ['string', 'null'] };
const TOKEN_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    description: TEXT,
    username: TEXT,
    revoked: { type: 'boolean' },
    revoke_cause: MAYBE,
    revoked_by: MAYBE,
    revoked_at: MAYBE,
    created_at: TEXT,
    last_used_at: MAYBE,
    token: { type: 'string', description: 'Only in the answer to its creation.' },
  },
};
const LIST_SCHEMA = {
  type: 'object',
  properties: { _embedded: { type: 'object', properties: { access_tokens: { type: 'array', items: TOKEN_SCHEMA } } } },
};
const CREATE = {
  schema: { type: 'object', required: ['description'], properties: { description: TEXT } },
  example: { description: 'for the nightly build' },
};
const REVOKE = { schema: { type: 'object', properties: { revoke_cause: TEXT } }, example: { revoke_cause: 'no longer needed' } };
