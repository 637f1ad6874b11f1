// Personal access tokens: the user's own, those of all users for administrators, and those of service accounts.

import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import {
  draftToken,
  hasExpired,
  isUsable,
  NO_SOURCE,
  plainTokenRequest,
  successorOf,
  type Token,
  type TokenOwner,
} from '../../../access/users/token.ts';
import type { Tokens } from '../../../access/users/tokens.ts';
import type { Users } from '../../../access/users/users.ts';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { isProse, NOT_PROSE } from '../../../kit/text/control-characters.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import { checkIfMatchEtag } from '../../engine/verbs/precondition.ts';
import { unknownAccount } from '../service-accounts/json.ts';
import {
  ALREADY_REVOKED,
  DEFAULT_OVERLAP,
  describeCreation,
  describeList,
  describeOne,
  describeRevocation,
  describeRotation,
  EXPIRED,
  MAX_OVERLAP_MINUTES,
  NOT_BY_TOKEN,
  unknownToken,
} from './docs.ts';
import { ALL_HOME, FILTERS, type Home, OF_ACCOUNT, OWN_HOME, tokenJson, tokenListJson, wholeTokenJson } from './json.ts';
import { readTokenRequest, type TokenRequestProblems, textIn } from './read-token-request.ts';

/** Of one's own tokens. */
const REVOCATION = `${OWN_HOME.path}/:id/revoke`;

export interface AccessTokenParts {
  readonly tokens: Tokens;
  readonly users: Pick<Users, 'find'>;
  readonly access: Access;
  /** The resources that scopes can be about. */
  scopeResources(): ReadonlySet<string>;
  /** Refuses a user who was deleted, or whose authorization configuration was, since the request was let in. */
  revalidate(identity: Identity): void;
}

const MINUTE_MS = 60_000;
/** Stands for a secret where nothing is made. */
const NO_SECRET = '0'.repeat(40);

export function accessTokenRoutes(parts: AccessTokenParts): Route[] {
  const { tokens, access } = parts;
  return [
    ...[OWN_HOME, ALL_HOME, OF_ACCOUNT].flatMap((home) => commonRoutes(home)),
    ...[OWN_HOME, OF_ACCOUNT].flatMap((home) => makingRoutes(home)),
  ];

  function commonRoutes(home: Home): Route[] {
    return [
      route(home, 'GET', home.path, describeList(home), (request) => {
        const owner = home.of === 'account' ? accountIn(request).loginName : '';
        const visible = tokens.all().filter((token) => isVisible(token, home, request));
        const listed = visible.filter(filterOf(request.query.get('filter')));
        return jsonAnswer(tokenListJson(listed, home, owner, request.base));
      }),
      route(home, 'GET', `${home.path}/:id`, describeOne(home), (request) => show(find(home, request), home, request.base)),
      route(home, 'POST', `${home.path}/:id/revoke`, describeRevocation(home), async (request) => {
        const cause = () => causeIn(request);
        const by = request.identity.loginName;
        const revoked = await tokens.revoke(() => revocable(home, request), by, cause, { dryRun: request.isDryRun });
        return show(revoked, home, request.base);
      }),
    ];
  }

  function makingRoutes(home: Home): Route[] {
    return [
      route(home, 'POST', home.path, describeCreation(home), async (request) => {
        const { base, body, identity } = request;
        const owner = ownerIn(home, request);
        const { tokenRequest, problems } = readTokenRequest(body, parts.scopeResources());
        refuse(problems, owner, home, base);
        if (request.isDryRun) return createdAnswer({ ...draftToken(tokenRequest, owner, '', new Date()), id: 0 }, NO_SECRET, home, base);
        const mayHave = () => {
          parts.revalidate(identity);
          ownerIn(home, request);
        };
        const { token, secret } = await tokens.create(tokenRequest, owner, mayHave, identity.loginName);
        return createdAnswer(token, secret, home, base);
      }),
      route(home, 'POST', `${home.path}/:id/rotate`, describeRotation(home), async (request) => {
        const { base, identity } = request;
        const overlapMs = overlapIn(request) * MINUTE_MS;
        if (request.isDryRun) {
          const old = rotatable(home, request);
          const now = new Date();
          const draft = draftToken(successorOf(old, now), ownerIn(home, request), '', now);
          return createdAnswer({ ...draft, id: 0 }, NO_SECRET, home, base);
        }
        const decide = () => {
          parts.revalidate(identity);
          return rotatable(home, request);
        };
        const { token, secret } = await tokens.rotate(decide, overlapMs, identity.loginName);
        return createdAnswer(token, secret, home, base);
      }),
    ];
  }

  /** The owner of the token that is to be made. */
  function ownerIn(home: Home, request: ApiRequest): TokenOwner {
    if (home.of !== 'account') return request.identity;
    return { loginName: accountIn(request).loginName, authConfigId: NO_SOURCE };
  }

  function accountIn({ params: { name = '' } }: ApiRequest) {
    const user = parts.users.find(name);
    if (!user?.serviceAccount) throw new Refusal('notFound', unknownAccount(name));
    return user;
  }

  function revocable(home: Home, request: ApiRequest): Token {
    const token = find(home, request);
    checkIfMatchEtag(request, etagOf(token));
    if (token.revoked_at) throw new Refusal('conflict', ALREADY_REVOKED);
    return token;
  }

  function rotatable(home: Home, request: ApiRequest): Token {
    const token = revocable(home, request);
    // The answer shows the new token. Administrators may revoke the tokens of other users, but not learn them.
    if (home.of === 'oneself' && !isOf(token, request.identity.loginName)) throw new Refusal('notFound', unknownToken(String(token.id)));
    if (hasExpired(token, Date.now())) throw new Refusal('conflict', EXPIRED);
    return token;
  }

  function find(home: Home, request: ApiRequest): Token {
    const id = request.params.id ?? '';
    const token = /^\d{1,15}$/.test(id) ? tokens.find(Number(id)) : undefined;
    if (token && isShown(token, home, request)) return token;
    throw new Refusal('notFound', unknownToken(id));
  }

  /** Administrators find those of others among their own, too. */
  function isShown(token: Token, home: Home, request: ApiRequest): boolean {
    if (home.of === 'account') return isVisible(token, home, request);
    return isOf(token, request.identity.loginName) || access.isAdmin(request.identity);
  }

  function isVisible(token: Token, home: Home, request: ApiRequest): boolean {
    if (home.of === 'everybody') return true;
    return isOf(token, home.of === 'account' ? accountIn(request).loginName : request.identity.loginName);
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
      // A token may revoke itself, as a command-line client does to log out: that gives its holder no new rights.
      const revokesItself = path === REVOCATION && params.id === String(identity.tokenId);
      if (identity.tokenId !== null && !revokesItself) throw new Refusal('forbidden', NOT_BY_TOKEN);
      return handle(request);
    },
  };
}

