// Access tokens as the API gives them, and which of them are shown.
import { hasWords } from '../kit/text/text.ts';

export const OWN_TOKENS = '/api/current_user/access_tokens';
export const ALL_TOKENS = '/api/admin/access_tokens';
export const TOKENS_VERSION = 1;

export interface Token {
  readonly id: number;
  readonly description: string;
  readonly username: string;
  readonly revoked: boolean;
  readonly revoke_cause: string | null;
  readonly revoked_by: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** The answer to its creation: the only one that has the secret. */
export interface NewToken extends Token {
  readonly token: string;
}

export interface TokenList {
  readonly _embedded: { readonly access_tokens: readonly Token[] };
}

export const FILTERS = { active: 'Active', revoked: 'Revoked', all: 'All' } as const;
export type Filter = keyof typeof FILTERS;

/** What stands in the address; anybody can have written it. */
export function filterOf(text: string): Filter {
  return text === 'revoked' || text === 'all' ? text : 'active';
}

/** The newest first. */
export function shownTokens(tokens: readonly Token[], filter: Filter, search: string): Token[] {
  return tokens
    .filter(({ revoked }) => filter === 'all' || revoked === (filter === 'revoked'))
    .filter(({ description, username, revoke_cause }) => hasWords(`${description}\n${username}\n${revoke_cause ?? ''}`, search))
    .toSorted((one, other) => other.id - one.id);
}
