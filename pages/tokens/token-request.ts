// The fields of the form for a new token, and the request for it.
export interface TokenFields {
  readonly description: string;
  /** Days from now; empty: it does not expire. */
  readonly days: string;
  /** One scope a line. */
  readonly scopes: string;
  /** One address a line. */
  readonly addresses: string;
}

export const LIFETIMES = { '': 'never', '7': 'in 7 days', '30': 'in 30 days', '90': 'in 90 days', '365': 'in a year' } as const;

const DAY_MS = 24 * 60 * 60 * 1000;

export const emptyFields = (scopes: readonly string[] = []): TokenFields => ({
  description: '',
  days: '',
  scopes: scopes.join('\n'),
  addresses: '',
});

/** Only the filled fields: the request for a token without limits has the description alone. */
export function tokenRequest({ description, days, scopes, addresses }: TokenFields, now: number) {
  const [wanted, from] = [linesOf(scopes), linesOf(addresses)];
  return {
    description,
    ...(days !== '' && { expires_at: new Date(now + Number(days) * DAY_MS).toISOString() }),
    ...(wanted.length > 0 && { scopes: wanted }),
    ...(from.length > 0 && { allowed_addresses: from }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
