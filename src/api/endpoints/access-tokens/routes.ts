// Personal access tokens: the user's own, and for administrators everybody's.

import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import type { Token } from '../../../access/users/token.ts';
import { draftToken, type Tokens } from '../../../access/users/tokens.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { ALREADY_REVOKED, DESCRIBED_CREATION, describeList, describeOne, describeRevocation, NOT_BY_TOKEN, unknownToken } from './docs.ts';
import { EVERYBODYS, FILTERS, type Home, OWN, tokenJson, tokenListJson } from './json.ts';

const LONGEST_TEXT = 1024;
/** Of one's own tokens. */
const REVOCATION = `${OWN.path}/:id/revoke`;
const BLANK = 'must not be blank';
const UNSUPPORTED = {
  expires_at: 'must be left out: access tokens do not expire but are valid until they are revoked',
  scopes: 'must be left out: access tokens have no scopes but all rights of their user',
};

/** `mustStillBeIn` refuses whom the server does not know any more as it did when it let them in. */
export function accessTokenRoutes(tokens: Tokens, access: Access, mustStillBeIn: (identity: Identity) => void): Route[] {
  return [...[OWN, EVERYBODYS].flatMap((home) => commonRoutes(home)), createRoute()];

  function commonRoutes(home: Home): Route[] {
    return [
      route(home, 'GET', home.path, describeList(home), (request) => {
        const visible = tokens.all().filter((token) => home.isForAll || isOwn(token, request));
        const listed = visible.filter(filterOf(request.query.get('filter')));
        return jsonAnswer(tokenListJson(listed, home, request.base));
      }),
      route(home, 'GET', `${home.path}/:id`, describeOne(home), (request) => show(find(request), home, request.base)),
      route(home, 'POST', `${home.path}/:id/revoke`, describeRevocation(home), async (request) => {
        const cause = () => textOf(request.body, 'revoke_cause') ?? null;
        const by = request.identity.loginName;
        const revoked = await tokens.revoke(() => revocable(request), by, cause, { dryRun: request.isDryRun });
        return show(revoked, home, request.base);
      }),
    ];
  }

  function createRoute(): Route {
    return route(OWN, 'POST', OWN.path, DESCRIBED_CREATION, async (request) => {
      const { identity, base } = request;
      const text = textOf(request.body, 'description') ?? '';
      refuse(request, { ...unsupportedIn(request.body), ...(text.trim() === '' && { description: BLANK }) });
      if (request.isDryRun) {
        const draft = { ...draftToken(text, identity.loginName, identity.authConfigId, ''), id: 0 };
        return jsonAnswer({ ...tokenJson(draft, OWN, base), token: '0'.repeat(40) });
      }
      const { token, secret } = await tokens.create(text, identity.loginName, identity.authConfigId, () => mustStillBeIn(identity));
      return jsonAnswer({ ...tokenJson(token, OWN, base), token: secret }, { etag: etagOf(token) });
    });
  }

  function revocable(request: ApiRequest): Token {
    const token = find(request);
    checkIfMatchEtag(request, etagOf(token));
    if (token.revoked_at) throw new Refusal('conflict', ALREADY_REVOKED);
    return token;
  }

  function find(request: ApiRequest): Token {
    const id = request.params.id ?? '';
    const token = /^\d{1,15}$/.test(id) ? tokens.find(Number(id)) : undefined;
    if (token && (isOwn(token, request) || access.isAdmin(request.identity))) return token;
    throw new Refusal('notFound', unknownToken(id));
  }
}

function route(home: Home, method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 1,
    permission: home.permission,
    worksInMaintenance: true,
    description: { chapter: 'access-tokens', ...description },
    handle: (request) => {
      const { identity, params } = request;
      // Whoever has a token may end it, as a command line that logs out does: that gives nobody anything.
      const revokesItself = path === REVOCATION && params.id === String(identity.tokenId);
      if (identity.tokenId !== null && !revokesItself) throw new Refusal('forbidden', NOT_BY_TOKEN);
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

function etagOf(token: Token): string {
  return sha256(JSON.stringify(token));
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

/** What clients may believe in, although tokens do not have it. */
function unsupportedIn(body: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(UNSUPPORTED).filter(([name]) => (body[name] ?? null) !== null));
}

/** The reference answers with the token itself, not with `data`. */
function refuse({ identity, base }: ApiRequest, problems: Readonly<Record<string, string>>): void {
  const messages = Object.entries(problems).map(([name, problem]) => `The field '${name}' ${problem}.`);
  if (messages.length === 0) return;
  const { id: _, _links, ...rest } = tokenJson({ ...draftToken('', identity.loginName, identity.authConfigId, ''), id: 0 }, OWN, base);
  const { self: __, ...otherLinks } = _links;
  const errors = Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, [problem]]));
  throw new Refusal('invalid', messages.join(' '), { more: { _links: otherLinks, ...rest, errors } });
}
