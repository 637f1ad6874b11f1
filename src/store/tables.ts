// The tables, as types. Both databases have the same ones.
import type { Generated } from 'kysely';

export interface Tables {
  readonly schema_version: { version: number };
  readonly entities: EntityRow;
  readonly revisions: RevisionRow;
  readonly changes: ChangeRow;
  readonly users: UserRow;
  readonly access_tokens: TokenRow;
  readonly notification_filters: FilterRow;
  readonly pipeline_pauses: PauseRow;
}

/** The configuration as it is now, one row an entity. */
export interface EntityRow {
  kind: string;
  key: string;
  /** Grows with each creation: lists are in this order. */
  created: number;
  revision: number;
  etag: string;
  value: string;
}

/** The change log: one row a revision … */
export interface RevisionRow {
  revision: number;
  time: string;
  actor: string;
  token: number | null;
  address: string | null;
  reason: string | null;
}

/** … and one row for each entity it touched. */
export interface ChangeRow {
  revision: number;
  position: number;
  operation: string;
  kind: string;
  key: string;
  before: string | null;
  after: string | null;
}

export interface UserRow {
  /** The login name in lower case: names that differ only in letter case are the same user. */
  key: string;
  login_name: string;
  display_name: string;
  enabled: number;
  email: string;
  email_me: number;
  checkin_aliases: string;
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

export interface PauseRow {
  /** The name of the pipeline in lower case. */
  key: string;
  cause: string;
  by: string;
  at: string;
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
}
