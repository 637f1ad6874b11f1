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
  readonly outbox: OutboxRow;
  readonly told_conditions: ToldConditionRow;
  readonly backups: BackupRow;
  readonly maintenance: MaintenanceRow;
  readonly materials: MaterialRow;
  readonly modifications: ModificationRow;
  readonly modified_files: ModifiedFileRow;
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
  /** The place of the entity among its kind, as in `entities`. */
  created: number;
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

/** A mail that waits to be sent, or one that was not and is kept for a while so that its failure can be shown. */
export interface OutboxRow {
  id: Generated<number>;
  /** The same at every attempt. */
  message_id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: string;
  /** Not to be tried before. */
  due_at: string;
  attempts: number;
  /** How often the mail server had all of it and did not say what it did with it. */
  doubts: number;
  /** The mail server has all of it, and its answer is not known yet. */
  handed_over_at: string | null;
  last_error: string | null;
  ended_at: string | null;
  ended_as: string | null;
}

/** Something that is wrong, for as long as it is, of which administrators have had their mail. */
export interface ToldConditionRow {
  condition: string;
  since: string;
}

/** Maintenance mode that goes on after a restart: one row while it is on, none otherwise. */
export interface MaintenanceRow {
  by: string;
  since: string;
  reason: string | null;
  until: string | null;
}

export interface BackupRow {
  id: Generated<number>;
  time: string;
  login_name: string;
  via: string;
  status: string;
  step: string;
  message: string;
  path: string;
  ended_at: string | null;
  bytes: number | null;
  /** JSON, as are script, copy and copy_state. */
  phases: string;
  verified: number | null;
  verification: string | null;
  script: string | null;
  copy: string | null;
  /** What the copy to the bucket needs to go on after a crash. */
  copy_state: string | null;
  removed_at: string | null;
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

/** Something that pipelines are built from, whichever of them name it, as it was last looked at. */
export interface MaterialRow {
  id: Generated<number>;
  fingerprint: string;
  type: string;
  /** For people, without secrets. */
  description: string;
  /** What its plugin or client wants to find again at the next look. */
  data: string | null;
  /** The name of the directory that belongs to it alone. */
  directory: string;
  /** What the next look starts from; not always that of the newest modification, for a repository can go back. */
  last_revision: string | null;
  /** So many modifications, and so the ordinal of the newest. */
  modification_count: number;
  poll_count: number;
  polled_at: string | null;
  /** In a row. */
  failures: number;
  failed_at: string | null;
  failed_before_at: string | null;
  failure: string | null;
}

export interface ModificationRow {
  /** Grows over all materials. */
  id: number;
  material_id: number;
  /** 1, 2, 3 … in each material: a page is found by it, however far down it is. */
  ordinal: number;
  revision: string;
  user_name: string | null;
  email: string | null;
  comment: string | null;
  /** Milliseconds. */
  modified_time: number;
  pipeline_label: string | null;
  pipeline_id: number | null;
  additional_data: string | null;
}

export interface ModifiedFileRow {
  modification_id: number;
  position: number;
  name: string;
  action: string;
}
