// Access tokens as the API gives them, and which of them are shown.
import type { AccessToken, NewAccessToken } from '../../client/index.ts';
import type { AnswerOf, WithoutLinks } from '../api/answers.ts';
import { matchesSearch } from '../kit/text/text.ts';

export type Token = WithoutLinks<AccessToken>;
/** One token alone, with its usage; absent: it was not used yet. */
export type TokenWithUse = WithoutLinks<AnswerOf<'GET /api/current_user/access_tokens/{id}'>>;
/** The answer to the creation of a token: only this answer has the secret. */
export type NewToken = WithoutLinks<NewAccessToken>;
export type TokenList = Pick<AnswerOf<'GET /api/current_user/access_tokens'>, '_embedded'>;

export const OWN_TOKENS = '/api/current_user/access_tokens';
export const ALL_TOKENS = '/api/admin/access_tokens';
export const TOKENS_VERSION = 1;

export const FILTERS = { active: 'Active', revoked: 'Revoked', all: 'All' } as const;
export type Filter = keyof typeof FILTERS;

/** `text` is from the address of the page, so it can be anything. */
export function filterOf(text: string): Filter {
  return text === 'revoked' || text === 'all' ? text : 'active';
}

/** The newest first. */
export function shownTokens(tokens: readonly Token[], filter: Filter, search: string, now = Date.now()): Token[] {
  return tokens
    .filter((token) => filter === 'all' || (filter === 'revoked' ? token.revoked : isUsable(token, now)))
    .filter((token) => matchesSearch(searchTextOf(token), search))
    .toSorted((one, other) => other.id - one.id);
}

export function hasExpired({ expires_at }: Pick<Token, 'expires_at'>, now: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now;
}

export function isUsable(token: Token, now: number): boolean {
  return !token.revoked && !hasExpired(token, now);
}

function searchTextOf({ description, username, revoke_cause, scopes = [] }: Token): string {
  return [description, username, revoke_cause ?? '', ...scopes].join('\n');
}
