// The rows of users, their tokens and sessions, and their notification filters.
import type { Generated } from 'kysely';

export interface UserRow {
  /** The login name in lower case: names that differ only in letter case are the same user. */
  key: string;
  login_name: string;
  display_name: string;
  enabled: number;
  email: string;
  email_me: number;
  checkin_aliases: string;
  /** 1: the account of a program, which logs in with access tokens only. */
  is_service_account: number;
  /** The purpose of a service account. */
  description: string;
  /** The login name of the user who is responsible for a service account. */
  owner: string;
  /** In milliseconds; 0: before this was recorded. */
  added_at: number;
}

export interface TokenRow {
  id: Generated<number>;
  hash: string;
  description: string;
  login_name: string;
  auth_config_id: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
  revoke_cause: string | null;
  revoked_because_user_deleted: number;
  /** null: never. */
  expires_at: string | null;
  /** JSON: the list of scopes; null: all rights of the user. */
  scopes: string | null;
  /** JSON: the list of addresses and networks it may be used from; null: from all. */
  allowed_addresses: string | null;
  /** JSON: the scopes that would have been enough for its uses. */
  used_scopes: string | null;
  /** When it was noticed, and reported, that it has expired. */
  expired_at: string | null;
  /** How long it was to live when it was made; null: for ever. It may end earlier, because another token has taken its place. */
  lifetime_ms: number | null;
}

export interface FilterRow {
  id: Generated<number>;
  /** The login name of the owner in lower case. */
  user_key: string;
  pipeline: string;
  stage: string;
  event: string;
  match_commits: number;
}

export interface DashboardViewsRow {
  /** The login name of the owner in lower case. */
  user_key: string;
  /** JSON: the list of views. */
  views: string;
}

export interface SessionRow {
  /** The hash of the token in the cookie, which is kept nowhere. */
  hash: string;
  /** The login name in lower case. */
  user_key: string;
  auth_config_id: string;
  /** A mark that changes with the password, keyed with the token in the cookie; empty: the source has none. */
  password_mark: string;
  created_at: number;
  used_at: number;
  address: string;
  browser: string;
  /** The id of the user at the provider; empty: a login with a password. */
  subject: string;
  /** The session at the provider; empty: it names none. */
  provider_session: string;
  /** Encrypted; empty: there is none. */
  id_token: string;
}

/** Which account of a provider is which user, as of the last login. */
export interface ProviderAccountRow {
  auth_config_id: string;
  /** The login name in lower case. */
  user_key: string;
  issuer: string;
  subject: string;
  /** JSON: a list of texts. */
  groups: string;
  seen_at: number;
}

/** The hash of a login state or logout token, which must not count a second time. */
export interface UsedOnceRow {
  key: string;
  /** Milliseconds; afterwards it does not count for other reasons. */
  until: number;
}
