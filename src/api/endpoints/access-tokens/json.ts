// Personal access tokens as JSON, and the places where they are found.
import { smallestScopes } from '../../../access/scopes/token-use.ts';
import { addressesOf, scopesOf, type Token, usedScopesOf } from '../../../access/users/token.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Permission } from '../../../shape/resource.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';

export const FILTERS = ['active', 'all', 'revoked'] as const;

export interface Home {
  readonly path: string;
  readonly permission: Permission;
  /** The tokens of the current user, of all users, or of one service account. */
  readonly of: 'oneself' | 'everybody' | 'account';
}

export const OWN_HOME: Home = { path: '/api/current_user/access_tokens', permission: 'user', of: 'oneself' };
export const ALL_HOME: Home = { path: '/api/admin/access_tokens', permission: 'admin', of: 'everybody' };
export const OF_ACCOUNT: Home = { path: '/api/admin/service_accounts/:name/access_tokens', permission: 'admin', of: 'account' };

export function tokenListJson(tokens: readonly Token[], home: Home, owner: string, base: string): JsonOut {
  return {
    _links: links(base, { self: pathOf(home, owner), doc: docLink('access-tokens') }),
    _embedded: { access_tokens: tokens.map((token) => tokenJson(token, home, base)) },
  };
}

export function tokenJson(token: Token, home: Home, base: string) {
  const path = pathOf(home, token.login_name);
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
    ...(home.of === 'everybody' && { revoked_because_user_deleted: token.revoked_because_user_deleted === 1 }),
    ...limitsJson(token),
  };
}

/** With the scopes it was used for, as far as they are known. */
export function wholeTokenJson(token: Token, home: Home, base: string): JsonOut {
  const used = usedScopesOf(token);
  return { ...tokenJson(token, home, base), ...(used.length > 0 && { used_scopes: [...used], proposed_scopes: smallestScopes(used) }) };
}

/** One that was made the plain way has none of them, and looks as it always did. */
function limitsJson(token: Token) {
  const [scopes, addresses] = [scopesOf(token), addressesOf(token)];
  return {
    ...(token.expires_at !== null && { expires_at: dateOf(token.expires_at) }),
    ...(scopes && { scopes: [...scopes] }),
    ...(addresses && { allowed_addresses: [...addresses] }),
  };
}

function pathOf({ path }: Home, owner: string): string {
  return path.replace(':name', () => encodeURIComponent(owner));
}
