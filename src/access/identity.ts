// The authenticated user of a request, and the limits of the token used.
import type { TokenScopes } from './scopes/token-scopes.ts';
import type { TokenUse } from './scopes/token-use.ts';

export interface Identity {
  readonly loginName: string;
  readonly displayName: string;
  /** The access token used, or null for a password. */
  readonly tokenId: number | null;
  readonly authConfigId: string;
  /** Of the password by which they were let in, as far as its source states it; absent: by none. Another one once it is changed. */
  readonly passwordVersion?: string;
  /** The hash of the browser session used; absent: none. */
  readonly sessionHash?: string;
  /** The scopes that the access token is limited to; absent: the token has all rights of the user. */
  readonly scopes?: TokenScopes;
  /** When the access token ends, in milliseconds; absent: never. */
  readonly expiresAt?: number;
  /** Records the scopes that requests with the access token need. */
  readonly use?: TokenUse;
}

/** The user whose rights are checked, within the scopes of their token. */
export type Rightholder = Pick<Identity, 'loginName' | 'scopes'>;

/** The user as such, for decisions whose scope was checked before. */
export function withoutScopes<T extends Pick<Identity, 'scopes'>>(identity: T): Omit<T, 'scopes'> {
  if (!identity.scopes) return identity;
  const { scopes: _, ...user } = identity;
  return user;
}
