// Raises health messages about access tokens that are not used, or that expire soon.
import type { HealthReports } from '../../kit/health-reports.ts';
import { hasExpired, isUsable, type Token } from './token.ts';
import type { Tokens } from './tokens.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEVER_USED_DAYS = 30;
const UNUSED_DAYS = 90;
const EXPIRING_DAYS = 7;
const MAX_NAMED = 20;

export interface TokenFinding {
  readonly about: string;
  readonly message: string;
  readonly detail: string;
}

const STATES = ['active', 'expiring', 'never_used', 'unused', 'expired', 'revoked'] as const;
export type TokenState = (typeof STATES)[number];

/** The state of a token at a time in milliseconds, as administrators see it. */
export function stateOf(token: Token, now: number): TokenState {
  if (token.revoked_at !== null) return 'revoked';
  if (hasExpired(token, now)) return 'expired';
  if (token.expires_at !== null && Date.parse(token.expires_at) - now <= EXPIRING_DAYS * DAY_MS) return 'expiring';
  const age = (time: string) => now - Date.parse(time);
  if (token.last_used_at === null) return age(token.created_at) >= NEVER_USED_DAYS * DAY_MS ? 'never_used' : 'active';
  return age(token.last_used_at) >= UNUSED_DAYS * DAY_MS ? 'unused' : 'active';
}

const MESSAGES = {
  expiring: (count: string) => `${count} within ${EXPIRING_DAYS} days`,
  never_used: (count: string) => `${count} never used in the ${NEVER_USED_DAYS} days since`,
  unused: (count: string) => `${count} for ${UNUSED_DAYS} days`,
};

/** One for each kind that there is. */
export function tokenFindings(tokens: readonly Token[], now: number): TokenFinding[] {
  const byState = Map.groupBy(
    tokens.filter((token) => isUsable(token, now)),
    (token) => stateOf(token, now),
  );
  return (['expiring', 'never_used', 'unused'] as const).flatMap((state) => {
    const found = byState.get(state) ?? [];
    return found.length === 0
      ? []
      : [{ about: `access tokens: ${state}`, message: MESSAGES[state](VERBS[state](found.length)), detail: detailOf(found) }];
  });
}

const VERBS = {
  expiring: (count: number) => (count === 1 ? '1 access token expires' : `${count} access tokens expire`),
  never_used: (count: number) => (count === 1 ? '1 access token was created and' : `${count} access tokens were created and`),
  unused: (count: number) => (count === 1 ? '1 access token was not used' : `${count} access tokens were not used`),
};

/** Names tokens by id and user, without descriptions: every user may see health messages. */
function detailOf(tokens: readonly Token[]): string {
  const named = tokens.slice(0, MAX_NAMED).map(({ id, login_name }) => `${id} of ${login_name}`);
  const more = tokens.length > named.length ? ` and ${tokens.length - named.length} more` : '';
  if (tokens.length === 1) return `It is the token ${named[0]}. Rotate it if it is needed, and revoke it otherwise.`;
  return `They are the tokens ${named.join(', ')}${more}. Rotate those that are needed, and revoke the others.`;
}

/** Made to be called again and again. */
export function tokenHealth(tokens: Pick<Tokens, 'all'>, health: HealthReports): (now?: number) => void {
  let raised: readonly string[] = [];
  return (now = Date.now()) => {
    const found = tokenFindings(tokens.all(), now);
    const current = new Set(found.map(({ about }) => about));
    for (const about of raised) if (!current.has(about)) health.clear(about);
    for (const { about, message, detail } of found) health.raise(about, 'WARNING', message, detail);
    raised = [...current];
  };
}

/** How many there are of each kind. */
export function tokenCounts(tokens: readonly Token[], now: number): ReadonlyMap<TokenState, number> {
  const counts = new Map<TokenState, number>(STATES.map((state) => [state, 0]));
  for (const token of tokens) {
    const state = stateOf(token, now);
    counts.set(state, counts.get(state)! + 1);
  }
  return counts;
}
