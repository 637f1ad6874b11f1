// A personal access token, as it is stored, and how it comes to be, is replaced and ends. Pure.
import type { TokenRow } from '../../store/rows/users.ts';
import { TokenScopes } from '../scopes/token-scopes.ts';

export type Token = Readonly<Omit<TokenRow, 'id'>> & { readonly id: number };

/** The properties that a user asks for in a new token. */
export interface TokenRequest {
  readonly description: string;
  /** null: never. */
  readonly expiresAt: string | null;
  /** null: all rights of the user. */
  readonly scopes: readonly string[] | null;
  /** null: from all. */
  readonly allowedAddresses: readonly string[] | null;
}

/** The source of tokens of service accounts, which only this server knows. */
export const NO_SOURCE = '';

export interface TokenOwner {
  readonly loginName: string;
  readonly authConfigId: string;
}

/** No token that expires lives longer. */
export const MAX_LIFETIME_MS = 10 * 365.25 * 24 * 60 * 60 * 1000;

export function draftToken(request: TokenRequest, { loginName, authConfigId }: TokenOwner, hash: string, now: Date): Omit<Token, 'id'> {
  return {
    hash,
    description: request.description,
    login_name: loginName,
    auth_config_id: authConfigId,
    created_at: now.toISOString(),
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
    revoke_cause: null,
    revoked_because_user_deleted: 0,
    expires_at: request.expiresAt,
    scopes: request.scopes && JSON.stringify(request.scopes),
    allowed_addresses: request.allowedAddresses && JSON.stringify(request.allowedAddresses),
    used_scopes: null,
    expired_at: null,
    lifetime_ms: request.expiresAt === null ? null : Date.parse(request.expiresAt) - now.getTime(),
  };
}

export function plainTokenRequest(description: string): TokenRequest {
  return { description, expiresAt: null, scopes: null, allowedAddresses: null };
}

/** The properties of a token that replaces this one: the same, with the same lifetime from now on, also when this one has been replaced before. */
export function successorOf(token: Token, now: Date): TokenRequest {
  const { description, lifetime_ms } = token;
  return {
    description,
    expiresAt: lifetime_ms === null ? null : new Date(now.getTime() + Math.min(lifetime_ms, MAX_LIFETIME_MS)).toISOString(),
    scopes: scopesOf(token),
    allowedAddresses: addressesOf(token),
  };
}

/** It ends then, or earlier if it would have anyway. */
export function endingBy(token: Token, end: number): Token {
  const expires_at = token.expires_at !== null && Date.parse(token.expires_at) <= end ? token.expires_at : new Date(end).toISOString();
  return { ...token, expires_at };
}

export function revokedBy(by: string, cause: string | null, now: Date, isUserDeleted = false): (token: Token) => Token {
  const revoked = { revoked_at: now.toISOString(), revoked_by: by, revoke_cause: cause };
  return (token) => ({ ...token, ...revoked, revoked_because_user_deleted: isUserDeleted ? 1 : 0 });
}

export function hasExpired({ expires_at }: Pick<Token, 'expires_at'>, now: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= now;
}

/** Whether requests with it are let in. */
export function isUsable(token: Token, now: number): boolean {
  return token.revoked_at === null && !hasExpired(token, now);
}

export function scopesOf({ scopes }: Pick<Token, 'scopes'>): readonly string[] | null {
  return textsIn(scopes);
}

export function addressesOf({ allowed_addresses }: Pick<Token, 'allowed_addresses'>): readonly string[] | null {
  return textsIn(allowed_addresses);
}

export function usedScopesOf({ used_scopes }: Pick<Token, 'used_scopes'>): readonly string[] {
  return textsIn(used_scopes) ?? [];
}

/** The limits of the token, as the identity of its user carries them. */
export function limitsOf(token: Token): { readonly scopes?: TokenScopes; readonly expiresAt?: number } {
  const scopes = scopesOf(token);
  return {
    ...(scopes && { scopes: new TokenScopes(scopes) }),
    ...(token.expires_at !== null && { expiresAt: Date.parse(token.expires_at) }),
  };
}

/** We wrote it ourselves. */
function textsIn(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as readonly string[]);
}
