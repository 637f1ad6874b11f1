// Personal access tokens as JSON, and the two places where they are found.
import type { Token } from '../../../access/users/token.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Permission } from '../../../shape/resource.ts';
import { docLink, links } from '../common/links.ts';

export const FILTERS = ['active', 'all', 'revoked'] as const;

export interface Home {
  readonly path: string;
  readonly permission: Permission;
  readonly isForAll: boolean;
}

export const OWN: Home = { path: '/api/current_user/access_tokens', permission: 'user', isForAll: false };
export const EVERYBODYS: Home = { path: '/api/admin/access_tokens', permission: 'admin', isForAll: true };

export function tokenListJson(tokens: readonly Token[], home: Home, base: string): JsonOut {
  return {
    _links: links(base, { self: home.path, doc: docLink('access-tokens') }),
    _embedded: { access_tokens: tokens.map((token) => tokenJson(token, home, base)) },
  };
}

export function tokenJson(token: Token, { path, isForAll }: Home, base: string) {
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

/** Dates in answers have no fractions of seconds. */
function dateOf(time: string | null): string | null {
  return time === null ? null : time.replace(/\.\d+/, '');
}
