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
  readonly events: EventRow;
  readonly webhook_queues: WebhookQueueRow;
  readonly webhook_deliveries: WebhookDeliveryRow;
  readonly config_repo_states: ConfigRepoStateRow;
  readonly config_repo_files: ConfigRepoFileRow;
  readonly config_repo_parses: ConfigRepoParseRow;
  readonly revision_names: RevisionNameRow;
  readonly compaction: CompactionRow;
  readonly plans: PlanRow;
  readonly material_wishes: MaterialWishRow;
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
  /** The values; null where the entity is not there. In what was compacted they are null, too: the operation tells. */
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

/** How far a config repo is, and how the last attempt to bring it into force ended. */
export interface ConfigRepoStateRow {
  repo: string;
  /** A digest of all that decided which files were read and how; null: what is known of its files must not be relied on. */
  settings: string | null;
  /** Up to where its files are known; null: all have to be looked at. */
  mark: string | null;
  /** What files that are in force were read with; empty: none must be taken for being so. */
  in_force: string;
  /** A digest of its rules. */
  rules: string;
  /** The last one that was tried to the end. */
  revision: string | null;
  /** The last one that came into force. */
  good_revision: string | null;
  outcome: string;
  /** What administrators are told; empty when all is well. */
  message: string;
  detail: string;
  /** JSON, as is good_modification. */
  modification: string | null;
  good_modification: string | null;
}

/** A file of a config repo, and what it says. */
export interface ConfigRepoFileRow {
  repo: string;
  path: string;
  read_as: string;
  /** Empty: it cannot be read. */
  content_id: string;
  /** Who has read it. */
  parser: string;
  /** Of the format, as it declares it; 0: it does not. */
  version: number;
  /** Whether what it says is in force just so. */
  is_in_force: number;
  /** Whether there is something wrong with it, or said in vain. */
  is_told: number;
  /** The file is not there any more, and what it said may still be in force. */
  is_gone: number;
  /** JSON: what can be said of it in short. */
  outline: string;
  /** The whole, encrypted: people do write passwords into their files. */
  parsed: string;
}

/** One attempt to bring a revision of a config repo into force. */
export interface ConfigRepoParseRow {
  id: Generated<number>;
  repo: string;
  at: string;
  revision: string;
  outcome: string;
  matched: number;
  parsed: number;
  duration_ms: number;
  /** JSON, as are warnings. */
  errors: string;
  warnings: string;
}

/** Something that happened: see docs/operate/events.md for what is hashed. */
export interface EventRow {
  /** 1, 2, 3 … without gaps. */
  number: number;
  /** JSON, with the hash of the event before it. */
  body: string;
  /** The SHA-256 of the body. */
  hash: string;
}

/** What an outgoing webhook has delivered: everything up to its position. It goes when the webhook is deleted. */
export interface WebhookQueueRow {
  id: Generated<number>;
  webhook: string;
  /** The number of the last event that was delivered, or was not wanted. */
  position: number;
  /** In a row. */
  failures: number;
  failing_since: string | null;
  last_error: string | null;
  delivered_at: string | null;
}

/** One attempt to deliver one event; the last ones are kept. */
export interface WebhookDeliveryRow {
  id: Generated<number>;
  queue_id: number;
  event: number;
  type: string;
  attempt: number;
  time: string;
  milliseconds: number;
  /** null: there was no answer. */
  status: number | null;
  error: string | null;
}

/** A revision that somebody has given a name: it stays whole when older ones are compacted. */
export interface RevisionNameRow {
  revision: number;
  name: string;
  named_by: string;
  named_at: string;
}

/** How far the change log is compacted: one row, or none when it never was. */
export interface CompactionRow {
  /** From this revision on everything is kept; of those before it, only what has a name. */
  kept_from: number;
  /** Values that are not kept are gone up to this revision. */
  done_to: number;
}

/** A change of the configuration that was looked at and may be applied. */
export interface PlanRow {
  id: string;
  made_at: string;
  expires_at: string;
  actor: string;
  /** JSON; secrets as cipher texts. */
  content: string;
}

/** A look at a material that was asked for and has not ended. */
export interface MaterialWishRow {
  fingerprint: string;
}