function isOf(token: Token, loginName: string): boolean {
  return token.login_name.toLowerCase() === loginName.toLowerCase() && token.revoked_because_user_deleted === 0;
}

function filterOf(value: string | null): (token: Token) => boolean {
  const now = Date.now();
  switch (value ?? 'active') {
    case 'active':
      return (token) => isUsable(token, now);
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

function overlapIn({ body }: ApiRequest): number {
  const given = body.overlap_minutes ?? DEFAULT_OVERLAP;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_OVERLAP_MINUTES) return given;
  throw new Refusal('invalid', `The field 'overlap_minutes' must be a whole number from 0 to ${MAX_OVERLAP_MINUTES}.`);
}

function causeIn({ body }: ApiRequest): string | null {
  const cause = textIn(body, 'revoke_cause') ?? null;
  if (cause !== null && !isProse(cause)) throw new Refusal('invalid', `The field 'revoke_cause' ${NOT_PROSE}.`);
  return cause;
}

function show(token: Token, home: Home, base: string): Answer {
  return jsonAnswer(wholeTokenJson(token, home, base), { etag: etagOf(token) });
}

function createdAnswer(token: Token, secret: string, home: Home, base: string): Answer {
  return jsonAnswer({ ...tokenJson(token, home, base), token: secret }, secret === NO_SECRET ? {} : { etag: etagOf(token) });
}

function etagOf(token: Token): string {
  return sha256(JSON.stringify(token));
}

/** GoCD answers with the token itself, not with `data`. */
function refuse(problems: TokenRequestProblems, owner: TokenOwner, home: Home, base: string): void {
  const messages = Object.entries(problems).map(([name, problem]) => `The field '${name}' ${problem}.`);
  if (messages.length === 0) return;
  const { id: _, _links, ...rest } = tokenJson({ ...draftToken(plainTokenRequest(''), owner, '', new Date()), id: 0 }, home, base);
  const { self: __, ...otherLinks } = _links;
  const errors = Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, [problem]]));
  throw new Refusal('invalid', messages.join(' '), { more: { _links: otherLinks, ...rest, errors } });
}
